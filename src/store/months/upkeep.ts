import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { briefly } from './briefly.ts';
import {
  beforeOf,
  beginningOf,
  leastId,
  monthOf,
  monthOfId,
  monthsUntilAhead,
  partOf,
  type Month,
} from './month.ts';
import { CALLS_SINCE, OVER_BEFORE } from './since.ts';
import { addMonth, isSplit, MONTHLY, run } from './tables.ts';

/** A part of the table of calls whose rows end at a month. */
export interface Part {
  readonly name: string;
  /** The first month after its rows. */
  readonly until: Month;
}

/** The parts of `calls`, oldest first, but the one for rows that no other takes; empty: it is one table. */
export async function partsOfCalls(db: Db): Promise<Part[]> {
  const rows = await run<{ name: string; bound: string }>(
    db,
    `select c.relname::text as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)') as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass('calls') and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by 2`,
  );
  return rows.map(({ name, bound }) => ({ name, until: monthOfId(bound) }));
}

/** Adds the missing tables of this month and those ahead. */
export async function addMonths(db: Db, now: Date): Promise<void> {
  for (const table of MONTHLY) {
    if (!(await isSplit(db, table.name))) continue;
    const [before] = await run<{ until: string }>(
      db,
      `select substring(pg_get_expr(relpartbound, oid) from 'TO \\(''([^'']+)') as until
       from pg_class where oid = to_regclass('${beforeOf(table.name)}')`,
    );
    const first =
      [monthOf(now), ...(before === undefined ? [] : [monthOfId(before.until)])].sort().at(-1) ?? '';
    for (const month of monthsUntilAhead(first, now)) {
      const part = partOf(table.name, month);
      const exists = await run(db, `select from pg_class where oid = to_regclass('${part}')`);
      if (exists.length === 0) await briefly(db, part, (tx) => addMonth(tx, table, month));
    }
  }
}

/** Whether a part of `calls` has a call that waits or is live. */
async function hasWaitingCalls(db: Db, name: string): Promise<boolean> {
  // Each line has an index.
  const [row] = await run<{ isWaiting: boolean }>(
    db,
    `select exists (select from ${name} where status = 'ongoing')
       or exists (select from ${name} where status in ('registered', 'retry') and campaign_id is null)
       or exists (select from ${name} where status in ('registered', 'retry') and campaign_id is not null)
       as "isWaiting"`,
  );
  return row?.isWaiting === true;
}

/** How long after its id was made a call may be stored. */
const STORED_WITHIN_MS = 7 * 86_400_000;

/** Notes the latest month before which all calls are over, so that claims look into none. A call that is over never waits again. */
export async function noteOpenSince(db: Db, now: Date): Promise<void> {
  const latest = monthOf(new Date(now.getTime() - STORED_WITHIN_MS));
  let since: Month | null = null;
  for (const { name, until } of await partsOfCalls(db)) {
    if (until > latest || (await hasWaitingCalls(db, name))) break;
    since = until;
  }
  if (since === null) return;
  await sql`insert into installation (key, value, created_at)
    values (${OVER_BEFORE + since}, ${leastId(beginningOf(since))}, ${now}) on conflict (key) do nothing`.execute(
    db,
  );
}

/** Whether a part of `calls` has a call that waits or is live, or one up to its end has an event that is still to be delivered. */
export async function hasOpenCalls(db: Db, { name, until }: Part): Promise<boolean> {
  if (await hasWaitingCalls(db, name)) return true;
  const [row] = await run<{ isOpen: boolean }>(
    db,
    `select exists (select from delivery_queue where call_id < '${leastId(beginningOf(until))}') as "isOpen"`,
  );
  return row?.isOpen === true;
}

/**
 * Queues up to `take` recordings a workspace of calls before `month` for deletion. Returns how many it found, those whose files
 * are not gone yet included.
 */
export async function deleteRecordings(db: Db, month: Month, now: Date, take: number): Promise<number> {
  const before = leastId(beginningOf(month));
  const { rows } = await sql<{ left: number }>`
    with old as materialized (
      select f.workspace_id, f.call_id, f.attempt, f.state from workspaces w
      cross join lateral (
        select workspace_id, call_id, attempt, state from recording_files
        where workspace_id = w.id and call_id < ${before} order by call_id limit ${take}) f),
    marked as (
      update recording_files f set state = 'delete', due_at = ${now} from old
      where f.workspace_id = old.workspace_id and f.call_id = old.call_id and f.attempt = old.attempt
        and old.state <> 'delete')
    select count(*)::int as left from old`.execute(db);
  return rows[0]?.left ?? 0;
}

/** Drops everything before `month`, which is where a part ends, and notes since when calls are kept. */
export function dropBefore(db: Db, month: Month, now: Date): Promise<void> {
  return briefly(db, `The end of the months before ${month}`, async (tx) => {
    for (const { name } of MONTHLY) await dropParts(tx, name, month);
    const before = leastId(beginningOf(month));
    for (const name of ['call_listeners', 'call_checks', 'call_findings', 'call_follow_ups'])
      await sql`delete from ${sql.table(name)} where call_id < ${before}`.execute(tx);
    // Along the index of a workspace's calls: the delivery log mostly ended before the month does, and there are none.
    await sql`
      delete from deliveries d using workspaces w
      where d.workspace_id = w.id and d.call_id < ${before}`.execute(tx);
    await sql`delete from rehearsals where source_id < ${before}`.execute(tx);
    await sql`
      insert into installation (key, value, created_at) values (${CALLS_SINCE}, ${`${month}-01`}, ${now})
      on conflict (key) do update set value = excluded.value, created_at = excluded.created_at`.execute(tx);
  });
}

async function dropParts(tx: Tx, table: string, month: Month): Promise<void> {
  const old = await run<{ name: string }>(
    tx,
    `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass('${table}')
       and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)') <= '${leastId(beginningOf(month))}'`,
  );
  for (const { name } of old) await run(tx, `drop table ${name}`);
}
