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

/** A process's count of something that it holds, such as open streams. `key`: SHA-256 of the limited workspace. */
export interface HeldRow {
  readonly name: string;
  readonly key: string;
  readonly count: number;
}

/** Stores the counts of a process, which expire at `endsAt`, and returns the counts of the other processes for the same keys. */
export async function shareHeldCounts(
  db: Db,
  process: string,
  held: readonly HeldRow[],
  at: { readonly now: Date; readonly endsAt: Date },
): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    with mine as (
      select c.name, c.key, c.count
      from unnest(${held.map(({ name }) => name)}::text[], ${held.map(({ key }) => key)}::text[],
        ${held.map(({ count }) => count)}::int[]) as c (name, key, count)),
    stored as (
      insert into held_counts as h (name, key, process, count, ends_at)
      select name, key, ${process}::uuid, count, ${at.endsAt}::timestamptz from mine
      on conflict (name, key, process) do update set count = excluded.count, ends_at = excluded.ends_at)
    select m.name, m.key, coalesce(sum(o.count), 0)::int as count from mine m
    left join held_counts o on o.name = m.name and o.key = m.key and o.process <> ${process}::uuid
      and o.ends_at > ${at.now}
    group by m.name, m.key`.execute(db);
  return rows;
}

/** Deletes the counts of a process that stops. */
export async function dropHeldCounts(db: Db, process: string): Promise<void> {
  await sql`delete from held_counts where process = ${process}`.execute(db);
}

/** Deletes windows that are over, and the counts of dead processes. */
export async function pruneLimitCounts(db: Db, at: Date): Promise<void> {
  await sql`delete from limit_counts where ends_at <= ${at}`.execute(db);
  await sql`delete from held_counts where ends_at <= ${at}`.execute(db);
}
