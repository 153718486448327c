import { sql } from 'kysely';
import type { CallOrder } from '../../shared/call-order.ts';
import type { Db } from '../database.ts';
import { QUEUE_CHANNEL } from '../scheduler/hints.ts';

/** What a person of the workspace wants of a live call that another process carries. */
export interface SentOrder {
  readonly workspaceId: string;
  readonly callId: string;
  readonly order: CallOrder;
}

/**
 * Notifies the process that carries the answered call, and stores nothing; false if no unfenced process carries it. Every
 * process that listens gets the notification, and the one that has the call acts.
 */
export async function sendOrder(db: Db, sent: SentOrder): Promise<boolean> {
  const { rows } = await sql`
    select pg_notify(${QUEUE_CHANNEL}, ${JSON.stringify(sent)})
    from calls c join nodes n on n.id = c.node_id and n.fenced_at is null
    where c.workspace_id = ${sent.workspaceId} and c.id = ${sent.callId} and c.status = 'ongoing'
      and c.answered_at is not null`.execute(db);
  return rows.length === 1;
}

/** The order in a notification; null: it is a wake, or of a version that writes others. */
export function orderIn(payload: string): SentOrder | null {
  if (payload === '') return null;
  try {
    const { workspaceId, callId, order } = JSON.parse(payload) as Partial<SentOrder>;
    const isWhole = typeof workspaceId === 'string' && typeof callId === 'string';
    return isWhole && typeof order?.operation === 'string' ? { workspaceId, callId, order } : null;
  } catch {
    return null;
  }
}
