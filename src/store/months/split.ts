import type { Db, Tx } from '../database.ts';
import { briefly } from './briefly.ts';
import { constraintsOf, keepConstraints, prepareKeys, type Constraint } from './constraints.ts';
import { giveCounters, takeCounters } from './counters.ts';
import { beforeOf, beginningOf, leastId, monthsUntilAhead, otherOf, SUFFIX, type Month } from './month.ts';
import { addMonth, run, wall, type MonthlyTable } from './tables.ts';

/**
 * Makes a table one of months while the service writes to it. Its rows stay where they are, as the part before `month`: the
 * proof that they all lie before it is read beside the writers, and the change itself moves no row. `db` has no statement
 * timeout. Repeatable after an interruption.
 */
export async function splitTable(db: Db, table: MonthlyTable, month: Month, now: Date): Promise<void> {
  const { name, key } = table;
  const bound = leastId(beginningOf(month));
  const check = checkOf(name);
  await briefly(db, `The bound of ${name}`, async (tx) => {
    await run(tx, `alter table ${name} drop constraint if exists ${check}`);
    await run(tx, `alter table ${name} add constraint ${check} check (${key} < '${bound}') not valid`);
  });
  await run(db, `alter table ${name} validate constraint ${check}`);
  const indexes = await indexesOf(db, name);
  for (const index of indexes.filter(({ isUnique }) => isUnique)) {
    await run(db, `drop index concurrently if exists ${index.name}${SUFFIX}`);
    await run(db, `create index concurrently ${index.name}${SUFFIX} on ${name}${index.rest}`);
  }
  const constraints = await constraintsOf(db, table);
  await prepareKeys(db, name, constraints);
  await briefly(db, `The change of ${name}`, (tx) =>
    change(tx, table, { indexes, constraints, bound, month, now }),
  );
  // Autovacuum analyses each month, and never the table over them.
  await run(db, `analyze ${name}`);
}

const checkOf = (table: string): string => `${table}_before_check`;

interface Index {
  readonly name: string;
  /** Its text behind the name of the table. */
  readonly rest: string;
  /** Over all months it cannot be unique without their key, so it becomes a plain index. */
  readonly isUnique: boolean;
}

/** The indexes that belong to no constraint. */
async function indexesOf(db: Db, table: string): Promise<Index[]> {
  const rows = await run<{ name: string; text: string; isUnique: boolean }>(
    db,
    `select c.relname::text as name, pg_get_indexdef(c.oid) as text, i.indisunique as "isUnique"
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = '${table}'::regclass and c.relname not like '%\\${SUFFIX}'
       and not exists (select from pg_constraint k where k.conindid = c.oid) order by 1`,
  );
  return rows.map(({ text, ...index }) => ({ ...index, rest: text.slice(text.indexOf(' USING ')) }));
}

interface Change {
  readonly indexes: readonly Index[];
  readonly constraints: readonly Constraint[];
  readonly bound: string;
  readonly month: Month;
  readonly now: Date;
}

async function change(tx: Tx, table: MonthlyTable, what: Change): Promise<void> {
  const { indexes, constraints, bound, month, now } = what;
  const { name, key } = table;
  const before = beforeOf(name);
  await run(tx, `lock table ${name} in access exclusive mode`);
  const counters = await takeCounters(tx, name);
  const triggers = await run<{ name: string; text: string }>(
    tx,
    `select tgname::text as name, pg_get_triggerdef(oid) as text from pg_trigger
     where tgrelid = '${name}'::regclass and not tgisinternal order by 1`,
  );
  for (const trigger of triggers) await run(tx, `drop trigger ${trigger.name} on ${name}`);
  await run(tx, `alter table ${name} rename to ${before}`);
  await keepConstraints(tx, before, constraints);
  for (const index of indexes)
    await run(
      tx,
      index.isUnique
        ? `drop index ${index.name}`
        : `alter index ${index.name} rename to ${index.name}${SUFFIX}`,
    );
  await run(
    tx,
    `create table ${name} (like ${before} including defaults including constraints including storage)
     partition by range (${key})`,
  );
  await run(tx, `alter table ${name} drop constraint ${checkOf(name)}`);
  for (const each of constraints)
    await run(tx, `alter table ${name} add constraint ${each.name} ${each.text}`);
  for (const index of indexes) await run(tx, `create index ${index.name} on ${name}${index.rest}`);
  for (const trigger of triggers) await run(tx, trigger.text);
  await run(tx, `alter table ${name} attach partition ${before} for values from (minvalue) to ('${bound}')`);
  await run(tx, `alter table ${before} drop constraint ${checkOf(name)}`);
  await run(tx, `create table ${otherOf(name)} partition of ${name} default`);
  await wall(tx, [name, otherOf(name)], await giveCounters(tx, name, counters));
  for (const each of monthsUntilAhead(month, now)) await addMonth(tx, table, each);
}
