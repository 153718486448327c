import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** NOTIFY channel of the scheduler's wake, and of orders for live calls, which are its payload. Dialers also poll every second, or every five seconds (`scheduler/idle-sleep`), so a lost notification costs at most that. */
export const QUEUE_CHANNEL = 'callwright_queue';

/**
 * Wakes the dialers of every process. Not for hot transactions: a NOTIFY takes a database-wide lock at commit. Callers
 * send at most about ten a second.
 */
export async function notifyQueue(db: Db): Promise<void> {
  await sql`select pg_notify(${QUEUE_CHANNEL}, '')`.execute(db);
}

/**
 * Lowers the scheduling hints (`next_due_at`) of the workspace and of the call's campaign to `due`. Lock order:
 * workspace, campaign. Updates the rows even if the hint stays the same: the row lock serialises this transaction with
 * a claim whose snapshot lacks the new call and which would raise the hint past it.
 */
export async function hintDue(
  tx: Db,
  workspaceId: string,
  due: Date,
  campaignId: string | null = null,
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ next_due_at: sql<Date>`least(next_due_at, ${due})` })
    .where('id', '=', workspaceId)
    .execute();
  if (campaignId === null) return;
  await tx
    .updateTable('campaigns')
    .set({ next_due_at: sql<Date>`least(next_due_at, ${due})` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .execute();
}
