import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessOf } from '../../../src/domain/access/table.ts';
import { VERSION } from '../../../src/shared/version.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { makeKey } from '../../helpers/api/principals.ts';
import { packedFixture } from '../../helpers/sip/replays.ts';
import { connectMcp, type McpClient } from '../../helpers/agents/mcp-client.ts';

let api: TestApi;
let tenant: Tenant;
let own: McpClient;
beforeAll(async () => {
  api = await createTestApi();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  tenant = await createTenant(api, { trunkKind: 'test' });
  await api.db.updateTable('numbers').set({ provider: 'test' }).where('id', '=', tenant.numberId).execute();
  own = await connectMcp(api, tenant.key);
});
afterAll(async () => {
  await own?.client.close();
  await api?.close();
});

const namesOf = async ({ client }: McpClient): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);
const post = (body: unknown, headers: Record<string, string> = { 'x-api-key': tenant.key }) =>
  api.request('POST', '/mcp', { body, headers });
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the official client', () => {
  it('initializes, pings and lists tools with an object schema and a description each', async () => {
    expect(own.client.getServerVersion()).toMatchObject({ name: 'callwright', version: VERSION });
    expect(own.client.getInstructions()).toContain('list_voices');
    await expect(own.client.ping()).resolves.toEqual({});
    const { tools } = await own.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_agents', 'create_agent', 'run_test_cases', 'explain_call']),
    );
    for (const { name, description = '', inputSchema } of tools) {
      expect([name, description.length > 20, inputSchema.type]).toEqual([name, true, 'object']);
    }
    expect(JSON.stringify(tools)).not.toContain('"x-rule"');
  });

  it('calls a tool, and gets the refusals of the API as errors of the tool', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    expect((await own.call('get_agent', { agent_id: agentId })).body['agents']['id']).toBe(agentId);
    const unknown = await own.call('get_call', { id: '00000000-0000-7000-8000-000000000000' });
    expect([unknown.isError, unknown.body['code']]).toEqual([true, 'CALL_NOT_FOUND']);
    const misspelt = await own.call('list_calls', { limt: 3 });
    expect([misspelt.isError, misspelt.text]).toEqual([true, expect.stringContaining('limit')]);
    const lacking = await own.call('create_agent', { agent_name: 'A' });
    expect([lacking.isError, lacking.text]).toEqual([true, expect.stringContaining('intro_message')]);
    const wrong = await own.call('get_agent', { agent_id: '../../workspace' });
    expect(wrong).toMatchObject({ isError: true, text: 'agent_id must be an id' });
  });

  it('describes an edit, makes it, and leaves the audit entry of the API', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const shape = await own.call('describe_agent_edit', { operation: 'edit_intro_message' });
    expect(shape.body['schema'].required).toContain('intro_message');
    const edited = await own.call('edit_agent', {
      agent_id: agentId,
      operation: 'edit_intro_message',
      fields: { intro_message: 'Good day.' },
    });
    expect(edited).toMatchObject({ isError: false, body: { agent_id: agentId } });
    const log = await api.request('GET', '/api/v0/workspace/audit-log?action=editAgent', { key: tenant.key });
    expect(log.text).toContain(agentId);
    expect(await own.call('describe_agent_edit', { operation: 'x' })).toMatchObject({ isError: true });
  });

  it('changes an agent in a draft, shows the difference, and publishes it', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const id = { agent_id: agentId };
    const active = async (): Promise<unknown> =>
      (await own.call('get_agent', id)).body['agents']['active_agent_version_id'];
    const before = await active();
    expect((await own.call('get_draft', id)).isError).toBe(true);
    const opened = await own.call('open_draft', id);
    expect([opened.isError, opened.text]).toEqual([false, expect.stringContaining('version_id')]);
    const { body: draft } = await own.call('get_draft', id);
    const version_id: unknown = draft['draft']['version_id'];
    const edit = { ...id, version_id, operation: 'edit_intro_message' };
    await own.call('edit_agent', { ...edit, fields: { intro_message: 'Changed in a draft.' } });
    expect(await active()).toBe(before);
    const { body: shown } = await own.call('get_draft_difference', id);
    expect(JSON.stringify(shown['difference']['draft'])).toContain('draft.');
    const stale = await own.call('publish_draft', { ...id, if_draft: 'another', if_live: shown['live_tag'] });
    expect(stale.isError).toBe(true);
    const tags = { if_draft: shown['draft_tag'], if_live: shown['live_tag'] };
    const published = await own.call('publish_draft', { ...id, ...tags });
    expect([published.isError, published.isError ? published.text : '']).toEqual([false, '']);
    expect(await active()).not.toBe(before);
    await own.call('open_draft', id);
    expect((await own.call('discard_draft', id)).isError).toBe(false);
    expect((await own.call('get_draft', id)).isError).toBe(true);
  });

  it('places a test call from a number of the built-in test carrier only', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const placed = await own.call('place_test_call', { agent_id: agentId, name: 'Priya' });
    expect([placed.isError, placed.body['data']?.agent_id]).toEqual([false, agentId]);
    const call = await own.call('get_call', { id: placed.body['data'].call_id });
    expect(call.text).toContain(tenant.number);
    const real = await createTenant(api);
    const { client, call: callReal } = await connectMcp(api, real.key);
    const agent = await createTestAgent(api, real);
    expect(await callReal('place_test_call', { agent_id: agent.agentId })).toMatchObject({
      isError: true,
      text: 'the workspace has no number on the built-in test carrier',
    });
    await client.close();
  });

  it('explains a call that has not begun: details, and the reason why there are no decisions', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const placed = await own.call('place_test_call', { agent_id: agentId });
    const { isError, body } = await own.call('explain_call', { id: placed.body['data'].call_id });
    expect([isError, body['call'].id, body['decisions']]).toEqual([false, placed.body['data'].call_id, null]);
    expect(body['decisions_missing']).toEqual(expect.any(String));
  });

  it('explains a call with the decisions of its event log', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const placed = await own.call('place_test_call', { agent_id: agentId });
    const id = String(placed.body['data'].call_id);
    const record = { workspace_id: tenant.workspaceId, call_id: id, transcript: '[]' };
    await api.db
      .insertInto('call_records')
      .values({ ...record, event_log: packedFixture('booking'), updated_at: new Date(api.clock.now()) })
      .execute();
    const { body } = await own.call('explain_call', { id });
    expect(body['decisions']).toMatchObject({
      decides_the_same: true,
      time_line: expect.arrayContaining([{ seconds: 4.5, source: 'caller', text: 'is understood: "yes"' }]),
    });
    expect(body['call'].transcript).toEqual([]);
  });

  it('reads every list of a workspace without an error', async () => {
    const empty = await createTenant(api);
    const { client, call } = await connectMcp(api, empty.key);
    const lists = (await client.listTools()).tools.filter(
      ({ annotations, inputSchema }) =>
        annotations?.readOnlyHint === true && (inputSchema.required ?? []).length === 0,
    );
    expect(lists.length).toBeGreaterThan(7);
    const failed: string[] = [];
    for (const { name } of lists) {
      const { isError, text } = await call(name);
      if (isError) failed.push(`${name}: ${text}`);
    }
    expect(failed).toEqual([]);
    await client.close();
  });
});

