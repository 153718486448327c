import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

const FILE = '9999_index.sql';
const MIGRATION = `-- Outside a transaction.
drop index concurrently if exists workspaces_by_name;
create index concurrently workspaces_by_name on workspaces (name);
`;

let database: TestDatabase;
let folder = '';
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'callwright-migrations-'));
  await cp(join(import.meta.dirname, '../../../src/store/migrations'), folder, { recursive: true });
  await writeFile(join(folder, FILE), MIGRATION);
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

const write = async (): Promise<void> => {
  await sql`update workspaces set name = name`.execute(database.db);
};

/** A transaction that has written to the table, open until `end`. */
async function openWriter(): Promise<{ end(): Promise<void> }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let wrote = (): void => undefined;
  const hasWritten = new Promise<void>((resolve) => (wrote = resolve));
  const writer = database.db.transaction().execute(async (tx) => {
    await sql`lock table workspaces in row exclusive mode`.execute(tx);
    await sql`select pg_current_xact_id()`.execute(tx);
    wrote();
    await released;
  });
  await hasWritten;
  return {
    end: () => {
      release();
      return writer;
    },
  };
}

/** The backend whose statement waits for another transaction. */
async function waitingBackend(statement: string): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${statement}%`}
        and pid <> pg_backend_pid()`.execute(database.db);
    if (rows[0] !== undefined) return rows[0].pid;
  }
}

const isValid = async (): Promise<boolean | null> => {
  const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
    where indexrelid = to_regclass('workspaces_by_name')`.execute(database.db);
  return rows[0]?.valid ?? null;
};

it('an index is built concurrently while calls are written, and again after an interruption, with another process waiting', async () => {
  const first = await openWriter();
  const interrupted = migrate(database.url, folder).catch((error: unknown) => error);
  const pid = await waitingBackend('create index concurrently');
  // Behind a plain build this would wait until the open transaction ends.
  await write();
  await sql`select pg_terminate_backend(${pid})`.execute(database.db);
  await first.end();
  expect(await interrupted).toMatchObject({ message: `Migration ${FILE} failed.` });
  expect(await isValid()).toBe(false);

  const second = await openWriter();
  const starts = [migrate(database.url, folder), migrate(database.url, folder)];
  await waitingBackend('drop index concurrently');
  await write();
  expect(await isValid()).toBe(false);
  await second.end();
  const applied = await Promise.all(starts);
  expect(applied.flat()).toEqual([FILE]);
  expect(await isValid()).toBe(true);
});
