import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { testCaseRunner } from '../../../src/app/test-cases.ts';
import { runTestAgent } from '../../../src/cli/test-agent.ts';
import type { PlayCase } from '../../../src/domain/test-cases/play-case.ts';
import { CASE_LEASE_MS } from '../../../src/jobs/run-test-case.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { eraseChatData } from '../../../src/store/privacy/chats.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { analystsWith } from '../../helpers/analysis/analysis-api.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { createHoldings } from '../../helpers/api/owned-objects.ts';
import { eventually } from '../../helpers/service/service.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import { startToolServer, type ToolServer } from '../../helpers/agents/tool-server.ts';
import { openToAll } from '../../helpers/service/open-addresses.ts';

let api: TestApi;
let chats: Chats;
let tenant: Tenant;
let server: ToolServer;
/** Of the worker that plays cases; the API has its own. */
const clock = new ManualClock();

beforeAll(async () => {
  server = await startToolServer(() => ({ body: { slot: { time: '15:30' } } }));
  const database = await createTestDatabase();
  chats = offlineChats({ db: database.db, clock, reachable: openToAll('127.0.0.1'), hasJobs: true });
  api = await createTestApi({ chats: chats.desk }, database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await chats?.stop();
  await api?.close();
  await server?.close();
});

type Body = Record<string, any>;
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer> =>
  api.request(method, `/api/v0/agent/${path}`, { key: tenant.key, ...(body === undefined ? {} : { body }) });
const save = async (agentId: string, body: object): Promise<Body> => {
  const answer = await send('POST', `${agentId}/test-cases`, {
    lines: [],
    expectations: [],
    name: 'Case',
    ...body,
  });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body['test_case'] as Body;
};
/** Starts a run and waits until it has ended. */
const run = async (agentId: string, body: object = {}): Promise<Body> => {
  const answer = await send('POST', `${agentId}/test-cases/run`, { wait_seconds: 20, ...body });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body['test_run'] as Body;
};
const runOf = async (agentId: string, runId: unknown): Promise<Body> =>
  (await send('GET', `${agentId}/test-runs/${String(runId)}`)).body['test_run'] as Body;

const SCRIPT = {
  intro_message: 'Hello, this is Asha from City Dental. Is this {{callee_name}}?',
  task: '1. Ask: "Which day suits you?"\n2. Use tool find_slots.\n3. Say "We have a slot at {{slot}}."\n4. Thank them and say goodbye.',
};
const LINES = ['Yes, speaking.', 'Tuesday please.', 'No, thank you.'];
const findSlots = () => ({
  type: 'API_TOOL',
  name: 'find_slots',
  description: 'Finds a free slot.',
  method: 'POST',
  url: `${server.origin}/slots`,
  body: { day: { source: 'argument', type: 'string' } },
  result_variables: { slot: 'slot.time' },
});
/** An agent of the script above, with the tool and a transfer. */
async function bookingAgent(change: object = {}): Promise<{ agentId: string; versionId: string }> {
  const made = await createTestAgent(api, tenant, { ...SCRIPT, ...change });
  const tools = [findSlots(), { type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: '+14155550111' }];
  const edited = await api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { operation: 'edit_on_call_tools', agent_id: made.agentId, on_call_tools: tools },
  });
  expect(edited.status).toBe(200);
  return made;
}
const BOOKING = {
  name: 'Finds a slot on Tuesday',
  custom_args_values: { callee_name: 'Priya' },
  lines: LINES,
  expectations: [
    { type: 'says', any_of: ['is this Priya'], turn: 0 },
    { type: 'calls_tool', tool: 'find_slots', arguments: { day: 'tuesday' } },
    { type: 'says', any_of: ['slot at ten'] },
    { type: 'never_says', any_of: ['discount'] },
    { type: 'ends', as: ['AGENT_ENDED'] },
    { type: 'criterion', criterion: 'The tool "find_slots" is used.' },
  ],
  tool_results: [{ tool: 'find_slots', result: { slot: 'ten' }, variables: { slot: 'ten' } }],
};

describe('a run whose process dies', () => {
  const played: PlayCase = () => Promise.resolve({ turns: [], end: null, failure: null });
  const hung: PlayCase = () => new Promise(() => undefined);
  const runner = (at: ManualClock, play: PlayCase) =>
    testCaseRunner({ db: api.db, clock: at, log: silentLog, play, analystOf: analystsWith() });
  const stateOf = async (agentId: string, runId: unknown): Promise<Body> =>
    (await runOf(agentId, runId))['results'][0] as Body;

  async function interrupted(body: object): Promise<{ agentId: string; result: Body }> {
    const { agentId } = await createTestAgent(api, tenant);
    await save(agentId, {});
    const begun = await run(agentId, { ...body, wait_seconds: 0 });
    expect(begun).toMatchObject({ state: 'running', result: null, counts: { queued: 1 } });
    const at = new ManualClock();
    const first = runner(at, hung);
    first.start();
    await eventually('the case to run', async () =>
      (await stateOf(agentId, begun['run_id']))['state'] === 'running' ? true : null,
    );
    await first.stop(0);
    at.advance(CASE_LEASE_MS);
    const second = runner(at, played);
    second.start();
    const result = await eventually('the case to end', async () => {
      const state = await stateOf(agentId, begun['run_id']);
      return state['ended_at'] === null ? null : state;
    });
    await second.stop();
    return { agentId, result };
  }

  it('is continued by another process', async () => {
    const { agentId, result } = await interrupted({});
    expect(result).toMatchObject({ state: 'passed', error: null });
    const { body } = await send('GET', `${agentId}/test-runs`);
    expect(body['test_runs']).toMatchObject([{ state: 'ended', result: 'passed', counts: { passed: 1 } }]);
  });

  it('calls no tool twice: a case that may have called one is an error', async () => {
    const { result } = await interrupted({ run_tools: true });
    expect(result).toMatchObject({ state: 'error', error: expect.stringContaining('interrupted') });
  });
});

