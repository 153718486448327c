import { Client } from 'pg';
import { randomToken } from '../../src/shared/ids.ts';
import { openDatabase, type Db } from '../../src/store/database.ts';
import { openNear } from '../../src/store/knowledge-near.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createTestDatabase } from './database.ts';

export interface VectorDatabase {
  readonly db: Db;
  readonly hasNear: boolean;
  close(): Promise<void>;
}

/** A server with pgvector, of which the run has none of its own: named by whoever has one. */
const PGVECTOR_URL = process.env['PGVECTOR_DATABASE_URL'];

/** Where vectors are compared: in the process for every run, and in the database where one can. */
export const vectorDatabases: readonly { where: string; open: () => Promise<VectorDatabase> }[] = [
  { where: 'in the process', open: withoutPgvector },
  ...(PGVECTOR_URL === undefined
    ? []
    : [{ where: 'in the database', open: () => withPgvector(PGVECTOR_URL) }]),
];

async function withoutPgvector(): Promise<VectorDatabase> {
  const database = await createTestDatabase();
  return { db: database.db, hasNear: await openNear(database.db), close: () => database.close() };
}

async function withPgvector(server: string): Promise<VectorDatabase> {
  const name = `test_${randomToken(12).toLowerCase()}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await migrate(url);
  const database = openDatabase(url, { applicationName: 'test' });
  const hasNear = await openNear(database.kysely);
  if (!hasNear) throw new Error('PGVECTOR_DATABASE_URL names a server without pgvector');
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
