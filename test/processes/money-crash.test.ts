import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { runMoneyChaos } from '../chaos/money/run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

it('processes that are killed at every gate leave an exact ledger and pass no cap', async () => {
  const { db, url } = database;
  const { findings, figures } = await runMoneyChaos({ db, url, kills: 8, processes: 2, lifeMs: 800 });
  expect(findings).toEqual([]);
  for (const kind of ['charge', 'transfer', 'chat', 'test', 'preview', 'embedding', 'search', 'analysis']) {
    expect([kind, (figures[`ledger: ${kind}`] ?? 0) > 0]).toEqual([kind, true]);
  }
}, 600_000);
