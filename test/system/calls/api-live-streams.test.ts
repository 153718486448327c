import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchCall, WatchedCalls } from '../../../src/domain/calls/watch.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let [a, b]: Tenant[] = [];
let base: string;
beforeAll(async () => {
  api = await createTestApi();
  a = await createTenant(api);
  b = await createTenant(api);
  base = await api.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

async function queueCall(tenant: Tenant): Promise<string> {
  const { agentId } = await createTestAgent(api, tenant);
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
  });
  return (answer.body['data'] as { call_id: string }).call_id;
}

it('queries once per poll for a hundred streams of two workspaces', async () => {
  let queries = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const db = api.db.withPlugin(counting);
  const calls = new WatchedCalls({ db });
  const ids = [await queueCall(a!), await queueCall(b!)];
  const stop = new AbortController();
  const seen: object[] = [];
  const streams = Array.from({ length: 100 }, (_, i) =>
    watchCall(
      { db, watch: () => Promise.resolve(null), calls },
      (i % 2 === 0 ? a : b)!.workspaceId,
      ids[i % 2]!,
      stop.signal,
      (event) => seen.push(event),
    ),
  );
  while (seen.length < 100) await new Promise((resolve) => setTimeout(resolve, 10));
  queries = 0;
  const from = performance.now();
  await expect.poll(() => queries).toBeGreaterThanOrEqual(4);
  // One stream polls every 500 ms; a hundred of them polled 200 times a second.
  expect(queries).toBeLessThanOrEqual((performance.now() - from) / 500 + 1);
  await api.db.updateTable('calls').set({ status: 'cancelled' }).where('id', 'in', ids).execute();
  await Promise.all(streams);
  expect(seen.filter((event) => 'type' in event && event.type === 'ended')).toHaveLength(100);
  await expect(
    watchCall(
      { db, watch: () => Promise.resolve(null), calls },
      a!.workspaceId,
      ids[1]!,
      stop.signal,
      () => undefined,
    ),
  ).rejects.toMatchObject({ status: 404 });
});

it('refuses the 51st stream of a workspace with 429, and takes one of another workspace', async () => {
  const [own, other] = [await queueCall(a!), await queueCall(b!)];
  const leave = new AbortController();
  const open = (tenant: Tenant, callId: string) =>
    fetch(`${base}/api/v0/calling/${callId}/live`, {
      headers: { 'x-api-key': tenant.key },
      signal: leave.signal,
    });
  const opened = await Promise.all(Array.from({ length: 50 }, () => open(a!, own)));
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200));
  const refused = await open(a!, own);
  expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
    429,
    'Too many live streams are open; close one before opening another.',
  ]);
  expect((await open(b!, other)).status).toBe(200);
  leave.abort();
  const again = new AbortController();
  const retry = () =>
    fetch(`${base}/api/v0/calling/${own}/live`, {
      headers: { 'x-api-key': a!.key },
      signal: again.signal,
    });
  while ((await retry()).status === 429) await new Promise((resolve) => setTimeout(resolve, 100));
  again.abort();
});
