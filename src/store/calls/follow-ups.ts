import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { storable } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';

/** Who marked a call as done, and when. */
export interface FollowUp {
  readonly doneBy: string;
  readonly doneAt: Date;
}

/** Null: nobody marked the call as done. */
export async function findFollowUp(db: Db, workspaceId: string, callId: string): Promise<FollowUp | null> {
  const { rows } = await sql<FollowUp>`
    select done_by as "doneBy", done_at as "doneAt" from call_follow_ups
    where workspace_id = ${workspaceId} and call_id = ${callId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Marks a call as done; the first mark stays. It reads the call in the same statement, so that the end of the call's
 * month waits for the mark and deletes it.
 */
export async function insertFollowUp(
  tx: Tx,
  workspaceId: string,
  callId: string,
  { doneBy, doneAt }: FollowUp,
): Promise<void> {
  await sql`
    insert into call_follow_ups (workspace_id, call_id, done_by, done_at)
    select workspace_id, id, ${storable(doneBy)}, ${doneAt} from calls
    where workspace_id = ${workspaceId} and id = ${callId}
    on conflict (workspace_id, call_id) do nothing`.execute(tx);
}

/** Takes the mark of a call away, if it has one. */
export async function deleteFollowUp(tx: Tx, workspaceId: string, callId: string): Promise<void> {
  await tx
    .deleteFrom('call_follow_ups')
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .execute();
}

/** Whether the call of a query's row is marked as done. */
export const IS_FOLLOWED_UP: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from call_follow_ups f where f.workspace_id = calls.workspace_id and f.call_id = calls.id)`;
