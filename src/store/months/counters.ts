import type { Tx } from '../database.ts';
import { run } from './tables.ts';

interface Counter {
  readonly column: string;
  readonly sequence: string;
  /** The next value. */
  readonly next: string;
}

/**
 * Takes the identity columns of a table off it: before PostgreSQL 17 a part of a table can have none. Call it under a lock that
 * keeps writers out. Returns what `giveCounters` needs.
 */
export async function takeCounters(tx: Tx, table: string): Promise<Counter[]> {
  const columns = await run<{ column: string; sequence: string }>(
    tx,
    `select a.attname::text as column, pg_get_serial_sequence('${table}', a.attname)::regclass::text as sequence
     from pg_attribute a where a.attrelid = '${table}'::regclass and a.attidentity <> '' order by 1`,
  );
  const counters: Counter[] = [];
  for (const { column, sequence } of columns) {
    const [row] = await run<{ next: string }>(tx, `select nextval('${sequence}')::text as next`);
    await run(tx, `alter table ${table} alter column ${column} drop identity`);
    counters.push({ column, sequence, next: row?.next ?? '1' });
  }
  return counters;
}

/** Counts on over all months, by sequences of the same names; returns their names. */
export async function giveCounters(tx: Tx, table: string, counters: readonly Counter[]): Promise<string[]> {
  for (const { column, sequence, next } of counters) {
    await run(tx, `create sequence ${sequence} as bigint start with ${next} owned by ${table}.${column}`);
    await run(tx, `alter table ${table} alter column ${column} set default nextval('${sequence}')`);
  }
  return counters.map(({ sequence }) => sequence);
}
