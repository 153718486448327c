import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { readShapes, sampleOf } from '../../helpers/api/api-surface.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { newId } from '../../../src/shared/ids.ts';
import { sql } from 'kysely';

const PAGE = 'https://www.example.com';
/** Those for public keys. */
const PUBLIC = new Set(['openWebCall', 'openWebChat']);
const ENTRY = '/api/v0/calling/webcall';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let key: string;
let own: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
  key = await publicKey(api, tenant, agentId);
  own = 'https://calls.example.com';
  const links = await api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { operation: 'edit_agent_whitelisted_domains', agent_id: agentId, whitelisted_domains: [PAGE] },
  });
  own = /address (\S+)/.exec(JSON.stringify(links.body))?.[1]?.replace(/["\\].*$/, '') ?? own;
  await allow(api, tenant, agentId, [own, PAGE]);
});
afterAll(() => api.close());

async function publicKey(on: TestApi, of: Tenant, id: string): Promise<string> {
  const { body } = await on.request('GET', `/api/v0/agent/${id}`, { key: of.key });
  return (body['agents'] as { webcall_public_key: string }).webcall_public_key;
}
async function allow(on: TestApi, of: Tenant, id: string, domains: readonly string[]): Promise<void> {
  const { status } = await on.request('PATCH', '/api/v0/agent/v1', {
    key: of.key,
    body: { operation: 'edit_agent_whitelisted_domains', agent_id: id, whitelisted_domains: domains },
  });
  expect(status).toBe(200);
}
const open = (with_: {
  key?: string;
  origin?: string | null;
  agent?: string;
  on?: TestApi;
  address?: string;
  entry?: string;
}) => {
  const { origin = PAGE } = with_;
  return (with_.on ?? api).request('POST', with_.entry ?? ENTRY, {
    key: with_.key ?? key,
    body: { agent_id: with_.agent ?? agentId, custom_args_values: { callee_name: 'Priya' } },
    headers: origin === null ? {} : { origin },
    ...(with_.address === undefined ? {} : { address: with_.address }),
  });
};

