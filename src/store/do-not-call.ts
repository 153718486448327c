import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** Adds a number to the workspace's do-not-call list; the first reason stays. */
export async function addDoNotCall(
  tx: Tx,
  workspaceId: string,
  number: string,
  reason: string,
  at: Date,
): Promise<void> {
  await sql`insert into do_not_call (workspace_id, number, reason, created_at)
    values (${workspaceId}, ${number}, ${reason}, ${at}) on conflict do nothing`.execute(tx);
}

export async function isDoNotCall(tx: Tx, workspaceId: string, number: string): Promise<boolean> {
  const { rows } = await sql`select from do_not_call
    where workspace_id = ${workspaceId} and number = ${number}`.execute(tx);
  return rows.length > 0;
}

/** Ids of the calls that wait in the queue to ring `number`, in a fixed order so that lockers never cross. */
export async function queuedTo(tx: Tx, workspaceId: string, number: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from calls
    where workspace_id = ${workspaceId} and to_number = ${number} and status in ('registered', 'retry')
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}
