import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { isBeforeBaseline } from './before-baseline.ts';
import { statementsByMonth } from './months/indexes.ts';
import { START_CONNECT_MS } from './server.ts';
import { findWalls, raiseWalls } from './walls.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * First line of a file whose statements run one by one outside a transaction, because they build or drop indexes
 * concurrently. A start that was interrupted runs all of them again, so each must be repeatable.
 */
const OUTSIDE = '-- Outside a transaction.\n';
const CONCURRENTLY = /\bconcurrently\b/gi;
const STATEMENT_END = /;[ \t]*\n/;

/** The statements of a file that runs outside a transaction; null: it runs in one. */
export function statementsOutside({ name, sql }: Migration): readonly string[] | null {
  if (sql.startsWith(OUTSIDE)) return `${sql}\n`.split(STATEMENT_END).filter((text) => hasCode(text));
  if (sql.replaceAll(/--.*/g, '').search(CONCURRENTLY) >= 0) {
    throw new Error(`Migration ${name} must begin with ${JSON.stringify(OUTSIDE.trim())}.`);
  }
  return null;
}
const hasCode = (text: string): boolean => text.replaceAll(/--.*/g, '').trim() !== '';

/** The SQL for a transaction on empty tables: their indexes need not be built concurrently there. */
export const sqlInside = ({ sql }: Migration): string =>
  sql.startsWith(OUTSIDE) ? sql.replaceAll(CONCURRENTLY, '') : sql;

const FOLDER = join(import.meta.dirname, 'migrations');
const FILE = /^\d{4}_[a-z0-9_]+\.sql$/;
/** Advisory lock id: processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_203_114_509;

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

/** Time between two tries to get the migration lock. */
const LOCK_POLL_MS = 200;

/**
 * Takes the migration lock for the session. It polls: a statement that waited for the lock would hold a snapshot, and an
 * index built concurrently by the holder waits for every older snapshot, so the two would deadlock.
 */
export async function takeMigrationLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    await sleep(LOCK_POLL_MS);
  }
}

/**
 * Migrates the database under an advisory lock, one transaction per file except those that declare otherwise, and gives new
 * tables their policies. Returns the names of the applied files.
 */
export async function migrate(
  url: string,
  folder: string = FOLDER,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<string[]> {
  const all = await readMigrations(folder);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_CONNECT_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await takeMigrationLock(client);
    await client.query(CREATE_MIGRATIONS);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations',
    );
    const [baseline] = all;
    const isTakenOver = baseline !== undefined && isBeforeBaseline(rows);
    if (isTakenOver) await takeOver(client, baseline);
    const pending = pendingMigrations(all, isTakenOver ? [baseline] : rows);
    for (const migration of pending) {
      const statements = statementsOutside(migration);
      if (statements === null) await apply(client, migration, lockTimeoutMs);
      else await applyOutside(client, migration, statements);
    }
    if ((await findWalls(client)).missing.length > 0) {
      await retryLocks(client, 'The policies of the tables', lockTimeoutMs, () => raiseWalls(client));
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Replaces the list of a database that has the schema of the baseline from the migrations before it. */
async function takeOver(client: Client, baseline: Migration): Promise<void> {
  await client.query('begin');
  await client.query('delete from migrations');
  await client.query(INSERT_MIGRATION, [baseline.name, baseline.checksum]);
  await client.query('commit');
}

/** Applies one file in a transaction, again after each lock timeout. */
const apply = (client: Client, migration: Migration, lockTimeoutMs: number): Promise<void> =>
  retryLocks(client, `Migration ${migration.name}`, lockTimeoutMs, async () => {
    await client.query(migration.sql);
    await client.query(INSERT_MIGRATION, [migration.name, migration.checksum]);
  });

/** Runs `work` in a transaction, again after each lock timeout. */
async function retryLocks(
  client: Client,
  what: string,
  lockTimeoutMs: number,
  work: () => Promise<void>,
): Promise<void> {
  const until = performance.now() + RETRY_FOR_MS;
  for (;;) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() > until) throw new Error(`${what} failed.`, { cause: error });
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

/**
 * Applies the statements of a file outside a transaction. A concurrent build waits for older transactions without holding
 * up anything but other changes of the schema, so it may wait as long as other files retry.
 */
async function applyOutside(
  client: Client,
  migration: Migration,
  statements: readonly string[],
): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${RETRY_FOR_MS}`);
    for (const statement of statements)
      for (const each of await statementsByMonth(client, statement)) await client.query(each);
    await client.query('reset lock_timeout');
    await client.query(INSERT_MIGRATION, [migration.name, migration.checksum]);
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed.`, { cause: error });
  }
}