describe('a scoped key', () => {
  it('sees and reaches the tools of its scopes alone', async () => {
    const { key } = await makeKey(api, tenant, ['agents:read']);
    const reader = await connectMcp(api, key);
    const names = await namesOf(reader);
    expect(names).toEqual(expect.arrayContaining(['list_agents', 'get_agent', 'list_test_cases']));
    expect(names).not.toContain('create_agent');
    expect(names).not.toContain('list_calls');
    await expect(reader.call('create_agent', {})).rejects.toThrow('this key reaches no tool create_agent');
    expect((await reader.call('list_agents')).isError).toBe(false);
    await reader.client.close();
  });

  it('without calls:write cannot place a test call, which needs two scopes', async () => {
    const { key } = await makeKey(api, tenant, ['numbers:read']);
    const reader = await connectMcp(api, key);
    expect(await namesOf(reader)).toEqual(['list_numbers']);
    await reader.client.close();
    expect([accessOf('listNumbers').scope, accessOf('placeCall').scope]).toEqual([
      'numbers:read',
      'calls:write',
    ]);
  });

  it('reaches tools from its addresses alone, also behind a proxy', async () => {
    const proxied = await createTestApi({ trustProxy: ['192.0.2.1'] });
    const owner = await createTenant(proxied);
    const { key } = await makeKey(proxied, owner, ['agents:read'], { allowedAddresses: ['203.0.113.7'] });
    const params = { name: 'list_agents' };
    const from = (client: string) =>
      proxied.request('POST', '/mcp', {
        address: '192.0.2.1',
        body: { ...PING, method: 'tools/call', params },
        headers: { 'x-api-key': key, 'x-forwarded-for': client },
      });
    expect((await from('203.0.113.7')).body['result']).toMatchObject({ isError: false });
    const refused = await from('203.0.113.8');
    expect([refused.status, refused.body['code']]).toEqual([403, 'KEY_ADDRESS']);
    await proxied.close();
  });

  it('finds nothing of another workspace', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const other = await createTenant(api);
    const { client, call } = await connectMcp(api, other.key);
    expect((await call('get_agent', { agent_id: agentId })).body['code']).toBe('AGENT_NOT_FOUND');
    await client.close();
  });
});

