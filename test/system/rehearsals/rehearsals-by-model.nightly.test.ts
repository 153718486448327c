import type { FakeVendor } from '@callwright/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptRehearser } from '../../../src/app/rehearsals.ts';
import { runRehearsal } from '../../../src/jobs/run-rehearsal.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { FREE, toMicroCredits } from '../../../src/domain/credits/price.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { CALLER_PRICES, callersBy, startCallerModel } from '../../helpers/rehearsals/caller-model.ts';

type Body = Record<string, any>;

const SCENARIO = {
  name: 'Wants Monday',
  persona: { lines: 'model', goal: 'To come on Monday.', most_turns: 6 },
  expect: [{ type: 'replies_within', seconds: 4 }],
};

let vendor: FakeVendor;
let api: TestApi;
let tenant: Tenant;
let agentId: string;
/** Whether the installation has the model. */
let isSet = true;
beforeAll(async () => {
  vendor = await startCallerModel([{ to: 'Monday suit', say: 'Yes, Monday is good for me.' }]);
  const callers = callersBy(vendor.baseUrl);
  api = await createTestApi({
    modelOf: (id) => (isSet ? callers.modelOf(id) : Promise.resolve(null)),
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

const ask = async (method: 'GET' | 'POST', path: string, body?: object, status = 200): Promise<Body> => {
  const answer = await api.request(method, `/api/v0/agent/${agentId}/rehearsals${path}`, {
    key: tenant.key,
    body,
  });
  expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  return answer.body;
};
const start = async (body: object): Promise<string> =>
  (await ask('POST', '', { scenarios: [SCENARIO], ...body }))['rehearsal'].rehearsal_id;
const read = async (id: string): Promise<Body> => (await ask('GET', `/${id}`))['rehearsal'];
const jobOf = (rehearsalId: string) => ({
  id: newId(),
  workspaceId: tenant.workspaceId,
  kind: 'agent.rehearsal',
  payload: { workspaceId: tenant.workspaceId, rehearsalId },
  attempt: 1,
});
const handlerOf = (more: object = {}) =>
  runRehearsal({
    db: api.db,
    clock: systemClock,
    log: silentLog,
    rehearser: scriptRehearser,
    callers: { ...callersBy(vendor.baseUrl), db: api.db, clock: systemClock, ...more },
  });
const run = async (id: string, more: object = {}): Promise<Body> => {
  await handlerOf(more).run(jobOf(id));
  return read(id);
};
/** A process that dies between the reservation of a line and its answer, after so many lines. */
const interrupted = async (id: string, lines: number): Promise<void> => {
  const callers = callersBy(vendor.baseUrl);
  let asked = 0;
  await new Promise<void>((resolve) => {
    const modelOf = async () => {
      const model = (await callers.modelOf(tenant.workspaceId))!;
      return {
        ...model,
        answer: (request: Parameters<typeof model.answer>[0]) => {
          asked += 1;
          if (asked <= lines) return model.answer(request);
          resolve();
          return new Promise<string>(() => undefined);
        },
      };
    };
    void handlerOf({ modelOf }).run(jobOf(id));
  });
};
const callOf = (id: string, call: number) => ask('GET', `/${id}/calls/${call}`);
const textsOf = (answer: Body): string[] => answer['rehearsed_call'].lines.map((line: Body) => line['text']);

describe('a rehearsal whose callers a model words', () => {
  it('says its lines and their cost, and plays any call again without the model', async () => {
    const id = await start({ calls: 6 });
    expect(await read(id)).toMatchObject({ cost: 0, currency: 'EUR', max_cost: null, stopped_by: null });
    const done = await run(id);
    expect(done).toMatchObject({ state: 'ended', played_calls: 6, error: null });
    expect(done['result'].caller_lines.by_model).toBeGreaterThanOrEqual(6);
    expect(done['cost']).toBeGreaterThan(0);
    const asked = vendor.requests.length;
    const replayed = await callOf(id, 4);
    expect(textsOf(replayed)).toContain('Yes, Monday is good for me.');
    expect(await callOf(id, 4)).toEqual(replayed);
    expect(vendor.requests.length).toBe(asked);
    // The cost is that of the tokens which the vendor reported, each a millionth.
    const again = await run(await start({ calls: 6 }));
    expect(again['cost']).toBe(done['cost']);
  });

  it('gives both versions the same lines where they say the same', async () => {
    const { body } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
    const version = (body['agents'] as Body)['active_agent_version_id'];
    const asked = vendor.requests.length;
    const alone = await run(await start({ calls: 4 }));
    const lines = vendor.requests.length - asked;
    const both = await run(await start({ calls: 4, version_id: version, against_version_id: version }));
    expect(vendor.requests.length).toBe(asked + 2 * lines);
    expect(both['cost']).toBe(alone['cost']);
    expect(both['result'].comparison).toMatchObject({ is_worse: false, passed: { difference: 0 } });
  });

  it('ends in good order before a call that could pass max_cost', async () => {
    const most = 0.08;
    const done = await run(await start({ calls: 400, max_cost: most }));
    expect(done).toMatchObject({ state: 'ended', stopped_by: 'max_cost', max_cost: most, error: null });
    expect(done['cost']).toBeGreaterThan(0);
    expect(done['cost']).toBeLessThanOrEqual(most);
    expect(done['played_calls']).toBeGreaterThan(0);
    expect(done['played_calls']).toBeLessThan(400);
    const { passed, failed, errors } = done['result'];
    expect(passed + failed + errors).toBe(done['played_calls']);
  });

  it('is refused without a model, with a budget that covers no call, and with a model without a price', async () => {
    const refusal = async (status: number, more: object = {}): Promise<Body> =>
      ask('POST', '', { scenarios: [SCENARIO], ...more }, status);
    const low = await refusal(400, { max_cost: 0.001 });
    expect([low['code'], low['message']]).toEqual([
      'BUDGET_TOO_LOW',
      expect.stringMatching(/may cost up to 0\.\d+ EUR/),
    ]);
    isSet = false;
    expect((await refusal(409))['code']).toBe('NO_LANGUAGE_MODEL');
    // Rules need no model, and cost nothing.
    const byRules = { ...SCENARIO, persona: { goal: 'To come.' } };
    const { rehearsal } = await ask('POST', '', { scenarios: [byRules], calls: 1, max_cost: 0 });
    isSet = true;
    expect(await run(rehearsal.rehearsal_id)).toMatchObject({ state: 'ended', stopped_by: null, cost: 0 });
    const unpriced = await createTestApi({
      modelOf: callersBy(vendor.baseUrl).modelOf,
      prices: { currency: 'EUR', prices: [] },
    });
    const other = await createTenant(unpriced);
    const agent = await createTestAgent(unpriced, other, {});
    const answer = await unpriced.request('POST', `/api/v0/agent/${agent.agentId}/rehearsals`, {
      key: other.key,
      body: { scenarios: [SCENARIO], max_cost: 1 },
    });
    expect([answer.status, answer.body['code']]).toEqual([409, 'MODEL_WITHOUT_PRICE']);
    const free = await unpriced.request('POST', `/api/v0/agent/${agent.agentId}/rehearsals`, {
      key: other.key,
      body: { scenarios: [SCENARIO] },
    });
    expect(free.body['rehearsal']).toMatchObject({ cost: null, currency: null });
    await unpriced.close();
  });

  it('goes on after interruptions with the recorded lines, and ends with the same result', async () => {
    const whole = await run(await start({ calls: 24, seed: 5 }));
    const id = await start({ calls: 24, seed: 5 });
    for (let tries = 1; tries <= 3; tries++) await interrupted(id, tries * 2);
    const done = await run(id);
    expect(done['result']).toEqual(whole['result']);
    expect(done).toMatchObject({ state: 'ended', played_calls: 24 });
    // Lines under way at a death stay counted with the most that they could cost.
    expect(done['cost']).toBeGreaterThan(whole['cost']);
    for (const call of [0, 11, 23]) expect(textsOf(await callOf(id, call)).length).toBeGreaterThan(2);
  });

  it('never passes max_cost with two processes that both believe that they hold the lease', async () => {
    const id = await start({ calls: 400, max_cost: 0.09, seed: 9 });
    await Promise.all([handlerOf().run(jobOf(id)), handlerOf().run(jobOf(id))]);
    const done = await read(id);
    expect(done).toMatchObject({ state: 'ended', stopped_by: 'max_cost' });
    expect(done['cost']).toBeLessThanOrEqual(0.09);
    expect(done['cost']).toBeGreaterThan(0);
  });

  it('has the rules stand in where the model answers nothing usable', async () => {
    vendor.settings.refuse = 500;
    const done = await run(await start({ calls: 2 }));
    vendor.settings.refuse = 0;
    const { by_model: byModel, by_rules: byRules } = done['result'].caller_lines;
    expect(byModel).toBe(0);
    expect(byRules).toMatchObject([{ reason: 'unanswered', lines: expect.any(Number) }]);
  });

  it('ends when the model is gone, and when credits or caps refuse a turn', async () => {
    const gone = await run(await start({ calls: 2 }), { modelOf: () => Promise.resolve(null) });
    expect(gone).toMatchObject({ state: 'ended', stopped_by: 'no_model', played_calls: 0 });
    const credits = () =>
      api.db
        .selectFrom('workspaces')
        .select(['credits', 'locked_credits'])
        .where('id', '=', tenant.workspaceId)
        .executeTakeFirstOrThrow();
    const before = await credits();
    const price = 0.25;
    const unitPrices = { ...FREE, modelTurn: price };
    const asked = vendor.requests.length;
    const done = await run(await start({ calls: 4 }), { unitPrices });
    const turns = vendor.requests.length - asked;
    const after = await credits();
    expect(after.locked_credits).toBe(before.locked_credits);
    expect(before.credits - after.credits).toBe(turns * toMicroCredits(price));
    expect(done['stopped_by']).toBeNull();
    const dear = await run(await start({ calls: 4 }), { unitPrices: { ...FREE, modelTurn: 1_000_000 } });
    expect(dear).toMatchObject({ state: 'ended', stopped_by: 'credits' });
    expect(dear['cost']).toBe(0);
  });
});
