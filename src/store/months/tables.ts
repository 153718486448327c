import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { wallsOf } from '../walls.ts';
import { beginningOf, leastId, otherOf, partOf, type Month } from './month.ts';

/** A table whose rows belong to the month of a call. */
export interface MonthlyTable {
  readonly name: string;
  /** The column with the call's id: a UUID v7, so its order is that of time. */
  readonly key: string;
  /** Storage settings of each month: the table over them can have none. */
  readonly settings: string;
}

/** The tables that grow with each call. The ledger is for ever, and `deliveries` ends with the delivery log. */
export const MONTHLY: readonly MonthlyTable[] = [
  { name: 'calls', key: 'id', settings: ' with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)' },
  { name: 'call_attempts', key: 'call_id', settings: '' },
  { name: 'call_records', key: 'call_id', settings: '' },
  // With those of chats, which have such ids, too.
  { name: 'events', key: 'call_id', settings: '' },
];

/** Runs a statement whose text has names and ids of this folder only. */
export const run = async <Row>(db: Db, text: string): Promise<Row[]> =>
  (await sql.raw<Row>(text).execute(db)).rows;

/** Whether the table consists of months. */
export async function isSplit(db: Db, name: string): Promise<boolean> {
  const rows = await run<{ kind: string }>(
    db,
    `select relkind::text as kind from pg_class where oid = to_regclass('${name}')`,
  );
  return rows[0]?.kind === 'p';
}

/** Gives new tables their policies, and the roles their new sequences, if the others have theirs. */
export async function wall(
  tx: Tx,
  tables: readonly string[],
  sequences: readonly string[] = [],
): Promise<void> {
  const [workspaces] = await run<{ isWalled: boolean }>(
    tx,
    `select relrowsecurity as "isWalled" from pg_class where oid = 'workspaces'::regclass`,
  );
  if (workspaces?.isWalled === true) await run(tx, wallsOf(tables, sequences));
}

/** Adds the table of a month. Rows of the month that came before it move there. */
export async function addMonth(tx: Tx, { name, key, settings }: MonthlyTable, month: Month): Promise<void> {
  const [part, other] = [partOf(name, month), otherOf(name)];
  const [from, to] = [leastId(beginningOf(month)), leastId(beginningOf(month, 1))];
  const inMonth = `${key} >= '${from}' and ${key} < '${to}'`;
  const isLate = (await run(tx, `select from ${other} where ${inMonth} limit 1`)).length > 0;
  if (isLate) {
    await run(tx, `lock table ${name} in access exclusive mode`);
    await run(tx, `create temporary table late on commit drop as select * from ${other} where ${inMonth}`);
    await run(tx, `alter table ${other} disable trigger user`);
    await run(tx, `delete from ${other} where ${inMonth}`);
    await run(tx, `alter table ${other} enable trigger user`);
  }
  await run(
    tx,
    `create table ${part} partition of ${name} for values from ('${from}') to ('${to}')${settings}`,
  );
  if (isLate) {
    await run(tx, `alter table ${part} disable trigger user`);
    await run(tx, `insert into ${part} select * from late`);
    await run(tx, `alter table ${part} enable trigger user`);
    await run(tx, 'drop table late');
  }
  await wall(tx, [part]);
}
