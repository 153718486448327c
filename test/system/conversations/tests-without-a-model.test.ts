import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { runTestAgent } from '../../../src/cli/test-agent.ts';
import { type FakeVendor, fakeAnthropic, startFakeVendor } from '@callwright/stand-ins';
import { ManualClock } from '../../../src/shared/clock.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';

type Body = Record<string, any>;
const KEY = 'sk-the-key';
let vendor: FakeVendor;
let database: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let agentId: string;
const open: Chats[] = [];
const fallbacks: string[] = [];

/** An installation whose only model is at this address. */
async function installation(baseUrl: string, key = KEY, hasJobs = false): Promise<TestApi> {
  const chats = offlineChats({
    db: database.db,
    clock: new ManualClock(),
    hasJobs,
    models: [{ vendor: 'anthropic', key, baseUrl, model: 'one' }],
    onFallback: (engine) => fallbacks.push(engine),
  });
  open.push(chats);
  chats.start();
  return createTestApi({ chats: chats.desk }, database);
}

beforeAll(async () => {
  vendor = await startFakeVendor(fakeAnthropic, { settings: { key: KEY, replies: [{ text: 'Gladly.' }] } });
  database = await createTestDatabase();
  api = await installation(vendor.baseUrl, KEY, true);
  tenant = await createTenant(api);
  const intro_message = 'Hello, this is Asha. Does Monday suit you?';
  const task = '1. Ask: "Does Monday suit you?"\n2. Say goodbye.';
  ({ agentId } = await createTestAgent(api, tenant, { intro_message, task }));
  const expectations = [{ type: 'never_says', any_of: ['discount'] }];
  const made = await api.request('POST', `/api/v0/agent/${agentId}/test-cases`, {
    key: tenant.key,
    body: { name: 'Promises nothing', lines: ['Yes, Monday.'], expectations },
  });
  if (made.status !== 200) throw new Error(made.text);
});
afterAll(async () => {
  for (const chats of open) await chats.stop();
  await api?.close();
  await vendor?.close();
});
beforeEach(() => {
  Object.assign(vendor.settings, { refuse: 0, hang: false, garbage: false, cutAtWord: null });
});

const post = async (path: string, body: object, to = api): Promise<Body> => {
  const answer = await to.request('POST', `/api/v0/agent/${agentId}/${path}`, { key: tenant.key, body });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body;
};
const test = (more: object = {}, to = api) => post('test', { messages: ['Yes, Monday.'], ...more }, to);
const run = async (more: object = {}) =>
  (await post('test-cases/run', { wait_seconds: 30, ...more }))['test_run'] as Body;