describe('POST /mcp', () => {
  it('refuses strangers, wrong keys and pages of other sites', async () => {
    expect((await post(PING, {})).status).toBe(401);
    expect((await post(PING, { 'x-api-key': 'cw_key_wrong' })).status).toBe(401);
    const page = { 'x-api-key': tenant.key, origin: 'https://evil.example' };
    expect((await post(PING, page)).status).toBe(403);
  });

  it('answers notifications with 202, and GET and DELETE with 405', async () => {
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    for (const method of ['GET', 'DELETE'] as const) {
      const refused = await api.request(method, '/mcp', { key: tenant.key });
      expect([method, refused.status, refused.headers['allow']]).toEqual([method, 405, 'POST']);
    }
  });

  it('refuses batches, other versions of the protocol and unknown methods', async () => {
    const batch = await post([PING]);
    expect([batch.status, batch.body['error']]).toEqual([400, expect.objectContaining({ code: -32_600 })]);
    const old = await post(PING, { 'x-api-key': tenant.key, 'mcp-protocol-version': '1999-01-01' });
    expect(old.status).toBe(400);
    const unknown = await post({ ...PING, method: 'resources/list' });
    expect([unknown.status, unknown.body['error']]).toMatchObject([200, { code: -32_601 }]);
    const shapeless = await post({ ...PING, method: 'tools/call', params: { name: 3 } });
    expect(shapeless.body['error']).toMatchObject({ code: -32_602 });
  });

  it('counts messages and the requests of tools against the rates of the workspace', async () => {
    const limits = { read: 2, write: 0, dial: 0, authFailures: 0 };
    const slow = await createTestApi({ rateLimits: limits });
    const { key } = await createTenant(slow);
    const send = () => slow.request('POST', '/mcp', { key, body: PING });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([200, 200, 429]);
    await slow.close();
  });
});

it('docs/mcp.md and the skill name every tool, and no other', async () => {
  const names = await namesOf(own);
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const page = await read('docs/mcp.md');
  const listed = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => String(name));
  expect(listed.toSorted()).toEqual(names.toSorted());
  const skill = await read('docs/skills/callwright/SKILL.md');
  const mentioned = [...skill.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
  const others = ['agent_id', 'version_id', 'wait_seconds', 'call_id', 'primary_language', 'voice_id'];
  const edits = ['create_version', 'activate_version', 'edit_flow'];
  expect(mentioned.filter((name) => ![...names, ...others, ...edits].includes(String(name)))).toEqual([]);
  expect(mentioned).toContain('explain_call');
});
