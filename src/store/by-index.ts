import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * Runs statements on tables that are empty most of the time and hold thousands of rows at once. A plan made while such
 * a table is empty reads it as a whole and compares every row with every other, and is kept when it has filled; here
 * tables are read by an index and rows joined as `joins` says, whatever the statistics are.
 */
export function onQueue<R>(
  db: Db,
  joins: 'one by one' | 'together',
  run: (tx: Tx) => Promise<R>,
): Promise<R> {
  return db.transaction().execute(async (tx) => {
    const off = joins === 'together' ? 'enable_nestloop' : 'enable_hashjoin';
    await sql`/* hot:by_index */
      select set_config('enable_seqscan', 'off', true), set_config('enable_mergejoin', 'off', true),
             set_config(${off}, 'off', true)`.execute(tx);
    return run(tx);
  });
}
