import { sql } from 'kysely';
import type { AttemptKey, AttemptRef } from './attempts.ts';
import type { Db, Tx } from '../database.ts';
import { hintDue } from '../scheduler/hints.ts';
import type { AgentType, JsonObject } from '../schema.ts';
import { settingsOf } from '../terms.ts';

/** What a callback inherits from the call that requested it. */
export interface CallbackSource {
  readonly numberId: string | null;
  readonly calleeName: string;
  readonly voiceId: string | null;
  readonly category: string | null;
  /** The call's own webhook receiver, not its campaign's. */
  readonly callback: object | null;
  readonly agentType: AgentType;
  readonly isAgentArchived: boolean;
  /** The callee is on the do-not-call list of the workspace or the campaign. */
  readonly isDoNotCall: boolean;
  /** The call already has a callback. */
  readonly isScheduled: boolean;
  /** The call is a callback itself. */
  readonly isCallback: boolean;
  /** Settings of the workspace. */
  readonly settings: JsonObject;
}

/** Reads a locked call; `to` is the callback's callee. */
export async function readCallbackSource(
  tx: Tx,
  workspaceId: string,
  callId: string,
  to: string,
): Promise<CallbackSource | null> {
  const { rows } = await sql<CallbackSource>`
    select c.number_id as "numberId", c.callee_name as "calleeName", c.voice_id as "voiceId", c.category,
           c.callback, a.agent_type as "agentType", a.archived_at is not null as "isAgentArchived",
           c.callback_call_id is not null as "isScheduled", ${settingsOf('w')} as settings,
           exists (select from calls p where p.workspace_id = c.workspace_id and p.id = c.parent_call_id
                     and p.callback_call_id = c.id) as "isCallback",
           exists (select from do_not_call d where d.workspace_id = c.workspace_id and d.number = ${to})
             or exists (select from campaign_do_not_call d
                        where d.workspace_id = c.workspace_id and d.campaign_id = coalesce(c.campaign_id, c.origin_campaign_id)
                          and d.number = ${to})
             as "isDoNotCall"
    from calls c join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspaceId} and c.id = ${callId}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Lowers the workspace's scheduling hint to `due` and locks the origin campaign FOR SHARE until commit. False if it is
 * terminated. A transaction that terminates it therefore either finds the callback by its origin or prevents it. Lock
 * order: workspace, campaign.
 */
export async function holdCampaign(
  tx: Tx,
  workspaceId: string,
  campaignId: string | null,
  due: Date,
): Promise<boolean> {
  await hintDue(tx, workspaceId, due);
  if (campaignId === null) return true;
  const { rows } = await sql<{ state: string }>`
    select state from campaigns where workspace_id = ${workspaceId} and id = ${campaignId} for share`.execute(
    tx,
  );
  return rows[0] !== undefined && rows[0].state !== 'terminated';
}

/** Whether the workspace has ever dialled a number with this prefix. */
export async function hasDialled(tx: Tx, workspaceId: string, prefix: string): Promise<boolean> {
  // The range bounds use the index; `starts_with` is exact in every collation.
  const { rows } = await sql`
    select from call_attempts where workspace_id = ${workspaceId} and to_number >= ${prefix}
      and to_number <= ${`${prefix}9999999999999999`} and starts_with(to_number, ${prefix})
      and dialed_at is not null limit 1`.execute(tx);
  return rows.length > 0;
}

/** The number of callbacks to `number` that are queued or were attempted since `since`. */
export async function countCallbacks(
  tx: Tx,
  workspaceId: string,
  number: string,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select id from calls
          where workspace_id = ${workspaceId} and to_number = ${number} and status in ('registered', 'retry')
          union
          select call_id from call_attempts
          where workspace_id = ${workspaceId} and to_number = ${number} and claimed_at > ${since}) recent
    join calls c on c.workspace_id = ${workspaceId} and c.id = recent.id
    join calls p on p.workspace_id = c.workspace_id and p.id = c.parent_call_id and p.callback_call_id = c.id`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Links a call to the callback that was scheduled for it. */
export async function noteCallback(
  tx: Tx,
  workspaceId: string,
  callId: string,
  scheduledId: string,
): Promise<void> {
  await sql`update calls set callback_call_id = ${scheduledId}
    where workspace_id = ${workspaceId} and id = ${callId}`.execute(tx);
}

export interface EndedOrigin {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly isTerminated: boolean;
}

/** Campaigns of all workspaces that are terminated or past their end time and still have queued callbacks. */
export async function endedOrigins(db: Db, now: Date): Promise<EndedOrigin[]> {
  const { rows } = await sql<EndedOrigin>`
    select distinct l.workspace_id as "workspaceId", l.id as "campaignId", l.state = 'terminated' as "isTerminated"
    from calls c join campaigns l on l.workspace_id = c.workspace_id and l.id = c.origin_campaign_id
    where c.origin_campaign_id is not null and c.status in ('registered', 'retry')
      and (l.state = 'terminated' or l.end_at <= ${now})`.execute(db);
  return rows;
}

/** Journals the callback time promised to the callee. No effect after the attempt has ended. */
export async function journalCallback(db: Db, ref: AttemptRef, at: Date): Promise<void> {
  await sql`update call_attempts set callback_at = ${at}
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and node_id = ${ref.nodeId} and status <> 'ended'`.execute(db);
}

/** The last callback time journalled, epoch ms; null: none. */
export async function journalledCallback(tx: Tx, ref: AttemptKey): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`select callback_at as at from call_attempts
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    tx,
  );
  return rows[0]?.at?.getTime() ?? null;
}
