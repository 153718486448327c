import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('frees what was read with the young heap: 300 MB of it need no full collection, or one for another reason', async () => {
  const child = fork(join(import.meta.dirname, '../helpers/reading-process.ts'), [database.url]);
  const [full] = (await once(child, 'message')) as [number];
  expect(full).toBeLessThanOrEqual(1);
});

it('tells by a promise or a callback what a query gave or why it failed', async () => {
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
