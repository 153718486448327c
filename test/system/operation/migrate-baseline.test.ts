import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, readMigrations } from '../../../src/store/migrate.ts';
import {
  appliedMigrations,
  migrateToBaseline,
  restore,
  type Installation,
} from '../../helpers/service/upgrade.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await restore('installation-768efba6', { receiver: '127.0.0.1:1', carrier: '127.0.0.1:9' });
});
afterAll(() => installation?.dispose());

async function query(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
/** The definitions of all columns, indexes, constraints and triggers, and how many rows a table of each kind has. */
const state = (): Promise<unknown[]> =>
  query(`select jsonb_build_array(
    (select jsonb_agg(c order by table_name, ordinal_position) from information_schema.columns c
      where table_schema = 'public'),
    (select jsonb_agg(indexdef order by indexname) from pg_indexes where schemaname = 'public'),
    (select jsonb_agg(pg_get_constraintdef(oid) order by oid) from pg_constraint),
    (select jsonb_agg(pg_get_triggerdef(oid) order by oid) from pg_trigger where not tgisinternal),
    (select count(*) from calls), (select count(*) from events), (select count(*) from workspaces)) as state`);

it('a database with only some of the migrations before the baseline is refused, and unchanged', async () => {
  const { databaseUrl } = installation;
  const [before, applied] = [await state(), await appliedMigrations(databaseUrl)];
  expect(applied).toHaveLength(81);
  await query(`create table kept as select * from migrations where name >= '0166'`);
  await query(`delete from migrations where name >= '0166'`);
  await expect(migrate(databaseUrl)).rejects.toThrow(
    'The database is of an earlier development version (its last migration is 0165_child_terms.sql). ' +
      'Start commit 768efba6 on it once, which completes its schema, then this version.',
  );
  expect(await appliedMigrations(databaseUrl)).toHaveLength(79);
  await query('insert into migrations select * from kept');
  await query('drop table kept');
  expect(await state()).toEqual(before);
});

it('a database with all of them gets the baseline as its only migration, and nothing else changes', async () => {
  const { databaseUrl } = installation;
  const before = await state();
  const starts = await Promise.all([migrateToBaseline(databaseUrl), migrateToBaseline(databaseUrl)]);
  expect(starts).toEqual([[], []]);
  expect(await appliedMigrations(databaseUrl)).toEqual(['0001_baseline.sql']);
  expect(await state()).toEqual(before);
  expect(await migrateToBaseline(databaseUrl)).toEqual([]);
  const [, ...later] = (await readMigrations()).map(({ name }) => name);
  expect(await migrate(databaseUrl)).toEqual(later);
});
