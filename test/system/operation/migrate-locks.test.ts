import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

const LOCK_TIMEOUT_MS = 200;
/** Tries of the migration that queries have to survive. */
const TRIES = 3;

let database: TestDatabase;
let folder = '';
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'callwright-migrations-'));
  await cp(join(import.meta.dirname, '../../../src/store/migrations'), folder, { recursive: true });
  await writeFile(join(folder, '9999_column.sql'), 'alter table workspaces add column added integer;');
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

it('a migration that waits for a table lock does not hold up queries, and retries until it gets the lock', async () => {
  const { db } = database;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let holds = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (holds = resolve));
  const holder = db.transaction().execute(async (tx) => {
    await sql`select from workspaces`.execute(tx);
    holds();
    await released;
  });
  await isHeld;
  let isMigrated = false;
  const migrated = migrate(database.url, folder, LOCK_TIMEOUT_MS).then((names) => {
    isMigrated = true;
    return names;
  });
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table workspaces add column%'`.execute(
      db,
    );
    return rows.length > 0;
  };
  // Without a lock timeout, the query behind the migration waits until the holder ends, which it never does here.
  for (let tries = 0, waited = false; tries < TRIES;) {
    const [waits] = await Promise.all([isWaiting(), sql`select from workspaces`.execute(db)]);
    if (waits && !waited) tries += 1;
    waited = waits;
  }
  const isMigratedYet = isMigrated;
  release();
  expect(isMigratedYet).toBe(false);
  await holder;
  expect(await migrated).toEqual(['9999_column.sql']);
});
