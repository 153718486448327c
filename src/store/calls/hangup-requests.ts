import { sql } from 'kysely';
import type { AttemptRef } from './attempts.ts';
import type { Db } from '../database.ts';

/** Requests a hang-up from the node that carries the call; false if no unfenced node carries it. */
export async function requestHangup(
  db: Db,
  call: { readonly workspaceId: string; readonly callId: string },
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into hangup_requests (workspace_id, call_id, attempt, node_id, requested_at)
    select c.workspace_id, c.id, c.attempt, c.node_id, ${at}
    from calls c join nodes n on n.id = c.node_id and n.fenced_at is null
    where c.workspace_id = ${call.workspaceId} and c.id = ${call.callId} and c.status = 'ongoing'
    on conflict (workspace_id, call_id, attempt) do update set node_id = excluded.node_id`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * The live calls of this node with a hang-up request. Deletes requests for ended calls and those older than `lapsed`.
 */
export async function hangupsOf(db: Db, nodeId: string, lapsed: Date): Promise<AttemptRef[]> {
  const { rows } = await sql<AttemptRef & { isLive: boolean }>`/* hot:hangups_of */
    with request as materialized (
      select h.workspace_id, h.call_id, h.attempt, h.node_id = ${nodeId} and coalesce((
               select c.status = 'ongoing' and c.attempt = h.attempt and c.node_id = h.node_id from calls c
               where c.workspace_id = h.workspace_id and c.id = h.call_id), false) as is_live
      from hangup_requests h where h.node_id = ${nodeId} or h.requested_at < ${lapsed}),
    stale as (
      delete from hangup_requests h using request a
      where not a.is_live and h.workspace_id = a.workspace_id and h.call_id = a.call_id and h.attempt = a.attempt)
    select workspace_id as "workspaceId", call_id as "callId", attempt, ${nodeId}::uuid as "nodeId"
    from request where is_live`.execute(db);
  return rows;
}

/** Deletes a request that is being carried out. */
export async function forgetHangup(db: Db, ref: AttemptRef): Promise<void> {
  await sql`delete from hangup_requests
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    db,
  );
}
