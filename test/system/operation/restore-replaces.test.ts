import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Target } from '../../../src/store/backup/load.ts';
import { readMigrations } from '../../../src/store/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const routines = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select proname::text as name from pg_proc
    where pronamespace = current_schema()::regnamespace and proname like 'operators_%' order by 1`.execute(
    database.db,
  );
  return rows.map(({ name }) => name);
};

it('a restore replaces a database in which the operator has a procedure, an aggregate and functions of their own', async () => {
  const made = [
    sql`create procedure operators_procedure() language sql as 'select 1'`,
    sql`create aggregate operators_aggregate (bigint) (sfunc = int8pl, stype = bigint)`,
    sql`create function operators_function(calls) returns uuid language sql as 'select $1.id'`,
    // Depends on the table of its body: the drop of the table takes it along.
    sql`create function operators_count() returns bigint begin atomic select count(*) from calls; end`,
  ];
  for (const statement of made) await statement.execute(database.db);
  expect(await routines()).toHaveLength(made.length);
  const target = await Target.open(database.url);
  try {
    const plan = { migrations: await readMigrations(), tables: [], sequences: [], movedToStore: [] };
    await target.load(
      plan,
      () => [Readable.from([''])],
      () => undefined,
    );
  } finally {
    await target.close();
  }
  expect(await routines()).toEqual([]);
});
