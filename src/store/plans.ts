import { sql, type Compilable } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * Runs a query as a statement prepared once per connection under `name`. A name stands for one text, so every part of
 * the text that varies must also be in the name.
 */
export async function runHot<R>(db: Db, name: string, query: Compilable<R>): Promise<R[]> {
  const compiled = query.compile();
  const { rows } = await db.executeQuery<R>({ ...compiled, sql: `/* hot:${name} */ ${compiled.sql}` });
  return rows;
}

/**
 * Runs statements on queue tables in a transaction whose plans use index lookups and nested loops only. A queue table
 * is empty most of the time and holds thousands of rows in a burst: a plan made while it is empty chooses a sequential
 * scan and a quadratic join, and stays cached when the table fills. `force_generic_plan` plans once for all parameters.
 * `later`: commits without waiting for the WAL flush; the next synchronous commit flushes it too.
 */
export function withIndexPlans<R>(db: Db, commit: 'now' | 'later', run: (tx: Tx) => Promise<R>): Promise<R> {
  return db.transaction().execute(async (tx) => {
    await (commit === 'now' ? INDEX_PLANS : INDEX_PLANS_LATER).execute(tx);
    return run(tx);
  });
}

const SETTINGS = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`;

const INDEX_PLANS = sql`/* hot:index_plans */ select ${SETTINGS}`;

const INDEX_PLANS_LATER = sql`/* hot:index_plans_later */
  select ${SETTINGS}, set_config('synchronous_commit', 'off', true)`;
