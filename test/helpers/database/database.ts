import { Client } from 'pg';
import { inject } from 'vitest';
import { randomToken } from '../../../src/shared/ids.ts';
import { openDatabase, type Db, type Database } from '../../../src/store/database.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Db;
  /** Connection pool of `db`. */
  readonly pool: Database['pool'];
  /** Closes the connections; the database is removed with the server at the end of the run. */
  close(): Promise<void>;
}

/** Creates a migrated database from the run's template. */
export async function createTestDatabase(options: { maxConnections?: number } = {}): Promise<TestDatabase> {
  const { url: adminUrl, template } = inject('postgres');
  const name = `test_${randomToken(12).toLowerCase()}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    // FILE_COPY: copying through the WAL takes three times as long.
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await admin.end();
  }
  const url = adminUrl.replace(/[^/]+$/, name);
  const database = openDatabase(url, {
    maxConnections: options.maxConnections ?? 10,
    applicationName: 'test',
  });
  return { url, db: database.kysely, pool: database.pool, close: () => database.close() };
}
