import type { Db, Tx } from '../database.ts';
import { SUFFIX } from './month.ts';
import { run, type MonthlyTable } from './tables.ts';

/** A primary key, unique key or foreign key of a table that becomes one of months. */
export interface Constraint {
  readonly name: string;
  readonly kind: 'p' | 'u' | 'f';
  /** As it stands over all months: a key names the column that tells the month. */
  readonly text: string;
  /** The columns of a key that did not name it; null: the constraint stays as it was. */
  readonly widened: string | null;
}

export async function constraintsOf(db: Db, { name, key }: MonthlyTable): Promise<Constraint[]> {
  const rows = await run<{ name: string; kind: Constraint['kind']; text: string; hasKey: boolean }>(
    db,
    `select c.conname::text as name, c.contype::text as kind, pg_get_constraintdef(c.oid) as text,
       exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attname = '${key}'
         and a.attnum = any (c.conkey)) as "hasKey"
     from pg_constraint c where c.conrelid = '${name}'::regclass and c.contype in ('p', 'u', 'f') order by 1`,
  );
  return rows.map(({ hasKey, ...constraint }) => {
    if (hasKey || constraint.kind === 'f') return { ...constraint, widened: null };
    const text = constraint.text.replace(/\)$/, `, ${key})`);
    return { ...constraint, text, widened: text.slice(text.indexOf('(')) };
  });
}

/** Builds, beside the writers, the index of each widened key that the rows of before will have. */
export async function prepareKeys(db: Db, table: string, constraints: readonly Constraint[]): Promise<void> {
  for (const { name, widened } of constraints) {
    if (widened === null) continue;
    await run(db, `drop index concurrently if exists ${name}${SUFFIX}`);
    await run(db, `create unique index concurrently ${name}${SUFFIX} on ${table} ${widened}`);
  }
}

/** Gives the constraints of the rows of before their names, and widened keys their index. */
export async function keepConstraints(
  tx: Tx,
  before: string,
  constraints: readonly Constraint[],
): Promise<void> {
  for (const { name, kind, widened } of constraints) {
    if (widened === null) {
      await run(tx, `alter table ${before} rename constraint ${name} to ${name}${SUFFIX}`);
      continue;
    }
    await run(tx, `alter table ${before} drop constraint ${name}`);
    await run(
      tx,
      `alter table ${before} add constraint ${name}${SUFFIX}
       ${kind === 'p' ? 'primary key' : 'unique'} using index ${name}${SUFFIX}`,
    );
  }
}
