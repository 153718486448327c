import { Client } from 'pg';
import type { Database } from './database.ts';

/** Whether the database answers a query. */
export const isUp = (database: Pick<Database, 'pool'>): Promise<boolean> =>
  database.pool.query('select 1').then(
    () => true,
    () => false,
  );

/** How long a start waits for a connection: the program may still load its code, and the machine be busy. */
export const START_CONNECT_MS = 20_000;

/** The version of the server at this address. Rejects when no connection is made within `START_CONNECT_MS`. */
export async function serverVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_CONNECT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await client.end().catch(() => undefined);
  }
}
