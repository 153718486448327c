import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Which calls of a workspace are meant. */
export type CallScope =
  /** The agent's individual calls: those of its campaigns stand and fall with them. */
  | { readonly agentId: string }
  | { readonly callIds: readonly string[] }
  /** The calls of a campaign, and the callbacks that were asked for in them. */
  | { readonly laneId: string; readonly numbers?: readonly string[] }
  /** The callbacks alone. */
  | { readonly callbacksOf: string }
  | { readonly numbers: readonly string[] };

const ofLane = (laneId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(lane_id = ${laneId} and lane_id is not null
    or origin_lane_id = ${laneId} and origin_lane_id is not null)`;

function inScope(scope: CallScope): RawBuilder<SqlBool> {
  if ('agentId' in scope) return sql<SqlBool>`agent_id = ${scope.agentId} and lane_id is null`;
  if ('laneId' in scope) {
    const lane = ofLane(scope.laneId);
    return scope.numbers === undefined ? lane : sql<SqlBool>`${lane} and to_number = any(${scope.numbers})`;
  }
  if ('callbacksOf' in scope) {
    return sql<SqlBool>`origin_lane_id = ${scope.callbacksOf} and origin_lane_id is not null`;
  }
  if ('callIds' in scope) return sql<SqlBool>`id = any(${scope.callIds}::uuid[])`;
  return sql<SqlBool>`to_number = any(${scope.numbers})`;
}

/**
 * Ids of at most `take` calls in scope that nobody was rung for yet: queued ones, and those a dialer has claimed
 * without its journal saying that it dials.
 */
export async function findUndialled(
  tx: Tx,
  workspaceId: string,
  scope: CallScope,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and status in ('registered', 'retry') and ${inScope(scope)}
    union all
    select id from calls
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound'
      and dialed_at is null and ${inScope(scope)}
    limit ${take}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Live calls in scope are not tried again after their attempt under way. */
export async function withdrawRetries(db: Db, workspaceId: string, scope: CallScope): Promise<void> {
  await sql`
    update calls set no_retry = true
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound' and not no_retry
      and ${inScope(scope)}`.execute(db);
}

/**
 * Ids of at most `take` calls of a campaign that wait to be dialled. In the order of their queue, so that it is read
 * along its index and not through the calls that have ended.
 */
export async function waitingInLane(
  tx: Tx,
  workspaceId: string,
  laneId: string,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and lane_id = ${laneId} and lane_id is not null
      and status in ('registered', 'retry')
    order by next_attempt_at limit ${take}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Ids of the campaign's calls and callbacks that a dialer has claimed without its journal saying that it dials. */
export async function claimedInLane(tx: Tx, workspaceId: string, laneId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and ${ofLane(laneId)}
      and status = 'ongoing' and call_type = 'outbound' and dialed_at is null
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}

/** Whether the INVITE of a call in scope may still be on its way out: journalled since, and nothing heard of it. */
export async function isInviteLeaving(
  db: Db,
  workspaceId: string,
  scope: CallScope,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from calls
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound'
      and dialed_at >= ${since} and sub_status = 'QUEUED' and ${inScope(scope)}
      and not exists (select from call_attempts a
                      where a.workspace_id = ${workspaceId} and a.call_id = calls.id
                        and a.attempt = calls.attempt and a.sent_at is not null)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Which of these ids are calls of the workspace. */
export async function knownCalls(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from calls where workspace_id = ${workspaceId} and id = any(${callIds}::uuid[])`.execute(db);
  return new Set(rows.map((row) => row.id));
}
