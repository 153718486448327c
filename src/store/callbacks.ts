import { sql } from 'kysely';
import type { AttemptRef } from './attempts.ts';
import type { Db, Tx } from './database.ts';
import { hintDue } from './new-call.ts';
import type { AgentType } from './schema.ts';

/** What a callback takes over from the call in which it was asked for. */
export interface CallbackSource {
  readonly numberId: string | null;
  readonly calleeName: string;
  readonly voiceId: string | null;
  readonly category: string | null;
  /** The call's own receiver, not its campaign's. */
  readonly callback: object | null;
  readonly agentType: AgentType;
  readonly isAgentArchived: boolean;
  /** On the workspace's do-not-call list, or its campaign's. */
  readonly isDoNotCall: boolean;
  /** One was scheduled before. */
  readonly isScheduled: boolean;
}

/** Reads a call whose row is locked; `to` is whom the callback would ring. */
export async function readCallbackSource(
  tx: Tx,
  workspaceId: string,
  callId: string,
  to: string,
): Promise<CallbackSource | null> {
  const { rows } = await sql<CallbackSource>`
    select c.number_id as "numberId", c.callee_name as "calleeName", c.voice_id as "voiceId", c.category,
           c.callback, a.agent_type as "agentType", a.archived_at is not null as "isAgentArchived",
           c.callback_call_id is not null as "isScheduled",
           exists (select from do_not_call d where d.workspace_id = c.workspace_id and d.number = ${to})
             or exists (select from campaign_do_not_call d
                        where d.workspace_id = c.workspace_id and d.campaign_id = coalesce(c.lane_id, c.origin_lane_id)
                          and d.number = ${to})
             as "isDoNotCall"
    from calls c join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    where c.workspace_id = ${workspaceId} and c.id = ${callId}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Makes room in the schedule for a call due at `due`, then says whether its campaign (`laneId`) still stands: locked
 * until commit, so that one who terminates it finds the callback by its origin or prevents it. Rows in the order workspace, campaign.
 */
export async function holdCampaign(
  tx: Tx,
  workspaceId: string,
  laneId: string | null,
  due: Date,
): Promise<boolean> {
  await hintDue(tx, workspaceId, due);
  if (laneId === null) return true;
  const { rows } = await sql<{ state: string }>`
    select state from campaigns where workspace_id = ${workspaceId} and id = ${laneId} for share`.execute(tx);
  return rows[0] !== undefined && rows[0].state !== 'terminated';
}

/** Notes on the call which one was scheduled in it. */
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
  readonly laneId: string;
  readonly isTerminated: boolean;
}

/** Campaigns of all workspaces that are terminated or out of time while callbacks asked for in them still wait. */
export async function endedOrigins(db: Db, now: Date): Promise<EndedOrigin[]> {
  const { rows } = await sql<EndedOrigin>`
    select distinct l.workspace_id as "workspaceId", l.id as "laneId", l.state = 'terminated' as "isTerminated"
    from calls c join campaigns l on l.workspace_id = c.workspace_id and l.id = c.origin_lane_id
    where c.origin_lane_id is not null and c.status in ('registered', 'retry')
      and (l.state = 'terminated' or l.end_at <= ${now})`.execute(db);
  return rows;
}

/** The person on the line was promised a call at `at`. Not for an attempt that is over. */
export async function journalCallback(db: Db, ref: AttemptRef, at: Date): Promise<void> {
  await sql`update call_attempts set callback_at = ${at}
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and node_id = ${ref.nodeId} and status <> 'ended'`.execute(db);
}

/** When they were promised it last, epoch ms. */
export async function journalledCallback(tx: Tx, ref: AttemptRef): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`select callback_at as at from call_attempts
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    tx,
  );
  return rows[0]?.at?.getTime() ?? null;
}
