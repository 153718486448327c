import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * Runs statements on tables that are empty most of the time and hold thousands of rows at once. A plan made while such
 * a table is empty reads it as a whole, and is kept when it has filled; here every table is read by an index, whatever
 * the statistics say.
 */
export function onQueue<R>(db: Db, run: (tx: Tx) => Promise<R>): Promise<R> {
  return db.transaction().execute(async (tx) => {
    await sql`/* hot:by_index */
      select set_config('enable_seqscan', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
      tx,
    );
    return run(tx);
  });
}
