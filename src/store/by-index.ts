import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * Runs statements on tables that are empty most of the time and hold thousands of rows at once. A plan made while such
 * a table is empty reads it as a whole and compares every row with every other, and is kept when it has filled; here
 * rows are joined one by one, each found by an index, whatever the statistics are, and by one plan, whatever is asked
 * for. `later`: the commit need not be on disk when this resolves; it is with the next one that has to.
 */
export function onQueue<R>(db: Db, commit: 'now' | 'later', run: (tx: Tx) => Promise<R>): Promise<R> {
  return db.transaction().execute(async (tx) => {
    await (commit === 'now' ? BY_INDEX : BY_INDEX_LATER).execute(tx);
    return run(tx);
  });
}

const SETTINGS = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`;
const BY_INDEX = sql`/* hot:by_index */ select ${SETTINGS}`;
const BY_INDEX_LATER = sql`/* hot:by_index_later */
  select ${SETTINGS}, set_config('synchronous_commit', 'off', true)`;
