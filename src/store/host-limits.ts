import { sql } from 'kysely';
import type { Db } from './database.ts';

/** What one process counted under a limit. `key`: SHA-256 of the address, account or key that is limited. */
export interface LimitCount {
  readonly name: string;
  readonly key: string;
  readonly windowMs: number;
  readonly count: number;
}

/** What all processes counted, and how long ago the window began. */
export interface LimitTotal {
  readonly name: string;
  readonly key: string;
  readonly total: number;
  readonly ageMs: number;
}

/** Adds counts, each to the window of its key or to a new one, and returns the totals. */
export async function addLimitCounts(db: Db, counts: readonly LimitCount[], at: Date): Promise<LimitTotal[]> {
  const { rows } = await sql<LimitTotal>`
    insert into limit_counts as l (name, key, since, ends_at, count)
    select c.name, c.key, ${at}, ${at}::timestamptz + c.window_ms * interval '1 ms', c.count
    from unnest(${counts.map(({ name }) => name)}::text[], ${counts.map(({ key }) => key)}::text[],
      ${counts.map(({ windowMs }) => windowMs)}::float8[], ${counts.map(({ count }) => count)}::int[])
      as c (name, key, window_ms, count)
    -- One order for all processes.
    order by 1, 2
    on conflict (name, key) do update set
      since = case when l.ends_at <= ${at} then excluded.since else l.since end,
      ends_at = case when l.ends_at <= ${at} then excluded.ends_at else l.ends_at end,
      count = greatest(0, excluded.count + case when l.ends_at <= ${at} then 0 else l.count end)
    returning l.name, l.key, l.count as total,
      greatest(0, extract(epoch from ${at} - l.since)::float8 * 1000) as "ageMs"`.execute(db);
  return rows;
}

/** Deletes windows that are over. */
export async function pruneLimitCounts(db: Db, at: Date): Promise<void> {
  await sql`delete from limit_counts where ends_at <= ${at}`.execute(db);
}
