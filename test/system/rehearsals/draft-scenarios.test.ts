import { fakeTranscriptions, startFakeVendor, type FakeVendor } from '@callwright/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { CALLER_PRICES, callersBy } from '../../helpers/rehearsals/caller-model.ts';

const SCENARIO = {
  name: 'Wants Monday',
  goal: 'To come on Monday.',
  temper: 'calm',
  opens: 'Hello?',
  facts: [{ asked: ['Monday suit'], says: 'Yes.' }],
  habits: [],
  must_say: ['goodbye'],
  must_not_say: [],
  calls_tool: '',
  ends: ['AGENT_ENDED'],
};

let vendor: FakeVendor;
let api: TestApi;
let tenant: Tenant;
let agentId: string;
let isSet = true;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeTranscriptions);
  const { modelOf } = callersBy(vendor.baseUrl);
  api = await createTestApi({
    modelOf: (id) => (isSet ? modelOf(id) : Promise.resolve(null)),
    prices: CALLER_PRICES,
  });
  tenant = await createTenant(api);
  const task = '1. Ask: "Does Monday suit you?"\n2. Say goodbye.';
  ({ agentId } = await createTestAgent(api, tenant, { task }));
});
afterAll(async () => {
  await api?.close();
  await vendor?.close();
});

const path = (): string => `/api/v0/agent/${agentId}/rehearsals`;
const draft = (body: object): Promise<Answer> =>
  api.request('POST', `${path()}/scenarios`, { key: tenant.key, body });
const answers = (...texts: unknown[]): void => {
  vendor.settings.replies = texts.map((text) => ({ text: JSON.stringify(text) }));
};

describe('scenarios that are drafted for an agent', () => {
  it('are by the model of the workspace, run as they are or changed, and are not run unseen', async () => {
    answers({ scenarios: [SCENARIO] });
    const { status, body } = await draft({ by: 'model', count: 2, wish: 'Easy ones.' });
    expect([status, body['written_by']]).toEqual([200, 'caller-model']);
    expect(body['scenarios']).toMatchObject([{ name: 'Wants Monday', persona: { lines: 'model' } }]);
    expect(vendor.received.join('')).toContain('Easy ones.');
    const list = await api.request('GET', path(), { key: tenant.key });
    expect(list.body['rehearsals']).toEqual([]);
    const started = await api.request('POST', path(), {
      key: tenant.key,
      body: { scenario_file: body['scenario_file'], calls: 1 },
    });
    expect(started.status).toBe(200);
  });

  it('are asked for again with what is wrong, and refused when nothing is usable', async () => {
    answers({ scenarios: [{ ...SCENARIO, goal: '' }] }, { scenarios: [SCENARIO] });
    expect((await draft({ by: 'model' })).body['scenarios']).toHaveLength(1);
    expect(vendor.received.at(-1)).toContain('persona.goal');
    answers({ scenarios: [] }, { text: 'no' });
    expect(await draft({ by: 'model' })).toMatchObject({
      status: 503,
      body: { code: 'MODEL_UNAVAILABLE' },
    });
  });

  it('are by rules without a model, which the model needs', async () => {
    isSet = false;
    const { status, body } = await draft({ count: 3 });
    expect([status, body['written_by'], (body['scenarios'] as unknown[]).length]).toEqual([200, null, 3]);
    expect(body['scenario_file']).toContain('answers every question');
    expect(await draft({ by: 'model' })).toMatchObject({
      status: 409,
      body: { code: 'NO_LANGUAGE_MODEL' },
    });
    isSet = true;
    expect((await draft({ by: 'nobody' })).status).toBe(422);
  });
});
