import { Client } from 'pg';
import { storedForm } from '../../src/domain/workspaces/api-key.ts';
import { newId } from '../../src/shared/ids.ts';
import { openDatabase } from '../../src/store/database.ts';
import { replaceKey } from '../../src/store/tenants/keys.ts';

export const BENCH_KEY = 'cw_live_benchbenchbenchbenchbenchbenchbench';
/** The key of a workspace without calls. */
export const OTHER_KEY = 'cw_live_otherotherotherotherotherotherother';
const CHUNK = 500_000;

export interface Seeded {
  readonly workspaceId: string;
  readonly numberId: string;
  readonly campaignId: string;
}

/** One workspace with ten numbers, twenty campaigns and `calls` ended calls of the last `days`. */
export async function seed(
  url: string,
  calls: number,
  progress: (done: number) => void,
  days = 90,
): Promise<Seeded> {
  const database = openDatabase(url);
  const db = database.kysely;
  const at = new Date();
  const stamps = { created_at: at, updated_at: at };
  const workspaceId = newId();
  await db
    .insertInto('workspaces')
    .values({ id: workspaceId, name: 'Bench', unlimited: true, ...stamps })
    .execute();
  await replaceKey(db, workspaceId, storedForm(BENCH_KEY), at);
  const otherId = newId();
  await db
    .insertInto('workspaces')
    .values({ id: otherId, name: 'Other', unlimited: true, ...stamps })
    .execute();
  await replaceKey(db, otherId, storedForm(OTHER_KEY), at);
  const trunkId = newId();
  await db
    .insertInto('trunks')
    .values({ id: trunkId, name: 'bench', settings: '{}', ...stamps })
    .execute();
  const numberIds = Array.from({ length: 10 }, newId);
  await db
    .insertInto('numbers')
    .values(
      numberIds.map((id, i) => ({
        workspace_id: workspaceId,
        id,
        number: `+1415555010${i}`,
        trunk_id: trunkId,
        ...stamps,
      })),
    )
    .execute();
  // The agent does not exist: agents are joined for their names only.
  const [agentId, versionId] = [newId(), newId()];
  const campaignIds = Array.from({ length: 20 }, newId);
  await db
    .insertInto('campaigns')
    .values(
      campaignIds.map((id, i) => ({
        workspace_id: workspaceId,
        id,
        agent_id: agentId,
        name: `Campaign ${i + 1}`,
        state: 'completed' as const,
        ...stamps,
      })),
    )
    .execute();
  await database.close();

  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  // Inserts ended calls without triggers and computes the sums once, like the migration of an older database.
  await client.query('alter table calls disable trigger user');
  for (let from = 0; from < calls; from += CHUNK) {
    await client.query(
      `insert into calls (workspace_id, id, campaign_id, agent_id, version_id, number_id, call_type, from_number,
         to_number, callee_name, args, status, sub_status, attempt, cost, created_at, updated_at, ended_at,
         duration_ms, hangup_by, contact_row)
       select $1::uuid, uuidv7(t.at - now()), ($2::uuid[])[1 + i % 25], $3::uuid, $4::uuid, ($5::uuid[])[1 + i % 10],
         case when i % 25000 = 1 then 'inbound' else 'outbound' end, '+14155550100', '+1212' || lpad((i % 10000000)::text, 7, '0'), 'Priya',
         '{"callee_name":"Priya"}', case when i % 25000 = 3 then 'error'
           else (array['completed','completed','completed','failed','cancelled'])[1 + i % 5] end,
         (array['USER_LEFT','AGENT_ENDED','VOICEMAIL_DETECTED','NO_ANSWER','USER_TERMINATED'])[1 + i % 5],
         1 + i % 3, (i % 3) * 1000000, t.at, t.at, t.at,
         case when i % 5 < 3 then (i::bigint * 7919) % 400000 end, 'caller',
         case when i % 25 < 20 then 1 + i / 25 end
       from generate_series($6::int, $7::int) i,
         lateral (select now() - $9::int * interval '1 day' * (1 - i::float8 / $8::float8) as at) t`,
      [
        workspaceId,
        campaignIds,
        agentId,
        versionId,
        numberIds,
        from,
        Math.min(calls, from + CHUNK) - 1,
        calls,
        days,
      ],
    );
    progress(Math.min(calls, from + CHUNK));
  }
  await client.query(
    `insert into call_days
     select workspace_id, (created_at at time zone 'UTC')::date, agent_id, version_id,
       coalesce(number_id, '00000000-0000-0000-0000-000000000000'),
       coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'),
       call_type, status, sub_status, ending_bucket(duration_ms),
       count(*), sum(attempt), sum(coalesce(duration_ms, 0)), sum(cost)
     from calls where status in ('completed', 'failed', 'error', 'cancelled')
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
  );
  await client.query(
    `insert into call_begun select workspace_id, (created_at at time zone 'UTC')::date, call_type, count(*)
     from calls group by 1, 2, 3`,
  );
  await client.query(
    `insert into attempt_slots
     select workspace_id, date_bin('15 minutes', created_at, 'epoch'), agent_id,
       coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), sum(attempt), count(duration_ms),
       coalesce(sum(duration_ms), 0)
     from calls where status <> 'cancelled' group by 1, 2, 3, 4`,
  );
  // Every call has had all of its attempts, and was answered at the last one.
  await client.query(
    `insert into attempt_quarters
     select workspace_id, campaign_id, floor(extract(epoch from created_at) / 900)::int, n, count(*),
       count(duration_ms) filter (where n = attempt), sum(coalesce(duration_ms, 0) + 10000)
     from calls cross join lateral generate_series(1, attempt) n
     where campaign_id is not null and status <> 'cancelled' group by 1, 2, 3, 4`,
  );
  // Six turns a conversation, from 0.2 s to 3 s and rarely longer, as five parts of each campaign's day.
  const turns = `select bucket_counts(array_agg(reaction_bucket(200 + 300 * -ln(1 - random())))) as counts
    from generate_series(1, 6 * f.calls)`;
  await client.query(
    `insert into reaction_days
     select f.workspace_id, f.day, f.agent_id, f.version_id, f.campaign_id, part, h.counts
     from (select workspace_id, day, agent_id, version_id, campaign_id, sum(calls) as calls
           from call_days where duration_bucket >= 0 group by 1, 2, 3, 4, 5) f
     cross join generate_series(0, 4) part cross join lateral (${turns}) h`,
  );
  await client.query(
    `insert into reaction_slots
     select f.workspace_id, f.slot, f.agent_id, h.counts
     from (select workspace_id, slot, agent_id, sum(answered) as calls
           from attempt_slots where answered > 0 group by 1, 2, 3) f
     cross join lateral (${turns}) h`,
  );
  await client.query('select fill_weeks($1)', [workspaceId]);
  await client.query('alter table calls enable trigger user');
  await client.query(
    `vacuum (analyze) calls, call_days, call_totals, call_begun, attempt_slots, attempt_weeks, reaction_days, reaction_slots,
       reaction_weeks, attempt_quarters`,
  );
  await client.end();
  return { workspaceId, numberId: numberIds[0] ?? '', campaignId: campaignIds[0] ?? '' };
}
