import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { connectWebChat } from '../../../src/domain/web-chats/connect-web-chat.ts';
import { newId } from '../../../src/shared/ids.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

const PAGE = 'https://www.example.com';
const OWN = 'http://callwright.test';
const CALL = '/calling/webcall';
const CHAT = '/chat/web';

let api: TestApi;
let tenant: Tenant;
let other: Tenant;
let agentId: string;
let publicKey: string;
const nodeId = newId();
beforeAll(async () => {
  api = await createTestApi();
  [tenant, other] = [await createTenant(api), await createTenant(api)];
  ({ agentId } = await createTestAgent(api, tenant));
  const { body } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
  publicKey = (body['agents'] as { webcall_public_key: string }).webcall_public_key;
  await edit('edit_agent_whitelisted_domains', { whitelisted_domains: [OWN, PAGE] });
  await registerNode(api.db, { id: nodeId, name: 'web', roles: 'api,media' }, new Date(api.clock.now()));
});
afterAll(() => api.close());

const edit = (operation: string, fields: object) =>
  api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { operation, agent_id: agentId, ...fields },
  });
const rules = async (web_sessions: object): Promise<void> => {
  const { status, text } = await edit('edit_web_sessions', { web_sessions });
  expect([status, text]).toEqual([200, text]);
};
const open = (path: string, more: object = {}, key = tenant.key) =>
  api.request('POST', `/api/v0${path}/session`, {
    key,
    body: { agent_id: agentId, custom_args_values: { callee_name: 'Priya' }, ...more },
  });
/** What a page with the public key sends. */
const openAsPage = (path: string, args: object) =>
  api.request('POST', `/api/v0${path}`, {
    key: publicKey,
    body: { agent_id: agentId, custom_args_values: args },
    headers: { origin: PAGE },
  });
const connect = (path: string, token: unknown, origin: string | null = PAGE) => {
  const deps = { db: api.db, clock: api.clock };
  if (path === CHAT) return connectWebChat(deps, { token: String(token), origin });
  const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
  return takeWebCall({ ...deps, rate, nodeId: () => nodeId }, { token: String(token), origin });
};
const argsOf = async (path: string, body: Record<string, unknown>): Promise<unknown> => {
  const id = String(body['call_id'] ?? body['chat_id']);
  const row = await api.db
    .selectFrom(path === CHAT ? 'chats' : 'calls')
    .select('args')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.args;
};

describe.each([CALL, CHAT])('POST %s/session', (path) => {
  it('fixes the variables: the page that connects is Priya, whatever it sends', async () => {
    const { status, body } = await open(path);
    expect(status).toBe(200);
    const ready = await connect(path, body['token']);
    expect(ready).not.toHaveProperty('refuse');
    expect(await argsOf(path, body)).toEqual({ callee_name: 'Priya' });
    expect(await connect(path, body['token'])).toMatchObject({ refuse: 401 });
  });

  it('expires when it says, within an hour', async () => {
    const { body } = await open(path, { expires_in: 600 });
    expect(body['expires_at']).toBe(new Date(api.clock.now() + 600_000).toISOString());
    const late = await open(path, { expires_in: 10 });
    api.clock.advance(10_001);
    expect(await connect(path, late.body['token'])).toMatchObject({ refuse: 401 });
    expect(await connect(path, body['token'])).not.toHaveProperty('refuse');
    for (const expires_in of [9, 3601]) {
      const answer = await open(path, { expires_in });
      expect([answer.status, answer.body['message']]).toEqual([
        422,
        expect.stringMatching(/^expires_in must/),
      ]);
    }
  });

  it('serves any page or app, or only the page of the origin that it names', async () => {
    const free = await open(path);
    expect(await connect(path, free.body['token'], null)).not.toHaveProperty('refuse');
    const bound = await open(path, { origin: `${PAGE}/` });
    expect(await connect(path, bound.body['token'], 'https://thief.example')).toMatchObject({ refuse: 403 });
    expect(await connect(path, bound.body['token'], null)).toMatchObject({ refuse: 403 });
    expect(await connect(path, bound.body['token'])).not.toHaveProperty('refuse');
    const unlisted = await open(path, { origin: 'https://thief.example' });
    expect([unlisted.status, unlisted.body['code']]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    for (const origin of [`${PAGE}/path`, 'nonsense', 'file:///x']) {
      const answer = await open(path, { origin });
      expect([answer.status, answer.body['message']]).toEqual([422, expect.stringMatching(/^origin must/)]);
    }
  });

  it("returns 404 for an agent of another workspace, and 401 for the agent's public key", async () => {
    const foreign = await open(path, {}, other.key);
    expect([foreign.status, foreign.body['message']]).toEqual([404, 'Agent not found']);
    expect((await open(path, {}, publicKey)).status).toBe(401);
  });

  it('is the only way in where the agent requires it', async () => {
    await rules({ require_session: true });
    const refused = await openAsPage(path, { callee_name: 'Mallory' });
    expect([refused.status, refused.body['code']]).toEqual([403, 'SESSION_REQUIRED']);
    expect((await open(path)).status).toBe(200);
    await rules({ require_session: false });
    expect((await openAsPage(path, { callee_name: 'Mallory' })).status).toBe(200);
  });

  it('may set variables that a page with the public key may not', async () => {
    await rules({ page_variables: ['language'] });
    const refused = await openAsPage(path, { language: 'en', callee_name: 'Mallory' });
    expect([refused.status, refused.body['message']]).toEqual([
      422,
      'custom_args_values.callee_name must be left out: a page may set only the variables of web_sessions.page_variables',
    ]);
    expect((await openAsPage(path, { language: 'en' })).status).toBe(200);
    expect((await open(path)).status).toBe(200);
    await rules({ page_variables: null });
  });
});

describe('sessions of browser calls', () => {
  it('answer 402 without balance, and lock credits of the workspace as other calls do', async () => {
    const poor = await createTenant(api, { credits: 0 });
    const { agentId: theirs } = await createTestAgent(api, poor);
    expect((await open(CALL, { agent_id: theirs }, poor.key)).status).toBe(402);
    const { body } = await open(CALL);
    await connect(CALL, body['token']);
    const attempt = await api.db
      .selectFrom('call_attempts')
      .select('workspace_id')
      .where('call_id', '=', String(body['call_id']))
      .executeTakeFirst();
    expect(attempt).toEqual({ workspace_id: tenant.workspaceId });
    const { locked_credits: locked } = await api.db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(locked).toBeGreaterThan(0);
  });

  it('show their settings in the version', async () => {
    await rules({ require_session: true, page_variables: ['language'] });
    const { body } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
    const versions = (body['agents'] as { version_details: Record<string, object> }).version_details;
    expect(Object.values(versions)).toMatchObject([
      { web_sessions: { require_session: true, page_variables: ['language'] } },
    ]);
    await rules({ require_session: false, page_variables: null });
  });
});
