import { Client } from 'pg';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import type { Db } from '../../../src/store/database.ts';

/**
 * Folds everything that waits, and locks the sums of results until the returned function is called: a change of the zone then
 * moves calls and beginnings, half of its way, and waits.
 */
export async function holdResults(
  { db, url }: { readonly db: Db; readonly url: string },
  workspaceId: string,
): Promise<() => Promise<void>> {
  await db.transaction().execute((tx) => foldEndings(tx, workspaceId, 1_000_000));
  // Its own connection, which may idle in a transaction for longer than those of a pool.
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('set idle_in_transaction_session_timeout = 0');
  await client.query('begin');
  await client.query('select from result_days for update');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}
