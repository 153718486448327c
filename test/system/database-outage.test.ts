import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe('a connection that the server ends', () => {
  it('between two statements of a transaction: the transaction fails, the process and the pool live on', async () => {
    const { db } = database;
    const cut = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db);
      // The news of it arrives while nothing is asked.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await sql`select 1`.execute(tx);
    });
    await expect(cut).rejects.toThrow(/terminat|connection/i);
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });
});
