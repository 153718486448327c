import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KeyCheck, keyHashOf } from '../../../src/domain/workspaces/authenticate-key.ts';
import { createTenant, createTestApi, type TestApi } from '../../helpers/api/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

/** A key check that counts its queries of keys and holds back the result of the first one until `release`. */
async function watchedCheck() {
  const { key, workspaceId } = await createTenant(api);
  let queries = 0;
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!result.rows.some((row) => 'shownPrefix' in row)) return result;
      if ((queries += 1) === 1) await gate;
      return result;
    },
  };
  const keys = new KeyCheck({ db: api.db.withPlugin(plugin), clock: api.clock });
  return { keys, hash: keyHashOf(key) ?? '', workspaceId, release, queries: () => queries };
}

it('a hundred requests at once query their key twice', async () => {
  const { keys, hash, workspaceId, release, queries } = await watchedCheck();
  release();
  const found = await Promise.all(Array.from({ length: 100 }, () => keys.find(hash, '192.0.2.1')));
  expect(new Set(found.map((caller) => caller?.workspaceId))).toEqual(new Set([workspaceId]));
  expect(queries()).toBe(2);
  await keys.find(hash, '192.0.2.1');
  expect(queries()).toBe(3);
});

it('refuses a replaced key in a request that arrives while it is looked up', async () => {
  const { keys, hash, workspaceId, release, queries } = await watchedCheck();
  const before = keys.find(hash, '192.0.2.1');
  while (queries() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await api.db.deleteFrom('api_keys').where('workspace_id', '=', workspaceId).execute();
  const after = keys.find(hash, '192.0.2.1');
  release();
  expect((await before)?.workspaceId).toBe(workspaceId);
  expect(await after).toBeNull();
});

it('fails the requests that wait for a look-up that fails, and looks the key up again afterwards', async () => {
  const { key, workspaceId } = await createTenant(api);
  let queries = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      if (queries === 1) throw new Error('the database hangs');
      return result;
    },
  };
  const keys = new KeyCheck({ db: api.db.withPlugin(plugin), clock: api.clock });
  const hash = keyHashOf(key) ?? '';
  const outcomes = await Promise.allSettled([
    keys.find(hash, '192.0.2.1'),
    keys.find(hash, '192.0.2.1'),
    keys.find(hash, '192.0.2.1'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(queries).toBe(1);
  expect((await keys.find(hash, '192.0.2.1'))?.workspaceId).toBe(workspaceId);
});
