import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

/** Tables shared by tenants: replicated to every machine of a distributed database. */
const WHOLE = [
  'workspaces',
  'users',
  'sessions',
  'invitations',
  'api_keys',
  'trunks',
  'trunk_registrations',
  'taken_invites',
  'stream_tokens',
  'nodes',
  'installation',
  'link_keys',
  'numbers',
  'number_pools',
  'password_links',
  'account_log',
  'opted_out_key',
];
/** Tables of the program itself: what it has run, digests that wait to leave the database, and counts of strangers. */
const OWN = ['migrations', 'tombstone_queue', 'limit_counts', 'held_counts'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Columns of unique indexes, in order. */
async function uniqueKeys(): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select t.relname as table, array_agg(coalesce(a.attname::text, '(expression)') order by k.position) as columns
    from pg_index i
    join pg_class t on t.oid = i.indrelid and t.relkind = 'r'
    join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
    cross join lateral unnest(i.indkey) with ordinality as k (attnum, position)
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
    where i.indisunique
    group by t.relname, i.indexrelid order by 1`.execute(database.db);
  return rows;
}

/** Foreign keys with the columns of both sides. */
async function foreignKeys(): Promise<{ from: string; to: string; columns: string[]; refers: string[] }[]> {
  const { rows } = await sql<{ from: string; to: string; columns: string[]; refers: string[] }>`
    select c.conrelid::regclass::text as from, c.confrelid::regclass::text as to,
      (select array_agg(a.attname::text order by k.position) from unnest(c.conkey) with ordinality as k (attnum, position)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum) as columns,
      (select array_agg(a.attname::text order by k.position) from unnest(c.confkey) with ordinality as k (attnum, position)
       join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.attnum) as refers
    from pg_constraint c where c.contype = 'f' order by 1`.execute(database.db);
  return rows;
}

const isWhole = (table: string): boolean => WHOLE.includes(table) || OWN.includes(table);

describe('the schema can be distributed by workspace', () => {
  it('every unique key of a tenant table starts with the workspace', async () => {
    const keys = await uniqueKeys();
    expect(keys.filter(({ table }) => table === 'calls')).toContainEqual({
      table: 'calls',
      columns: ['workspace_id', 'id'],
    });
    expect(keys.filter(({ table, columns }) => !isWhole(table) && columns[0] !== 'workspace_id')).toEqual([]);
  });

  it('every foreign key stays within one workspace or references a replicated table', async () => {
    const keys = await foreignKeys();
    expect(keys.length).toBeGreaterThan(10);
    const isWithin = ({ columns, refers }: { columns: string[]; refers: string[] }): boolean =>
      columns[0] === 'workspace_id' && refers[0] === 'workspace_id';
    const across = keys.filter((key) =>
      isWhole(key.from) ? !isWhole(key.to) : !isWhole(key.to) && !isWithin(key),
    );
    expect(across).toEqual([]);
  });
});
