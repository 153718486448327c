import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  minimalAgent,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
const CALL_TIME = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'America/New_York' };
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant, {
    intro_message: 'Hello {{callee_name}}, your appointment is {{day}}. See you at {{place|our clinic}}.',
    call_config: { call_time: { ...CALL_TIME, use_callee_timezone: true } },
  }));
});
afterAll(() => api.close());

const place = (change: Record<string, unknown> = {}, path = 'outbound/individual'): Promise<Answer> =>
  api.request('POST', `/api/v0/calling/${path}`, {
    key: tenant.key,
    body: {
      name: 'Priya',
      mobile_number: '+14155550002',
      agent_id: agentId,
      from_number_id: tenant.numberId,
      ...change,
    },
  });
type Data = {
  warnings: { code: string; field: string; message: string }[];
  calling_window: Record<string, unknown>;
  next_attempt_at: string;
  call_sub_status: string;
};
const dataOf = (answer: Answer): Data => answer.body['data'] as Data;
const codes = (answer: Answer) => dataOf(answer).warnings.map(({ code, field }) => `${code} ${field}`);
const ofVariables = (answer: Answer) => codes(answer).filter((code) => code.startsWith('VARIABLE'));
const countCalls = async () =>
  (await api.db.selectFrom('calls').select('id').where('workspace_id', '=', tenant.workspaceId).execute())
    .length;

describe.each(['outbound/individual', 'v2/outbound/individual'])('POST /calling/%s', (path) => {
  it('names a variable without a value and a value of no variable', async () => {
    const answer = await place({ custom_args_values: { Day: 'Monday', dya: 'x' } }, path);
    expect(answer.status).toBe(200);
    expect(ofVariables(answer)).toEqual([
      'VARIABLE_MISSING custom_args_values.day',
      'VARIABLE_UNKNOWN custom_args_values.Day',
      'VARIABLE_UNKNOWN custom_args_values.dya',
    ]);
    expect(dataOf(answer).warnings[1]?.message).toBe('is not a variable of this agent; did you mean day?');
    expect(ofVariables(await place({ custom_args_values: { day: ' ' } }, path))).toEqual([
      'VARIABLE_MISSING custom_args_values.day',
    ]);
    expect(ofVariables(await place({ custom_args_values: { day: 'Monday' } }, path))).toEqual([]);
  });

  it('refuses a do-not-call number at once with a code of its own and queues nothing', async () => {
    const number = '+14155550003';
    await api.db
      .insertInto('do_not_call')
      .values({ workspace_id: tenant.workspaceId, number, reason: 'test', created_at: new Date(0) })
      .onConflict((c) => c.doNothing())
      .execute();
    const before = await countCalls();
    const answer = await place({ mobile_number: number }, path);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'DO_NOT_CALL', errors: [{ field: 'mobile_number' }] });
    expect(await countCalls()).toBe(before);
  });
});

describe('the calling window of a call', () => {
  it('is that of the agent, on the callee’s clock', async () => {
    const answer = await place({ custom_args_values: { day: 'Monday' } });
    expect(dataOf(answer).calling_window).toMatchObject({
      start: '00:00',
      end: '00:00',
      timezone: 'America/New_York',
      source: 'agent',
      callee_timezone: 'America/Los_Angeles',
      is_open: true,
      opens_at: null,
      next_dial_at: '2026-01-05T02:00:00-08:00',
    });
  });

  it('says until when a call waits, and for whose window', async () => {
    const call_time = { call_start_time: '09:00', call_end_time: '17:00', slots: null };
    const answer = await place({ call_config: { call_time }, custom_args_values: { day: 'Monday' } });
    expect(dataOf(answer)).toMatchObject({
      call_sub_status: 'WINDOW_CLOSED',
      next_attempt_at: '2026-01-05T17:00:00.000Z',
      calling_window: { source: 'call', is_open: false, opens_at: '2026-01-05T09:00:00-08:00' },
      warnings: [{ code: 'WINDOW_CLOSED', field: 'call_config.call_time' }],
    });
    expect(dataOf(answer).warnings[0]?.message).toBe(
      "the call's calling window (09:00 to 17:00 on the callee's clock) is closed: the call waits until 2026-01-05T09:00:00-08:00 (America/Los_Angeles)",
    );
  });

  it('warns of the default that nobody chose, and of a phone that rings at night', async () => {
    const { agentId: other } = await createTestAgent(api, tenant);
    const answer = await place({ agent_id: other });
    expect(dataOf(answer).calling_window).toMatchObject({ source: 'default', timezone: 'Asia/Kolkata' });
    expect(codes(answer)).toEqual([
      'DEFAULT_CALL_TIME call_config.call_time',
      'NIGHT_AT_CALLEE call_config.call_time',
    ]);
    expect(dataOf(answer).warnings[1]?.message).toContain('02:00');
  });

  it('is the agent’s when a request gave the values of the default', async () => {
    const { agentId: other } = await createTestAgent(api, tenant, {
      call_config: { call_time: { timezone: 'Asia/Kolkata' } },
    });
    expect(dataOf(await place({ agent_id: other })).calling_window).toMatchObject({ source: 'agent' });
  });
});

