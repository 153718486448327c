import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const FOLDER = join(import.meta.dirname, 'migrations');
const FILE = /^\d{4}_[a-z0-9_]+\.sql$/;
/** Advisory lock id: processes that start at once migrate one after the other. */
export const MIGRATION_LOCK = 7_203_114_509;

export const CREATE_MIGRATIONS = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
export const INSERT_MIGRATION = 'insert into migrations (name, checksum) values ($1, $2)';

/** Reads the numbered .sql files in order. */
export async function readMigrations(folder: string = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** The migrations to apply; throws if an applied one was edited since or is unknown to this version. */
export function pendingMigrations(
  all: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
): Migration[] {
  const known = new Map(all.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = known.get(row.name);
    if (migration === undefined) {
      throw new Error(`The database has migration ${row.name}, which this version does not know.`);
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(`Migration ${row.name} differs from the one this database was made with.`);
    }
  }
  const done = new Set(applied.map((row) => row.name));
  return all.filter((migration) => !done.has(migration.name));
}

/**
 * While a migration waits for a table lock, every later query on that table waits behind it, so it waits this long at
 * most and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Time between two tries, in which the queries that piled up behind the lock run. */
const RETRY_PAUSE_MS = 1_000;
/** How long a migration retries before it fails: longer than any statement timeout of a running process. */
const RETRY_FOR_MS = 120_000;
/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Migrates the database under an advisory lock, one transaction per file. Returns the names of the applied files. */
export async function migrate(
  url: string,
  folder: string = FOLDER,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<string[]> {
  const all = await readMigrations(folder);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(CREATE_MIGRATIONS);
    const applied = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations',
    );
    const pending = pendingMigrations(all, applied.rows);
    for (const migration of pending) await apply(client, migration, lockTimeoutMs);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Applies one file in a transaction, again after each lock timeout. */
async function apply(client: Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  const until = performance.now() + RETRY_FOR_MS;
  for (;;) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await client.query(migration.sql);
      await client.query(INSERT_MIGRATION, [migration.name, migration.checksum]);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() > until) {
        throw new Error(`Migration ${migration.name} failed.`, { cause: error });
      }
      await sleep(RETRY_PAUSE_MS);
    }
  }
}
