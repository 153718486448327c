import { sql } from 'kysely';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import type { AttemptEnd } from '../../../src/domain/calls/attempt/next-step.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import type { Db } from '../../../src/store/database.ts';
import type { CampaignState } from '../../../src/store/schema.ts';
import type { Clock } from '../../../src/shared/clock.ts';

interface Owner {
  workspaceId: string;
  numberId: string;
  number: string;
}

interface Contact {
  number?: string;
  args?: Record<string, string>;
}

/** Inserts an imported list: a campaign and one registered call per contact. */
export async function insertCampaign(
  api: { db: Db; clock: Clock },
  tenant: Owner,
  agent: { agentId: string; versionId: string },
  options: {
    contacts?: readonly Contact[] | number;
    state?: CampaignState;
    name?: string;
    startAt?: Date | null;
    endAt?: Date | null;
    callConfig?: object;
  } = {},
): Promise<string> {
  const id = newId();
  const at = new Date(api.clock.now());
  const contacts: readonly Contact[] =
    typeof options.contacts === 'object'
      ? options.contacts
      : Array.from({ length: options.contacts ?? 3 }, () => ({}));
  await api.db
    .insertInto('campaigns')
    .values({
      workspace_id: tenant.workspaceId,
      id,
      agent_id: agent.agentId,
      name: options.name ?? 'Spring',
      state: 'draft',
      start_at: options.startAt ?? null,
      end_at: options.endAt ?? null,
      call_config: options.callConfig === undefined ? null : JSON.stringify(options.callConfig),
      total_rows: contacts.length,
      processed_rows: contacts.length,
      successful_rows: 0,
      created_at: at,
      updated_at: at,
    })
    .execute();
  for (let from = 0; from < contacts.length; from += 1000) {
    await api.db
      .insertInto('calls')
      .values(
        contacts.slice(from, from + 1000).map((contact, index) => {
          const row = from + index + 1;
          const number = contact.number ?? `+1212555${String(row).padStart(4, '0')}`;
          return {
            workspace_id: tenant.workspaceId,
            id: newId(),
            campaign_id: id,
            agent_id: agent.agentId,
            version_id: agent.versionId,
            call_type: 'outbound' as const,
            to_number: number,
            callee_name: `Callee ${row}`,
            args: JSON.stringify({ callee_name: `Callee ${row}`, mobile_number: number, ...contact.args }),
            status: 'registered' as const,
            sub_status: 'IN_DB',
            contact_row: row,
            next_attempt_at: at,
            created_at: at,
            updated_at: at,
          };
        }),
      )
      .execute();
  }
  const taken = { successful_rows: contacts.length };
  await api.db.updateTable('campaigns').set(taken).where('id', '=', id).execute();
  const state = options.state ?? 'draft';
  await api.db.updateTable('campaigns').set({ state }).where('id', '=', id).execute();
  return id;
}

export const stateOf = async (db: Db, campaignId: string): Promise<CampaignState> =>
  (await db.selectFrom('campaigns').select('state').where('id', '=', campaignId).executeTakeFirstOrThrow())
    .state;

/** Claims one waiting call of the campaign: live, journalled, `reserved` micro-credits locked. */
export async function claimContact(
  api: { db: Db; clock: Clock },
  tenant: Owner,
  campaignId: string,
  nodeId: string,
  reserved = 0,
): Promise<AttemptRef | null> {
  const at = new Date(api.clock.now());
  return api.db.transaction().execute(async (tx) => {
    await sql`select from workspaces where id = ${tenant.workspaceId} for no key update`.execute(tx);
    const { rows } = await sql<{ callId: string; attempt: number }>`
      update calls c set status = 'ongoing', sub_status = 'QUEUED', attempt = attempt + 1, node_id = ${nodeId},
        number_id = ${tenant.numberId}, from_number = ${tenant.number}, reserved = ${reserved},
        next_attempt_at = null, dialed_at = null, answered_at = null, updated_at = ${at}
      where c.workspace_id = ${tenant.workspaceId} and c.id = (
        select q.id from calls q join campaigns l on l.workspace_id = q.workspace_id and l.id = q.campaign_id
        where q.workspace_id = ${tenant.workspaceId} and q.campaign_id = ${campaignId}
          and q.status in ('registered', 'retry') and q.next_attempt_at <= ${at} and l.state in ('scheduled', 'ongoing')
        order by q.contact_row limit 1)
      returning id as "callId", attempt`.execute(tx);
    const claimed = rows[0];
    if (claimed === undefined) return null;
    await sql`insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at, campaign_id,
        number_id, to_number)
      select workspace_id, id, attempt, node_id, 'claimed', ${at}, campaign_id, number_id, to_number
      from calls where workspace_id = ${tenant.workspaceId} and id = ${claimed.callId}`.execute(tx);
    await sql`update workspaces set locked_credits = locked_credits + ${reserved}
      where id = ${tenant.workspaceId}`.execute(tx);
    await sql`update campaigns set state = 'ongoing', started_at = coalesce(started_at, ${at})
      where workspace_id = ${tenant.workspaceId} and id = ${campaignId} and state = 'scheduled'`.execute(tx);
    return { workspaceId: tenant.workspaceId, ...claimed, nodeId };
  });
}

/** Journals the attempt as dialling, the state right before its INVITE. */
export async function dialContact(api: { db: Db; clock: Clock }, ref: AttemptRef): Promise<void> {
  const at = new Date(api.clock.now());
  await api.db.transaction().execute(async (tx) => {
    await sql`update call_attempts set status = 'dialing', dialed_at = ${at}
      where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
      tx,
    );
    await sql`update calls set dialed_at = ${at}, sub_status = 'RINGING'
      where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
  });
}

/** Settles an attempt the way the dialer does. */
export const settleContact = (
  api: { db: Db; clock: Clock },
  ref: AttemptRef,
  end: AttemptEnd,
  sipCode: number | null = null,
) =>
  settleAttempt(
    {
      db: api.db,
      clock: api.clock,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      recordingUrl: () => '',
    },
    {
      ...ref,
      end,
      endedAt: api.clock.now(),
      answeredAt: end.kind === 'answered' ? api.clock.now() - 1000 : null,
      hangupBy: null,
      sipCallId: null,
      sipCode,
      reason: null,
      result: null,
    },
  );

/** Counts the campaign's calls by status, from the calls themselves. */
export async function recount(db: Db, campaignId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::int as n from calls where campaign_id = ${campaignId} group by status`.execute(
    db,
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}
