import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Tx } from '../database.ts';
import { REGISTER, type PersonalTable, type RetentionSetting } from './register/register.ts';

/** What is redacted: the columns of some retention settings, or everything that the register erases. */
export type Scope = readonly RetentionSetting[] | 'everything';

interface Redaction {
  readonly table: string;
  readonly id: string;
  /** Assignments; null: the rows are deleted. */
  readonly set: RawBuilder<unknown> | null;
  readonly isChanged: RawBuilder<SqlBool>;
  readonly stamp: string | null;
}

/**
 * Redacts what the register has of these calls or chats, table by table. Columns with code of their own, such as those of
 * events, are left to it. Rows that have nothing left to redact are not written.
 */
export async function redact(
  tx: Tx,
  by: 'call' | 'chat',
  workspaceId: string,
  ids: readonly string[],
  scope: Scope,
  at: Date,
): Promise<void> {
  for (const { table, id, set, isChanged, stamp } of redactionsOf(by, scope)) {
    const isTheirs = sql`workspace_id = ${workspaceId} and ${sql.ref(id)} = any(${[...ids]}::uuid[])`;
    if (set === null) await sql`delete from ${sql.table(table)} where ${isTheirs}`.execute(tx);
    else {
      const stamped = stamp === null ? sql`` : sql`, ${sql.ref(stamp)} = ${at}`;
      await sql`update ${sql.table(table)} set ${set}${stamped} where ${isTheirs} and (${isChanged})`.execute(
        tx,
      );
    }
  }
}

const built = new Map<string, readonly Redaction[]>();

function redactionsOf(by: 'call' | 'chat', scope: Scope): readonly Redaction[] {
  const key = `${by} ${String(scope)}`;
  const known = built.get(key);
  if (known !== undefined) return known;
  const made = Object.entries(REGISTER).flatMap(([table, entry]) => redactionOf(table, entry, by, scope));
  built.set(key, made);
  return made;
}

function redactionOf(
  table: string,
  entry: PersonalTable,
  by: 'call' | 'chat',
  scope: Scope,
): readonly Redaction[] {
  const id = entry[by];
  if (id === undefined) return [];
  const columns = Object.entries(entry.columns).filter(
    ([, { retention }]) => scope === 'everything' || (retention !== null && scope.includes(retention)),
  );
  const stamp = entry.stamp ?? null;
  if (columns.some(([, { erasing }]) => erasing === 'row')) {
    return [{ table, id, set: null, isChanged: sql<SqlBool>`true`, stamp }];
  }
  const changes = columns.flatMap(([column, { erasing }]) =>
    erasing !== 'row' && 'set' in erasing ? [{ column, to: sql.raw(erasing.set) }] : [],
  );
  if (changes.length === 0) return [];
  return [
    {
      table,
      id,
      stamp,
      set: sql.join(changes.map(({ column, to }) => sql`${sql.ref(column)} = ${to}`)),
      isChanged: sql<SqlBool>`${sql.join(
        changes.map(({ column, to }) => sql`${sql.ref(column)} is distinct from (${to})`),
        sql` or `,
      )}`,
    },
  ];
}
