import { Client } from 'pg';
import type { Database } from './database.ts';

/** Whether the database answers a query. */
export const isUp = (database: Pick<Database, 'pool'>): Promise<boolean> =>
  database.pool.query('select 1').then(
    () => true,
    () => false,
  );

/** The version of the server at this address. Rejects when it cannot be reached within five seconds. */
export async function serverVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await client.end().catch(() => undefined);
  }
}
