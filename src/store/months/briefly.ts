import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../database.ts';
import { run } from './tables.ts';

/** Below the second after which PostgreSQL looks for deadlocks: a change gives way before a request would be cancelled. */
const LOCK_TIMEOUT_MS = 500;
/** The queries that waited behind the change run meanwhile. */
const RETRY_PAUSE_MS = 500;
const RETRY_FOR_MS = 300_000;
/** SQLSTATEs of a lock timeout and of a deadlock. */
const IN_THE_WAY: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/** Runs a change of the schema that waits at most half a second for each lock, and again until none is in its way. */
export async function briefly(db: Db, what: string, change: (tx: Tx) => Promise<void>): Promise<void> {
  const until = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await db.transaction().execute(async (tx) => {
        await run(tx, `set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await change(tx);
      });
    } catch (error) {
      const isInTheWay = IN_THE_WAY.has((error as { readonly code?: unknown }).code);
      if (!isInTheWay || performance.now() > until) throw new Error(`${what} failed.`, { cause: error });
    }
    await sleep(RETRY_PAUSE_MS);
  }
}
