import { Client } from 'pg';
import { newId } from '../../../src/shared/ids.ts';

export interface WorldSize {
  readonly calls: number;
  readonly workspaces: number;
  readonly campaigns: number;
}

/** The limits; a few workspaces and trunks have such small ones that they are always full. */
export const LIMITS = {
  workspace: 400,
  narrowWorkspace: 12,
  campaignPercentage: 40,
  number: 100,
  trunkCalls: 1500,
  narrowTrunkCalls: 40,
  trunkPerSecond: 20_000,
  narrowTrunkPerSecond: 60,
  destination: 250,
} as const;

const NUMBERS_EACH = 4;
const TRUNKS = 10;

/**
 * Creates `calls` due calls in campaigns of several workspaces; half of them, the oldest, belong to the first workspace.
 * Every limit is set: parallel calls of workspace, campaign, number, trunk and destination, calls per second of each
 * trunk, attempts to one callee, balance, window, both do-not-call lists.
 */
export async function createWorld(url: string, size: WorldSize): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const run = (text: string, values: unknown[] = []): Promise<unknown> => client.query(text, values);
  const trunks = Array.from({ length: TRUNKS }, newId);
  await run(
    `insert into trunks (id, name, settings, created_at, updated_at)
     select id, 'bench ' || i, jsonb_build_object('max_calls', case i when 1 then $2::int else $3::int end,
       'calls_per_second', case i when 2 then $4::int else $5::int end), now(), now()
     from unnest($1::uuid[]) with ordinality as t (id, i)`,
    [trunks, LIMITS.narrowTrunkCalls, LIMITS.trunkCalls, LIMITS.narrowTrunkPerSecond, LIMITS.trunkPerSecond],
  );
  const perWorkspace = size.campaigns / size.workspaces;
  for (let w = 0; w < size.workspaces; w += 1) {
    const [workspace, agent, version] = [newId(), newId(), newId()];
    const numbers = Array.from({ length: NUMBERS_EACH }, newId);
    const isNarrow = w % 10 === 9;
    const limits = {
      destination_calls: { '+1212': LIMITS.destination },
      denied_destinations: ['+882', '+979'],
      callee_frequency: { attempts: 3, hours: 24 },
    };
    await run(
      `insert into workspaces (id, name, credits, call_limit, settings, created_at, updated_at)
       values ($1, 'workspace ' || $2::int, 1e15, $3, $4, now(), now())`,
      [workspace, w, isNarrow ? LIMITS.narrowWorkspace : LIMITS.workspace, { limits }],
    );
    await run(
      `insert into agents (workspace_id, id, display_name, agent_type, active_version_id, webcall_public_key,
         created_at, updated_at) values ($1, $2, 'Asha', 'outbound', $3, $4, now(), now())`,
      [workspace, agent, version, newId()],
    );
    await run(
      `insert into agent_versions (workspace_id, agent_id, id, slug, config, created_at, updated_at)
       values ($1, $2, $3, 'v1', $4, now(), now())`,
      [workspace, agent, version, versionConfig()],
    );
    await run(
      `insert into numbers (workspace_id, id, number, trunk_id, call_limit, created_at, updated_at)
       select $1, id, '+1415' || lpad(($3::int * 10 + i)::text, 7, '0'), ($4::uuid[])[1 + ($3::int + i) % $5::int],
         $6, now(), now()
       from unnest($2::uuid[]) with ordinality as n (id, i)`,
      [workspace, numbers, w, trunks, TRUNKS, LIMITS.number],
    );
    const share = w === 0 ? size.calls / 2 : size.calls / 2 / (size.workspaces - 1);
    for (let c = 0; c < perWorkspace; c += 1) {
      const campaign = newId();
      await run(
        `insert into campaigns (workspace_id, id, agent_id, name, state, call_config, concurrency_percentage,
           next_due_at, created_at, updated_at)
         values ($1, $2, $3, 'campaign', 'ongoing', '{"call_time":{"call_end_time":"23:59"}}', $4,
           now() - interval '1 hour', now(), now())`,
        [workspace, campaign, agent, LIMITS.campaignPercentage],
      );
      await run(
        `insert into campaign_numbers (workspace_id, campaign_id, number_id)
         select $1, $2, unnest($3::uuid[])`,
        [workspace, campaign, numbers],
      );
      await run(
        `insert into calls (workspace_id, id, campaign_id, agent_id, version_id, call_type, to_number, callee_name, args,
           status, sub_status, next_attempt_at, created_at, updated_at, contact_row)
         select $1::uuid, uuidv7(), $2::uuid, $3::uuid, $4::uuid, 'outbound',
           '+1212' || lpad(($6::bigint * 100000 + i)::text, 9, '0'), 'Priya',
           jsonb_build_object('callee_name', 'Priya', 'mobile_number', '+1212', 'day', 'Tuesday'), 'registered',
           'IN_DB', now() - case when $7::boolean then interval '1 hour' else interval '1 minute' end, now(), now(), i
         from generate_series(1, $5::int) i`,
        [
          workspace,
          campaign,
          agent,
          version,
          Math.floor(share / perWorkspace),
          w * perWorkspace + c,
          w === 0,
        ],
      );
      await run(
        `insert into campaign_do_not_call (workspace_id, campaign_id, number, reason, created_at)
         select $1::uuid, $2::uuid, to_number, 'bench', now() from calls
         where workspace_id = $1 and campaign_id = $2 and contact_row % 997 = 0`,
        [workspace, campaign],
      );
    }
    await run(
      `insert into do_not_call (workspace_id, number, reason, created_at)
       select $1::uuid, '+1900' || lpad(i::text, 7, '0'), 'bench', now() from generate_series(1, 1000) i`,
      [workspace],
    );
    await run(`update workspaces set next_due_at = now() - interval '1 hour' where id = $1`, [workspace]);
  }
  await client.end();
}

const versionConfig = (): object => ({
  language: 'en-US',
  secondary_language: null,
  agent_config: {
    agent_prompt: 'Remind {{callee_name}} of the appointment. '.repeat(40),
    intro_message: 'Hello.',
  },
  call_config: {
    call_time: { call_start_time: '00:00', call_end_time: '23:58', timezone: 'Etc/UTC' },
    max_call_length: 240,
  },
  event_subscriptions: [],
});

/** Skips the ramp of every campaign: a run measures steady state, not the first seconds. */
export async function warmUp(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`update campaigns set ramp_limit = 100000, ramp_at = now(), served_at = now()`);
  await client.query(`update numbers set rated_at = now() + interval '1 day'`);
  await client.end();
}
