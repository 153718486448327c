import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const FOLDER = join(import.meta.dirname, 'migrations');
const FILE = /^\d{4}_[a-z0-9_]+\.sql$/;
/** One number for all of our processes: two starting at once take turns. */
const LOCK = 7_203_114_509;

/** The numbered .sql files in order. */
export async function readMigrations(folder: string = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Names of migrations not applied yet; throws when an applied one was edited or is unknown to this version. */
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

/** Brings the database to the newest schema: an advisory lock, one transaction per file. Returns the names applied. */
export async function migrate(url: string, folder: string = FOLDER): Promise<string[]> {
  const all = await readMigrations(folder);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      `create table if not exists migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const applied = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations',
    );
    const pending = pendingMigrations(all, applied.rows);
    for (const migration of pending) {
      await client.query('begin');
      try {
        await client.query(migration.sql);
        await client.query('insert into migrations (name, checksum) values ($1, $2)', [
          migration.name,
          migration.checksum,
        ]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${migration.name} failed.`, { cause: error });
      }
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.end().catch(() => undefined);
  }
}
