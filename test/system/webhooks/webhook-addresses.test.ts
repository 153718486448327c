import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSeal } from '../../../src/shared/seal.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

// Spellings of one address are one receiver.
const ADDRESS = 'https://example.com/hook';
const SPELT = 'HTTPS://EXAMPLE.com:443/x/../hook';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi({ seal: createSeal('the seal of the address tests') });
});
afterAll(() => api?.close());
beforeEach(async () => {
  tenant = await createTenant(api);
});

const call = (method: 'POST' | 'PATCH', path: string, body: unknown): Promise<Answer> =>
  api.request(method, `/api/v0${path}`, { key: tenant.key, body });
const test = async (body: object): Promise<any> =>
  (await call('POST', '/webhooks/test', { event_type: 'call_started', ...body })).body['delivery'];

it('a test event is sent to the normal form of a given or subscribed address', async () => {
  expect(await test({ callback_url: SPELT })).toMatchObject({ callback_url: ADDRESS });
  const { agentId } = await createTestAgent(api, tenant);
  const edited = await call('PATCH', '/agent/v1', {
    operation: 'edit_event_subscriptions',
    agent_id: agentId,
    event_subscriptions: [{ event_type: 'call_started', callback_url: SPELT }],
  });
  expect(edited.status).toBe(200);
  expect(await test({ agent_id: agentId })).toMatchObject({ callback_url: ADDRESS });
});

it.each([
  [ADDRESS, SPELT, 1],
  [SPELT, SPELT, 1],
  [ADDRESS, 'https://example.com/hooks', 0],
])('a failed delivery to %s is recovered by %s (%i)', async (stored, given, count) => {
  const { delivery_id: id } = await test({ callback_url: ADDRESS });
  const at = new Date(api.clock.now());
  await api.db
    .updateTable('deliveries')
    .set({ state: 'dead', is_test: false, url: stored, finished_at: at })
    .where('id', '=', id)
    .execute();
  await api.db.deleteFrom('delivery_queue').where('id', '=', id).execute();
  const answer = await call('POST', '/webhooks/recover', { since: at.toISOString(), callback_url: given });
  expect(answer.body['recovered_count']).toBe(count);
});
