import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startService } from '../helpers/service/service.ts';
import { createTestDatabase } from '../helpers/database/database.ts';

/** The seconds over which transactions are counted. */
const WINDOW_S = 20;
/** About twice what the service runs, so that the autovacuum of a new database fits in. */
const MOST_A_SECOND = 15;

it('runs at most fifteen transactions a second while nothing happens', async () => {
  const database = await createTestDatabase();
  await database.close();
  const service = await startService({ env: { DATABASE_URL: database.url } });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const count = async (): Promise<{ at: number; transactions: number }> => {
      const { rows } = await client.query<{ at: number; transactions: number }>(
        `select extract(epoch from clock_timestamp())::float8 as at,
           (xact_commit + xact_rollback)::float8 as transactions
         from pg_stat_database where datname = current_database()`,
      );
      return rows[0]!;
    };
    const from = await count();
    await new Promise((resolve) => setTimeout(resolve, WINDOW_S * 1_000));
    const to = await count();
    expect((to.transactions - from.transactions) / (to.at - from.at)).toBeLessThanOrEqual(MOST_A_SECOND);
  } finally {
    await client.end();
    await service.dispose();
  }
});
