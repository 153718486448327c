import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('frees query results with the young generation: 300 MB cause at most one full collection', async () => {
  const child = fork(join(import.meta.dirname, '../../helpers/knowledge/reading-process.ts'), [database.url]);
  const [full] = (await once(child, 'message')) as [number];
  expect(full).toBeLessThanOrEqual(1);
});

it('reports results and errors by promise or callback', async () => {
  const client = await database.pool.connect();
  try {
    const text = 'select $1::int as one';
    expect((await client.query(text, [1])).rows).toEqual([{ one: 1 }]);
    expect((await client.query({ text, values: [1] })).rows).toEqual([{ one: 1 }]);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await expect(client.query('select none')).rejects.toThrow('column "none" does not exist');
    const failed = new Promise((resolve) => {
      client.query('select none', (error) => resolve(error.message));
    });
    expect(await failed).toBe('column "none" does not exist');
    const found = new Promise((resolve) => {
      client.query(text, [1], (_, result) => resolve(result.rows));
    });
    expect(await found).toEqual([{ one: 1 }]);
  } finally {
    client.release();
  }
});
