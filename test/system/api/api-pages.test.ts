import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { readShapes } from '../../helpers/api/api-surface.ts';
import { insertCampaign } from '../../helpers/campaigns/campaigns.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
let agent: Awaited<ReturnType<typeof createTestAgent>>;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  agent = await createTestAgent(api, tenant);
});
afterAll(() => api?.close());

const get = async (path: string): Promise<{ status: number; body: any }> =>
  api.request('GET', `/api/v0${path}`, { key: tenant.key });

async function placeCall(): Promise<string> {
  const body = {
    name: 'Priya',
    mobile_number: '+14155550123',
    agent_id: agent.agentId,
    from_number_id: tenant.numberId,
  };
  const placed = await api.request('POST', '/api/v0/calling/outbound/individual', { key: tenant.key, body });
  return (placed.body['data'] as { call_id: string }).call_id;
}

describe('a page by cursor', () => {
  it('of the call history neither repeats nor skips a call while calls arrive', async () => {
    const placed: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      // Calls of the same moment are told apart by their ids.
      if (i % 2 === 0) api.clock.advance(1000);
      placed.unshift(await placeCall());
    }
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { status, body } = await get(`/calling/history?limit=3${next === '' ? '' : `&cursor=${next}`}`);
      expect([status, body.limit]).toEqual([200, 3]);
      seen.push(...(body.calls as { id: string }[]).map(({ id }) => id));
      next = body.next_cursor as string | null;
      await placeCall();
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.toSorted()).toEqual(placed.toSorted());
    const first = await get('/calling/history?limit=3&offset=3');
    expect(first.body.next_cursor).toMatch(/^[0-9a-z]+-[0-9a-f]{32}$/);
  });

  it('of campaigns holds each campaign once', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push(await insertCampaign(api, tenant, agent, { contacts: 1 }));
    const first = await get('/campaign/all?limit=3');
    const second = await get(`/campaign/all?limit=3&cursor=${first.body.next_cursor}`);
    const found = [...first.body.campaigns, ...second.body.campaigns].map(({ id }: { id: string }) => id);
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect(second.body.next_cursor).toBeNull();
  });

  it('answers 422 for text that is no cursor and for a cursor beside an offset', async () => {
    const { body } = await get('/calling/history?limit=1');
    for (const path of ['/calling/history', '/chat/history', '/campaign/all', '/webhooks/deliveries']) {
      const wrong = await get(`${path}?cursor=2`);
      expect([path, wrong.status, wrong.body.message]).toEqual([
        path,
        422,
        'cursor must be the next_cursor of the previous page',
      ]);
      const both = await get(`${path}?cursor=${body.next_cursor}&offset=2`);
      expect([path, both.status, both.body.message]).toEqual([
        path,
        422,
        'offset must not stand beside cursor',
      ]);
    }
  });
});

it('a limit below 1 answers 422 and one above the maximum 400, at every endpoint that has a limit', async () => {
  const shapes = await readShapes();
  const paths = new Set(
    shapes
      .map(({ endpoint }) => endpoint)
      .filter(({ method, parameters = [] }) => method === 'GET' && parameters.some((p) => p.name === 'limit'))
      .map(({ path }) => path.replaceAll(/\{\w+\}/g, newId())),
  );
  const wrong: unknown[] = [];
  for (const path of paths) {
    for (const [limit, status, code] of [
      ['0', 422, 'VALIDATION_FAILED'],
      ['-1', 422, 'VALIDATION_FAILED'],
      ['1000000001', 400, 'LIMIT_TOO_HIGH'],
    ] as const) {
      const answer = await api.request('GET', `${path}?limit=${limit}`, { key: tenant.key });
      if (answer.status !== status || answer.body['code'] !== code) {
        wrong.push([path, limit, answer.status, answer.body['message']]);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(paths.size).toBeGreaterThan(8);
});