describe('the public entry of browser calls', () => {
  it('answers a page of a listed origin with a call, a token and the address of the WebSocket', async () => {
    const { status, body, headers } = await open({});
    expect(status).toBe(200);
    expect(body).toEqual({
      call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      ws_url: expect.stringMatching(/^wss?:\/\/.*\/web-call$/),
      warnings: expect.any(Array),
    });
    expect(headers['access-control-allow-origin']).toBe(PAGE);
    const { rows: stored } = await sql`select * from web_call_tokens`.execute(api.db);
    expect(JSON.stringify(stored)).not.toContain(body['token']);
  });

  it.each([
    ['another origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'https://thief.example' }],
    ['a subdomain of a listed origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'https://a.www.example.com' }],
    ['another scheme', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'http://www.example.com' }],
    ['no origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: null }],
    ['an opaque origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'null' }],
    ['a wrong key', 401, 'INVALID_CREDENTIALS', { key: 'cw_pub_wrong' }],
    ['the key of another agent', 401, 'INVALID_CREDENTIALS', { agent: newId() }],
  ])('refuses %s', async (_what, status, code, with_) => {
    const answer = await open(with_);
    const readable = answer.headers['access-control-allow-origin'] ?? null;
    expect([answer.status, answer.body['code'], readable]).toEqual([
      status,
      code,
      status === 403 ? null : PAGE,
    ]);
  });

  it('refuses the API key of the workspace', async () => {
    expect((await open({ key: tenant.key })).status).toBe(401);
  });

  it('lets pages of listed origins, and of no other, ask before their request', async () => {
    const ask = (origin: string) =>
      api.server.inject({
        method: 'OPTIONS',
        url: ENTRY,
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const listed = await ask(PAGE);
    expect(listed.statusCode).toBe(204);
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'POST',
      vary: 'origin',
    });
    expect((await ask(own)).statusCode).toBe(204);
    const other = await ask('https://thief.example');
    expect(other.statusCode).toBe(403);
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is, with that of chats, the only endpoint that accepts a public key', async () => {
    const accepted: string[] = [];
    for (const { endpoint, body, key: shape } of await readShapes()) {
      // Links to files take no key of any kind.
      if (PUBLIC.has(endpoint.operationId) || !endpoint.path.startsWith('/api/')) continue;
      const path = endpoint.path.replaceAll(/\{\w+\}/g, newId());
      const { status } = await api.request(endpoint.method.toUpperCase() as 'GET', path, {
        key,
        headers: { origin: PAGE },
        ...(body === null || endpoint.method.toUpperCase() === 'GET' ? {} : { body: sampleOf(body) }),
      });
      if (status !== 401) accepted.push(`${shape} ${status}`);
    }
    expect(accepted).toEqual([]);
  }, 180_000);

  it.each([
    ['calls', ENTRY],
    ['chats', '/api/v0/chat/web'],
  ])(
    'refuses a flood of 1,000 requests for %s beyond the limits of address and key',
    async (_, entry) => {
      const tight = await createTestApi({
        webCalls: { perAddress: 20, perKey: 50, maxMs: 60_000, areHere: true },
      });
      const flooded = await createTenant(tight);
      const { agentId: agent } = await createTestAgent(tight, flooded);
      await allow(tight, flooded, agent, [own, PAGE]);
      const publicOne = await publicKey(tight, flooded, agent);
      const flood = (n: number, address: (i: number) => string) =>
        Promise.all(
          Array.from({ length: n }, (_, i) =>
            open({ on: tight, key: publicOne, agent, address: address(i), entry }).then(
              ({ status }) => status,
            ),
          ),
        );
      const alone = await flood(1_000, () => '192.0.2.7');
      expect(alone.filter((status) => status === 200)).toHaveLength(20);
      expect(alone.filter((status) => status === 429)).toHaveLength(980);
      const spread = await flood(100, (i) => `198.51.100.${i}`);
      expect(spread.filter((status) => status === 200)).toHaveLength(30);
      expect(await tight.db.selectFrom('calls').selectAll().execute()).toEqual([]);
      expect(await tight.db.selectFrom('chats').selectAll().execute()).toEqual([]);
      await tight.close();
    },
    60_000,
  );

  it('answers 503 where no call worker is in the process, and 402 without balance', async () => {
    const apart = await createTestApi({
      webCalls: { perAddress: 0, perKey: 0, maxMs: 60_000, areHere: false },
    });
    const there = await createTenant(apart);
    const { agentId: agent } = await createTestAgent(apart, there);
    const publicOne = await publicKey(apart, there, agent);
    const answer = await open({ on: apart, key: publicOne, agent, origin: own });
    expect([answer.status, answer.body['code']]).toEqual([503, 'WEB_CALLS_UNAVAILABLE']);
    await apart.close();
    const poor = await createTenant(api);
    const { agentId: theirs } = await createTestAgent(api, poor);
    await api.db
      .updateTable('workspaces')
      .set({ credits: 0, unlimited: false })
      .where('id', '=', poor.workspaceId)
      .execute();
    const broke = await open({ key: await publicKey(api, poor, theirs), agent: theirs, origin: own });
    expect(broke.status).toBe(402);
    expect((await open({ agent: theirs })).status).toBe(401);
  });

  it('uses a token once and within its 60 seconds, from the page that got it', async () => {
    const nodeId = newId();
    await registerNode(api.db, { id: nodeId, name: 'web', roles: 'api,media' }, new Date(api.clock.now()));
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const take = (token: string, origin: string | null) =>
      takeWebCall({ db: api.db, clock: api.clock, rate, nodeId: () => nodeId }, { token, origin });
    const first = await open({});
    const token = first.body['token'] as string;
    expect(await take(token, 'https://thief.example')).toMatchObject({ refuse: 403 });
    expect(await take('A'.repeat(43), PAGE)).toMatchObject({ refuse: 401 });
    expect(await take(token, PAGE)).toMatchObject({ taken: { callId: first.body['call_id'] } });
    expect(await take(token, PAGE)).toMatchObject({ refuse: 401 });
    const late = await open({});
    api.clock.advance(60_001);
    expect(await take(late.body['token'] as string, PAGE)).toMatchObject({ refuse: 401 });
    const row = await api.db
      .selectFrom('calls')
      .select(['call_type', 'status', 'from_number', 'args'])
      .where('id', '=', first.body['call_id'] as string)
      .executeTakeFirst();
    expect(row).toEqual({
      call_type: 'webcall',
      status: 'ongoing',
      from_number: '',
      args: { callee_name: 'Priya' },
    });

    const rate_ = (headers: Record<string, string>, callId = first.body['call_id'] as string) =>
      api.request('POST', `/api/v0/calling/${callId}/feedback`, {
        key: null,
        body: { rating: 4, comment: 'Quick.' },
        headers: { origin: PAGE, ...headers },
      });
    expect((await rate_({ 'x-webcall-token': token })).status).toBe(200);
    expect((await rate_({ 'x-webcall-token': late.body['token'] as string })).status).toBe(401);
    expect((await rate_({ 'x-webcall-token': token }, newId())).status).toBe(401);
    expect((await rate_({})).status).toBe(401);
    const details = await api.request(
      'GET',
      `/api/v0/calling/call-details?id=${first.body['call_id'] as string}`,
      {
        key: tenant.key,
      },
    );
    expect(details.body['data']).toMatchObject({ feedback: { rating: 4, comment: 'Quick.' } });
  });

  it('changes its key in the dashboard, apart from the API key, and refuses the old one at once', async () => {
    const browser = await signedIn(api, tenant.workspaceId, 'manager');
    const rotated = await browser.request('POST', `/dashboard-api/agents/${agentId}/webcall-key`);
    expect(rotated.status).toBe(200);
    expect((await open({})).status).toBe(401);
    key = rotated.body['webcall_public_key'] as string;
    expect((await open({})).status).toBe(200);
    expect((await api.request('GET', '/api/v0/workspace', { key: tenant.key })).status).toBe(200);
    const viewer = await signedIn(api, tenant.workspaceId, 'viewer');
    expect((await viewer.request('POST', `/dashboard-api/agents/${agentId}/webcall-key`)).status).toBe(403);
  });
});

describe('test calls of the dashboard', () => {
  it('begin in the browser with any version, and to a phone from a shared test number, which the API refuses', async () => {
    const browser = await signedIn(api, tenant.workspaceId, 'manager');
    const web = await browser.request('POST', '/dashboard-api/test-web-calls', { agent_id: agentId });
    expect([web.status, Object.keys(web.body)]).toEqual([200, ['call_id', 'token', 'ws_url', 'warnings']]);
    const call = {
      name: 'Sam',
      mobile_number: '+14155550123',
      agent_id: agentId,
      from_number_id: tenant.testNumberId,
    };
    const phone = await browser.request('POST', '/dashboard-api/test-calls', call);
    expect(phone.status).toBe(200);
    const refused = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: call,
    });
    expect(refused.body['code']).toBe('TEST_NUMBER');
    const foreign = await createTenant(api);
    const stranger = await signedIn(api, foreign.workspaceId, 'owner');
    const theirs = await stranger.request('POST', '/dashboard-api/test-web-calls', { agent_id: agentId });
    expect(theirs.status).toBe(404);
  });
});
