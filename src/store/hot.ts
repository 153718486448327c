import type { Compilable } from 'kysely';
import type { Db } from './database.ts';

/**
 * Runs a query whose text is prepared once per connection under `name`, which stands for that one text: what varies in
 * the text must be in the name.
 */
export async function runHot<R>(db: Db, name: string, query: Compilable<R>): Promise<R[]> {
  const compiled = query.compile();
  const { rows } = await db.executeQuery<R>({ ...compiled, sql: `/* hot:${name} */ ${compiled.sql}` });
  return rows;
}
