import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Calls per second of each trunk that has a pace. */
export async function trunkPaces(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; perSecond: number }>`
    select id, (settings ->> 'calls_per_second')::float8 as "perSecond" from trunks
    where (settings ->> 'calls_per_second')::float8 > 0`.execute(db);
  return new Map(rows.map((row) => [row.id, row.perSecond]));
}
