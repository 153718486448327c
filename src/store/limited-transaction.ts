import { sql } from 'kysely';
import type { Scheduler } from '../shared/clock.ts';
import type { Db, Tx } from './database.ts';

/** The server may receive a cancellation between two statements, where it has no effect. */
const CANCEL_AGAIN_MS = 1000;

/**
 * Runs `work` in a transaction that may last `ms`. Then the server cancels the statement under way, so that the transaction
 * rejects and rolls back, and its connection and locks are free again.
 */
export function limitedTransaction<T>(
  db: Db,
  limit: { readonly ms: number; readonly scheduler: Scheduler },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Session>`select pg_backend_pid() as pid, now()::text as began`.execute(tx);
    const [session] = rows;
    if (session === undefined) throw new Error('the server has no session');
    let sent: Promise<unknown> = Promise.resolve();
    const cancel = (): void => {
      sent = cancelStatement(db, session).catch(() => undefined);
      disarm = limit.scheduler.after(CANCEL_AGAIN_MS, cancel);
    };
    let disarm = limit.scheduler.after(limit.ms, cancel);
    try {
      return await work(tx);
    } finally {
      disarm();
      // A cancellation under way must not reach the statement that ends the transaction.
      await sent;
    }
  });
}

interface Session {
  readonly pid: number;
  readonly began: string;
}

/** Has no effect on a later transaction of the same connection. */
async function cancelStatement(db: Db, { pid, began }: Session): Promise<void> {
  await sql`select pg_cancel_backend(pid) from pg_stat_activity
    where pid = ${pid} and xact_start = ${began}::timestamptz`.execute(db);
}
