import { Client } from 'pg';
import { randomToken } from '../../../src/shared/ids.ts';
import { openDatabase, type Db } from '../../../src/store/database.ts';
import { openPgvector } from '../../../src/store/knowledge/pgvector.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { createTestDatabase } from './database.ts';

export interface VectorDatabase {
  readonly db: Db;
  readonly hasNear: boolean;
  close(): Promise<void>;
}

/** URL of a server with pgvector, which the test run cannot start itself. */
const PGVECTOR_URL = process.env['PGVECTOR_DATABASE_URL'];

/** Where vectors are compared: always in the process, and with pgvector if a server is given. */
export const vectorDatabases: readonly { where: string; open: () => Promise<VectorDatabase> }[] = [
  { where: 'in the process', open: withoutPgvector },
  ...(PGVECTOR_URL === undefined
    ? []
    : [{ where: 'in the database', open: () => withPgvector(PGVECTOR_URL) }]),
];

async function withoutPgvector(): Promise<VectorDatabase> {
  const database = await createTestDatabase();
  return { db: database.db, hasNear: await openPgvector(database.db), close: () => database.close() };
}

async function withPgvector(server: string): Promise<VectorDatabase> {
  const name = `test_${randomToken(12).toLowerCase()}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await migrate(url);
  const database = openDatabase(url, { applicationName: 'test' });
  const hasNear = await openPgvector(database.kysely);
  if (!hasNear) throw new Error('the server at PGVECTOR_DATABASE_URL has no pgvector');
  return {
    db: database.kysely,
    hasNear,
    async close() {
      await database.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