describe('test cases', () => {
  beforeAll(() => chats.start());

  it('are saved, read, changed and deleted', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const made = await save(agentId, BOOKING);
    expect(made).toMatchObject({ ...BOOKING, agent_id: agentId, last_results: [] });
    const path = `${agentId}/test-cases/${String(made['id'])}`;
    const changed = await send('PATCH', path, { name: 'Another name', lines: ['Yes.'], expectations: [] });
    expect(changed.body['test_case']).toMatchObject({
      name: 'Another name',
      lines: ['Yes.'],
      expectations: [],
      custom_args_values: { callee_name: 'Priya' },
    });
    const { body } = await send('GET', `${agentId}/test-cases`);
    expect(body['test_cases']).toEqual([(await send('GET', path)).body['test_case']]);
    expect((await send('DELETE', path)).status).toBe(200);
    expect((await send('GET', path)).body['code']).toBe('TEST_CASE_NOT_FOUND');
    expect((await send('GET', `${agentId}/test-cases`)).body).toEqual({ test_cases: [] });
  });

  it.each([
    [{ expectations: [{ type: 'says', any_of: ['x'], turn: 1 }] }, 'expectations[0].turn must be at most 0'],
    [{ expectations: [{ type: 'sings' }] }, 'must be one of says, never_says'],
    [{ expectations: [{ type: 'says', any_of: [] }] }, 'expectations[0].any_of'],
    [{ lines: [' '] }, 'lines[0]'],
    [{ tool_results: [{ tool: 'x', result: 'y'.repeat(8001) }] }, 'tool_results[0].result'],
    [{ call_id: 'a', chat_id: 'b' }, 'chat_id'],
  ])('are refused with what is wrong (%#)', async (wrong, message) => {
    const { agentId } = await createTestAgent(api, tenant);
    const body = { name: 'Case', lines: [], expectations: [], ...wrong };
    const answer = await send('POST', `${agentId}/test-cases`, body);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain(message);
  });

  it('pass when every expectation holds, with the answers that the case gives for tools', async () => {
    const { agentId, versionId } = await bookingAgent();
    const { id } = await save(agentId, BOOKING);
    const done = await run(agentId);
    const [result] = done['results'] as Body[];
    expect((result!['verdicts'] as Body[]).filter((each) => each['result'] !== 'held')).toEqual([]);
    expect(done).toMatchObject({ state: 'ended', result: 'passed', version_id: versionId, run_tools: false });
    expect(result).toMatchObject({ case_id: id, state: 'passed', end_reason: 'AGENT_ENDED', error: null });
    expect((result!['turns'] as Body[]).map((turn) => turn['line'])).toEqual([null, ...LINES]);
    expect(server.seen).toEqual([]);
    const { body } = await send('GET', `${agentId}/test-cases`);
    const last = (current: boolean) => [
      { version_id: versionId, run_id: done['run_id'], result: 'passed', is_current: current },
    ];
    expect((body['test_cases'] as Body[])[0]?.['last_results']).toMatchObject(last(true));

    // Editing the version makes the result old, and the next run fails.
    api.clock.advance(1000);
    clock.advance(1000);
    const intro = { operation: 'edit_intro_message', agent_id: agentId, intro_message: 'Hello?' };
    await api.request('PATCH', '/api/v0/agent/v1', { key: tenant.key, body: intro });
    const old = await send('GET', `${agentId}/test-cases/${String(id)}`);
    expect((old.body['test_case'] as Body)['last_results']).toMatchObject(last(false));
    const again = await run(agentId, { case_ids: [id], version_id: versionId });
    expect(again['result']).toBe('failed');
    expect((again['results'] as Body[])[0]?.['verdicts'][0]).toEqual({
      result: 'not_held',
      reason: 'The agent did not say “is this Priya”.',
    });
  });

  it('call tools only when the run says so', async () => {
    const { agentId } = await bookingAgent();
    const { tool_results: _none, ...withoutAnswers } = BOOKING;
    await save(agentId, withoutAnswers);
    const dry = await run(agentId);
    expect(dry['result']).toBe('failed');
    expect(server.seen).toEqual([]);
    const real = await run(agentId, { run_tools: true });
    const turns = (real['results'] as Body[])[0]?.['turns'] as Body[];
    expect(turns.flatMap((turn) => turn['replies'] as string[]).join(' ')).toContain('slot at 15:30');
    expect(server.seen.map(({ body }) => body)).toEqual([{ day: 'Tuesday' }]);
  });

  it('end with a transfer as a call does, or with an opt-out, which is not stored', async () => {
    const { agentId } = await bookingAgent();
    const ends = (as: string) => [{ type: 'ends', as: [as] }];
    await save(agentId, { lines: ['I want to talk to a person.'], expectations: ends('CALL_TRANSFERRED') });
    await save(agentId, {
      custom_args_values: { mobile_number: '+14155550199' },
      lines: ['Stop calling me.', 'Never again.'],
      expectations: ends('OPTED_OUT'),
    });
    await save(agentId, { lines: [], expectations: ends('OPEN') });
    const done = await run(agentId);
    expect((done['results'] as Body[]).map((each) => each['end_reason'])).toEqual([
      'CALL_TRANSFERRED',
      'OPTED_OUT',
      null,
    ]);
    expect(done).toMatchObject({ result: 'passed', counts: { passed: 3 } });
    expect(await api.db.selectFrom('do_not_call').selectAll().execute()).toEqual([]);
    expect(await api.db.selectFrom('chats').selectAll().execute()).toEqual([]);
  });

  it('are not judged where a criterion needs a model and there is none', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    await save(agentId, { expectations: [{ type: 'criterion', criterion: 'The agent is kind.' }] });
    expect(await run(agentId)).toMatchObject({ result: 'not_judged', counts: { not_judged: 1 } });
  });

  it('run with chats of a WhatsApp agent, and not without cases or with unknown ones', async () => {
    const { agentId } = await createTestAgent(api, tenant, { ...SCRIPT, agent_type: 'whatsapp' });
    const start = (body: object) => send('POST', `${agentId}/test-cases/run`, body);
    expect((await start({})).body['code']).toBe('NO_TEST_CASES');
    const { id } = await save(agentId, {
      lines: ['Yes.'],
      expectations: [{ type: 'says', any_of: ['which day'] }],
    });
    expect((await run(agentId))['result']).toBe('passed');
    const unknown = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
    expect((await start({ case_ids: [id, unknown] })).body['code']).toBe('TEST_CASE_NOT_FOUND');
    expect((await start({ version_id: unknown })).body['code']).toBe('VERSION_NOT_FOUND');
  });

  it('run from the command line, which exits with 1 when one fails', async () => {
    const { agentId } = await createTestAgent(api, tenant, SCRIPT);
    const says = (phrase: string) => ({ expectations: [{ type: 'says', any_of: [phrase] }] });
    await save(agentId, { name: 'Greets', ...says('hello') });
    await save(agentId, { name: 'Sings', ...says('la la') });
    await api.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.server.server.address() as AddressInfo;
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const spies = (['log', 'error'] as const).map((to) => vi.spyOn(console, to).mockImplementation(print));
    const test = (more: object): Promise<number> =>
      runTestAgent(agentId, {
        url: `http://127.0.0.1:${port}`,
        key: tenant.key,
        case: [],
        agentVersion: undefined,
        strict: false,
        runTools: false,
        json: false,
        ...more,
      });
    const codes = [
      await test({}),
      await test({ case: ['Greets'], agentVersion: 'v1' }),
      await test({ case: ['Dances'] }),
      await test({ key: '' }),
    ];
    for (const spy of spies) spy.mockRestore();
    expect(codes).toEqual([1, 0, 1, 2]);
    expect(lines.slice(0, 4)).toEqual([
      'passed      Greets',
      'failed      Sings',
      '            not held: The agent did not say “la la”.',
      'version v1: 1 failed, 1 passed',
    ]);
    expect(lines.at(-2)).toBe('404: the agent has no test case "Dances"');
  });

  it('saved from a call or a chat are erased with it, with their results', async () => {
    const own = await createHoldings(api, tenant);
    const fromCall = await save(own.agent, { call_id: own.call });
    const fromChat = await save(own.agent, { chat_id: own.chat });
    const kept = await save(own.agent, {});
    const done = await run(own.agent, { case_ids: [fromCall['id'], fromChat['id'], kept['id']] });
    expect(done['results']).toHaveLength(3);
    const erased = await api.request('DELETE', `/api/v0/calling/${own.call}/data`, { key: tenant.key });
    expect([erased.status, erased.text]).toEqual([200, expect.anything()]);
    const left = async (): Promise<unknown[]> => {
      const { body } = await send('GET', `${own.agent}/test-cases`);
      return (body['test_cases'] as Body[]).map((each) => each['id'] as string);
    };
    expect(await left()).toEqual([own.testCase, fromChat['id'], kept['id']]);
    const at = new Date(api.clock.now());
    await api.db.transaction().execute((tx) => eraseChatData(tx, tenant.workspaceId, [own.chat], at));
    expect(await left()).toEqual([own.testCase, kept['id']]);
    const results = (await runOf(own.agent, done['run_id']))['results'] as Body[];
    expect(results.map((each) => each['case_id'])).toEqual([kept['id']]);
  });
});