describe('the variables of an agent', () => {
  it('follow an edit of its version at once', async () => {
    const { agentId: other } = await createTestAgent(api, tenant, {
      call_config: { call_time: CALL_TIME },
      intro_message: 'Hello {{one}}.',
    });
    const call = { agent_id: other, mobile_number: '+12125550123', custom_args_values: { one: 'x' } };
    expect(codes(await place(call))).not.toContain('VARIABLE_MISSING custom_args_values.two');
    const edited = await api.request('PATCH', `/api/v0/public/agent/${other}`, {
      key: tenant.key,
      body: { intro_message: 'Hello {{two}}.' },
    });
    expect(edited.status).toBe(200);
    expect(codes(await place(call))).toContain('VARIABLE_MISSING custom_args_values.two');
  });
});

const test = (custom_args_values: Record<string, string>): Promise<Answer> =>
  api.request('POST', `/api/v0/agent/${agentId}/test`, { key: tenant.key, body: { custom_args_values } });

describe('a test run', () => {
  it('names what its values lack, and its first message has no gap', async () => {
    const { body } = await test({ callee_name: 'Ana', dya: 'x' });
    expect(body['warnings']).toMatchObject([
      { code: 'VARIABLE_MISSING', field: 'custom_args_values.day' },
      { code: 'VARIABLE_UNKNOWN', field: 'custom_args_values.dya' },
    ]);
    expect(body['reply']).toBe('Hello Ana. See you at our clinic.');
  });
});

describe('a session that a server opens, and a run of test cases', () => {
  const post = (path: string, body: object): Promise<Answer> =>
    api.request('POST', `/api/v0${path}`, { key: tenant.key, body });
  const missing = { code: 'VARIABLE_MISSING', field: 'custom_args_values.day' };

  it('name what their values lack', async () => {
    const args = { custom_args_values: { callee_name: 'Ana' } };
    const call = await post('/calling/webcall/session', { agent_id: agentId, ...args });
    const chat = await post('/chat/web/session', { agent_id: agentId, ...args });
    expect([call.body['warnings'], chat.body['warnings']]).toMatchObject([[missing], [missing]]);
    const made = {
      name: 'Ana comes',
      lines: ['Hello.'],
      expectations: [{ type: 'ends', as: ['OPEN'] }],
      ...args,
    };
    expect((await post(`/agent/${agentId}/test-cases`, made)).status).toBe(200);
    const run = await post(`/agent/${agentId}/test-cases/run`, {});
    expect(run.body['warnings']).toMatchObject([{ ...missing, field: 'Ana comes: custom_args_values.day' }]);
  });
});

describe('a created agent', () => {
  it('says when its calls leave, and whether a request chose that', async () => {
    const create = async (call_config: object) => {
      const body = { ...minimalAgent(), call_config };
      const answer = await api.request('POST', '/api/v0/public/agent', { key: tenant.key, body });
      return answer.body['data'];
    };
    expect(await create({})).toMatchObject({
      calling_window: { start: '09:00', end: '21:00', timezone: 'Asia/Kolkata', source: 'default' },
      warnings: [{ code: 'DEFAULT_CALL_TIME', field: 'call_config.call_time' }],
    });
    expect(await create({ call_time: CALL_TIME })).toMatchObject({
      calling_window: { timezone: 'America/New_York', source: 'agent' },
      warnings: [],
    });
  });
});

describe('a workspace with strict_variables', () => {
  it('refuses calls that lack a variable or name an unknown one, and queues nothing', async () => {
    const { key } = tenant;
    const path = '/api/v0/workspace/settings';
    expect((await api.request('GET', path, { key })).body).toEqual({
      strict_variables: false,
      rehearses_drafts: false,
      checked_calls_percent: 100,
      announces_people: false,
      joining_texts: [],
      notice_addresses: [],
      timezone: 'UTC',
      timezone_change: null,
      country: null,
      only_destinations: null,
      open_destinations: [],
      outbound_paused: null,
    });
    const changed = await api.request('PATCH', path, { key, body: { strict_variables: true } });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        strict_variables: true,
        rehearses_drafts: false,
        checked_calls_percent: 100,
        announces_people: false,
        joining_texts: [],
        notice_addresses: [],
        timezone: 'UTC',
        timezone_change: null,
        country: null,
        only_destinations: null,
        open_destinations: [],
        outbound_paused: null,
      },
    ]);
    const before = await countCalls();
    const answer = await place({ custom_args_values: { foo: 'x' } });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'custom_args_values.day' }, { field: 'custom_args_values.foo' }],
    });
    expect(await countCalls()).toBe(before);
    expect((await place({ custom_args_values: { day: 'Monday' } })).status).toBe(200);
    const run = await test({ day: 'Monday', foo: 'x' });
    expect([run.status, run.body['errors']]).toMatchObject([
      422,
      [{ field: 'custom_args_values.callee_name' }, { field: 'custom_args_values.foo' }],
    ]);
    for (const [made, field] of [
      ['/calling/webcall/session', 'custom_args_values.day'],
      ['/chat/web/session', 'custom_args_values.day'],
      [`/agent/${agentId}/test-cases/run`, 'Ana comes: custom_args_values.day'],
    ] as const) {
      const session = { agent_id: agentId, custom_args_values: { callee_name: 'Ana' } };
      const body = made.endsWith('/run') ? {} : session;
      const refused = await api.request('POST', `/api/v0${made}`, { key, body });
      expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ field }]]);
    }
  });
});
