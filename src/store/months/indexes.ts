import type { Client } from 'pg';

const CREATE =
  /^\s*create (?<unique>unique )?index concurrently (?:if not exists )?(?<name>\w+) on (?<table>\w+)(?<rest>[\s\S]*)$/i;
const DROP = /^\s*drop index concurrently (?:if exists )?(?<name>\w+)\s*$/i;
/** The longest name of PostgreSQL. */
const LONGEST = 63;

/**
 * What a statement of a migration becomes where its table consists of months: an index over them is built concurrently month
 * by month, then put together. Other statements stay.
 */
export async function statementsByMonth(client: Client, statement: string): Promise<readonly string[]> {
  const text = statement.replaceAll(/--.*/g, '');
  const { table, name = '', rest = '', unique } = CREATE.exec(text)?.groups ?? {};
  if (table !== undefined) {
    const parts = await partsOf(client, table);
    if (parts.length === 0) return [statement];
    if (unique !== undefined)
      throw new Error(`${table} is split by month and can have no unique index ${name}.`);
    const indexes = parts.map((part) => ({ part, index: `${part}_${name}`.slice(-LONGEST) }));
    return [
      ...indexes.flatMap(({ part, index }) => [
        `drop index concurrently if exists ${index}`,
        `create index concurrently ${index} on ${part}${rest}`,
      ]),
      `create index ${name} on only ${table}${rest}`,
      ...indexes.map(({ index }) => `alter index ${name} attach partition ${index}`),
    ];
  }
  const dropped = DROP.exec(text)?.groups?.['name'];
  return dropped !== undefined && (await isOverMonths(client, dropped))
    ? [`drop index if exists ${dropped}`]
    : [statement];
}

async function partsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhparent
     where c.oid = to_regclass($1) and c.relkind = 'p' order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function isOverMonths(client: Client, index: string): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    `select relkind::text as kind from pg_class where oid = to_regclass($1)`,
    [index],
  );
  return rows[0]?.kind === 'I';
}
