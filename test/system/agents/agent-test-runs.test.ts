import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import {
  createTestAgent,
  createTestApi,
  createTenant,
  type TestApi,
  type Tenant,
} from '../../helpers/api/api.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import { startToolServer, type ToolServer } from '../../helpers/agents/tool-server.ts';
import { openToAll } from '../../helpers/service/open-addresses.ts';

let api: TestApi;
let chats: Chats;
let tenant: Tenant;
let server: ToolServer;

beforeAll(async () => {
  server = await startToolServer(() => ({ body: { slot: { time: '15:30' }, note: 'free' } }));
  const database = await createTestDatabase();
  const clock = new ManualClock();
  chats = offlineChats({ db: database.db, clock, reachable: openToAll('127.0.0.1') });
  api = await createTestApi({ chats: chats.desk }, database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api?.close();
  await chats?.stop();
  await server?.close();
});

const run = async (agentId: string, body: object, key = tenant.key) =>
  api.request('POST', `/api/v0/agent/${agentId}/test`, { key, body });
const edit = (body: object) => api.request('PATCH', '/api/v0/agent/v1', { key: tenant.key, body });

const SCRIPT = {
  intro_message: 'Hello, this is Asha from City Dental. Is this {{callee_name}}?',
  task: '1. Ask: "Does Monday at ten suit you?"\n2. Say goodbye.',
};

describe('a test run of an agent', () => {
  it('begins with the first message, rendered, and goes on in the same session', async () => {
    const { agentId } = await createTestAgent(api, tenant, SCRIPT);
    const first = await run(agentId, { custom_args_values: { callee_name: 'Priya' } });
    expect(first.status).toBe(200);
    expect(first.body['reply']).toBe('Hello, this is Asha from City Dental. Is this Priya?');
    const session_id = first.body['session_id'];

    const second = await run(agentId, { session_id, message: 'Yes, speaking.' });
    expect(second.body).toMatchObject({ session_id, state: 'open' });
    expect(second.body['turns']).toHaveLength(1);
    expect(second.body['reply']).toContain('Does Monday at ten suit you?');
  });

  it('answers several messages of one request in order, until the agent ends the conversation', async () => {
    const { agentId } = await createTestAgent(api, tenant, SCRIPT);
    const { body } = await run(agentId, {
      messages: ['Yes, this is she.', 'Yes, that suits me.', 'Thank you, bye.', 'Anyone there?'],
    });
    const turns = body['turns'] as { message: string | null; reply: string; end_reason: string | null }[];
    expect(turns[0]?.message).toBeNull();
    expect(turns[1]?.message).toBe('Yes, this is she.');
    expect(body['state']).toBe('closed');
    expect(turns.at(-1)?.end_reason).toBe('AGENT_ENDED');
    const again = await run(agentId, { session_id: body['session_id'], message: 'Hello?' });
    expect([again.status, again.body['code']]).toEqual([400, 'CHAT_CLOSED']);
  });

  it('reports an opt-out, and stores none', async () => {
    const { agentId } = await createTestAgent(api, tenant, SCRIPT);
    const args = { callee_name: 'Priya', mobile_number: '+14155550199' };
    const { body } = await run(agentId, { message: 'Stop calling me.', custom_args_values: args });
    expect(body['turns']).toMatchObject([{}, { opted_out: true, end_reason: 'OPTED_OUT' }]);
    expect(await api.db.selectFrom('do_not_call').selectAll().execute()).toEqual([]);
  });

  it('is in no history, and is not found by another workspace', async () => {
    const { agentId } = await createTestAgent(api, tenant, SCRIPT);
    const { body } = await run(agentId, {});
    const history = await api.request('GET', '/api/v0/chat/history', { key: tenant.key });
    expect(history.body).toMatchObject({ chats: [], total: 0 });
    const other = await createTenant(api);
    const foreign = await run(agentId, { session_id: body['session_id'], message: 'x' }, other.key);
    expect([foreign.status, foreign.body['code']]).toEqual([404, 'CHAT_NOT_FOUND']);
    const details = await api.request('GET', `/api/v0/chat/details?id=${String(body['session_id'])}`, {
      key: other.key,
    });
    expect(details.status).toBe(404);
  });

  it('refuses an unknown agent and two kinds of messages', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    expect((await run('00000000-0000-7000-8000-000000000000', {})).status).toBe(404);
    expect((await run(agentId, { message: 'a', messages: ['b'] })).status).toBe(422);
  });
});

const lookUpSlot = (url: string) => ({
  type: 'API_TOOL',
  name: 'look_up_slot',
  description: 'Looks up a free slot.',
  method: 'POST',
  url,
  body: { day: { source: 'argument', type: 'string' }, who: '{{callee_name}}' },
  result_variables: { slot_time: 'slot.time' },
});

describe('a test run of a tool', () => {
  it('sends the real request and shows its answer and variables', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const operation = { operation: 'edit_on_call_tools', agent_id: agentId };
    expect((await edit({ ...operation, on_call_tools: [lookUpSlot(`${server.origin}/slot`)] })).status).toBe(
      200,
    );
    const answer = await api.request('POST', `/api/v0/agent/${agentId}/tools/test`, {
      key: tenant.key,
      body: {
        tool: 'look_up_slot',
        arguments: { day: 'Monday' },
        custom_args_values: { callee_name: 'Priya' },
      },
    });
    expect(answer.body).toMatchObject({
      ok: true,
      result: { status: 200, data: { note: 'free' } },
      variables: { slot_time: '15:30' },
    });
    expect(server.seen.at(-1)?.body).toEqual({ day: 'Monday', who: 'Priya' });
  });

  it('answers 404 for an unknown tool and 400 for one that sends no request', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    await edit({
      operation: 'edit_on_call_tools',
      agent_id: agentId,
      on_call_tools: [{ type: 'END_CALL_TOOL' }],
    });
    const test = (tool: string) =>
      api.request('POST', `/api/v0/agent/${agentId}/tools/test`, { key: tenant.key, body: { tool } });
    expect((await test('nothing')).body['code']).toBe('TOOL_NOT_FOUND');
    expect((await test('end_call')).body['code']).toBe('TOOL_NOT_TESTABLE');
  });
});