describe('tests of an agent whose language model does not answer', () => {
  it('names the model that gave each reply while it answers', async () => {
    const { turns, state, error } = await test();
    expect([state, error]).toEqual(['open', null]);
    expect(turns[0]).toMatchObject({ engine: null, vendor: null, is_fallback: false, vendor_faults: [] });
    expect(turns[1]).toMatchObject({
      reply: 'Gladly.',
      engine: 'model',
      vendor: 'anthropic',
      is_fallback: false,
    });
    const result = await run();
    expect(result).toMatchObject({ result: 'passed', on_model_failure: 'error' });
    expect(result['results'][0].turns[1]).toMatchObject({ engine: 'model', vendor: 'anthropic' });
  });

  it.each([
    ['answers 500', { refuse: 500 }, 'lost', 500],
    ['sends a bad stream', { garbage: true }, 'lost', null],
  ] as const)('ends as error and names a vendor that %s', async (_, fault, reason, status) => {
    Object.assign(vendor.settings, fault);
    // A model that has just failed is not asked by every test: a new installation knows of no fault yet.
    const body = await test({}, await installation(vendor.baseUrl));
    expect(body).toMatchObject({ state: 'error', error: { vendor: 'anthropic', reason, status } });
    expect(body['error'].message).toContain('anthropic: ');
    expect(body['turns'].at(-1)).toMatchObject({ reply: '', engine: null, end_reason: 'FAILED' });
    expect(body['turns'].at(-1).vendor_faults.at(-1)).toMatchObject({
      effect: 'failed',
      reason,
      part: 'llm',
    });
    const result = await run();
    expect(result).toMatchObject({ result: 'error', counts: { error: 1 } });
    expect(result['results'][0].error).toMatch(/^The language model gave no answer to line 1: anthropic: /);
    expect(result['results'][0].verdicts).toEqual([]);
  });

  it.each([
    ['refuses the key', () => installation(vendor.baseUrl, 'sk-another'), 'key', 401],
    ['is not there', () => installation('http://127.0.0.1:1'), 'lost', null],
  ] as const)('ends as error and names a vendor that %s', async (_, start, reason, status) => {
    const other = await start();
    expect(await test({}, other)).toMatchObject({
      state: 'error',
      error: { vendor: 'anthropic', reason, status },
    });
    // The second test asks no vendor that refused the key, and says the same.
    expect(await test({}, other)).toMatchObject({ state: 'error', error: { reason } });
  });

  it('ends a case as error when the model sends no word in the time of a call', async () => {
    vendor.settings.hang = true;
    const [result] = (await run())['results'];
    expect(result).toMatchObject({
      state: 'error',
      error: expect.stringMatching(/anthropic: no answer in time/),
    });
  });

  it('lets the script engine reply only if the request asks for it, and says so beside the reply', async () => {
    vendor.settings.refuse = 500;
    const { turns, state } = await test({ on_model_failure: 'script' });
    expect(state).not.toBe('error');
    expect(turns[1]).toMatchObject({ engine: 'script', vendor: null, is_fallback: true });
    const result = await run({ on_model_failure: 'script' });
    expect(result).toMatchObject({ result: 'passed', on_model_failure: 'script' });
    expect(result['results'][0].turns[1]).toMatchObject({ engine: 'script', is_fallback: true });
    expect(fallbacks).toContain('script');
  });

  it('shows the engine of each reply in the details of the chat, too', async () => {
    vendor.settings.refuse = 500;
    const { session_id: id } = await test({ on_model_failure: 'script' });
    const details = await api.request('GET', `/api/v0/chat/details?id=${id}`, { key: tenant.key });
    const { transcript, vendor_faults: faults } = details.body['data'] as Body;
    const agent = transcript.filter(({ role }: Body) => role === 'agent');
    expect(agent.map(({ engine, vendor, is_fallback }: Body) => [engine, vendor, is_fallback])).toEqual([
      [null, null, false],
      ['script', null, true],
    ]);
    expect(faults.at(-1)).toMatchObject({ part: 'llm', vendor: 'anthropic', effect: 'switched' });
  });

  it('exits with 3, and in strict mode also when another engine replied', async () => {
    await api.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.server.server.address() as AddressInfo;
    const lines: string[] = [];
    const spies = (['log', 'error'] as const).map((to) =>
      vi.spyOn(console, to).mockImplementation((line: string) => void lines.push(line)),
    );
    const url = `http://127.0.0.1:${port}`;
    const shared = { url, key: tenant.key, case: [], agentVersion: undefined, runTools: false, json: false };
    const codeOf = (strict: boolean): Promise<number> => runTestAgent(agentId, { ...shared, strict });
    // The earlier tests have left a model that failed: it answers when it is asked again.
    await expect.poll(() => codeOf(true)).toBe(0);
    const before = await codeOf(true);
    vendor.settings.refuse = 500;
    const codes = [before, await codeOf(false), await codeOf(true)];
    for (const spy of spies) spy.mockRestore();
    expect(codes).toEqual([0, 3, 3]);
    expect(lines.join('\n')).toMatch(
      /error {6} Promises nothing\n.*anthropic: the connection failed \(status 500\)/,
    );
  });

  it('exits with 3 when no model judged a criterion', async () => {
    const made = await createTestAgent(api, tenant, { intro_message: 'Hello, this is Asha.', task: 'Help.' });
    const answer = await api.request('POST', `/api/v0/agent/${made.agentId}/test-cases`, {
      key: tenant.key,
      body: {
        name: 'Is kind',
        lines: ['Hello.'],
        expectations: [{ type: 'criterion', criterion: 'It is kind.' }],
      },
    });
    expect(answer.status).toBe(200);
    if (!api.server.server.listening) await api.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.server.server.address() as AddressInfo;
    const lines: string[] = [];
    const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const options = { case: [], agentVersion: undefined, runTools: false, json: false, strict: false };
    const url = `http://127.0.0.1:${port}`;
    // The earlier tests have left a model that failed: it answers when it is asked again.
    await expect
      .poll(async () => {
        lines.length = 0;
        const code = await runTestAgent(made.agentId, { ...options, url, key: tenant.key });
        return [code, lines.join('\n').includes('not_judged')];
      })
      .toEqual([3, true]);
    spy.mockRestore();
  });
});
