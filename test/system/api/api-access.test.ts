import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { newId } from '../../../src/shared/ids.ts';
import { replaceKey } from '../../../src/store/tenants/keys.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
});
afterAll(() => api.close());

const ID = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
const KEYED: ['GET' | 'POST' | 'PATCH' | 'DELETE', string][] = [
  ['GET', '/workspace'],
  ['GET', '/workspace/all'],
  ['GET', '/workspace/numbers'],
  ['PATCH', '/workspace/api-key'],
  ['GET', '/agent/all'],
  ['GET', '/agent/voices'],
  ['GET', '/agent/01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10'],
  ['POST', '/public/agent'],
  ['PATCH', '/agent/v1'],
  ['POST', '/calling/outbound/individual'],
  ['POST', '/calling/01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10/hangup'],
  ['GET', '/calling/history?limit=9999'],
  ['GET', '/calling/call-details'],
  ['POST', '/calling/v2/outbound/individual'],
  ['POST', '/calling/history/download'],
  ['PATCH', `/public/agent/${ID}`],
  ['DELETE', `/agent/${ID}`],
  ['POST', `/agent/${ID}/restore`],
  ['PATCH', '/campaign/terminate'],
  ['GET', '/dnc'],
  ['POST', '/dnc'],
  ['DELETE', '/dnc'],
  ['GET', '/number-pool'],
  ['POST', '/number-pool'],
  ['GET', `/number-pool/${ID}`],
  ['PATCH', `/number-pool/${ID}`],
  ['DELETE', `/number-pool/${ID}`],
  ['POST', `/number-pool/${ID}/members`],
  ['DELETE', `/number-pool/${ID}/members`],
  ['GET', '/workspace/sub'],
  ['POST', '/workspace/sub'],
  ['PATCH', `/workspace/sub/${ID}/concurrency`],
  ['PATCH', '/workspace/sub/credit-balances'],
];

describe('the API key', () => {
  it.each(KEYED)('%s %s answers 401 before any other check', async (method, path) => {
    const wrong = [
      null,
      '',
      'wrong',
      newApiKey(),
      tenant.key.toLowerCase(),
      `${tenant.key} `.repeat(20),
      'x'.repeat(5000),
    ];
    for (const key of wrong) {
      const answer = await api.request(method, `/api/v0${path}`, {
        key,
        ...(method === 'GET' ? {} : { raw: '{"not json' }),
      });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        message: 'Invalid credentials',
        code: 'INVALID_CREDENTIALS',
        hint: expect.stringMatching(/^Send the workspace key in the header X-API-KEY/),
        request_id: answer.headers['x-request-id'],
      });
    }
  });

  it('is rejected outside of the X-API-KEY header', async () => {
    for (const options of [
      { headers: { authorization: `Bearer ${tenant.key}` } },
      { headers: { cookie: `x-api-key=${tenant.key}` } },
    ]) {
      expect((await api.request('GET', '/api/v0/workspace', options)).status).toBe(401);
    }
    expect((await api.request('GET', `/api/v0/workspace?x-api-key=${tenant.key}`)).status).toBe(401);
  });

  it('works in older formats and is rejected immediately after its replacement', async () => {
    const moving = await createTenant(api);
    for (const key of ['6f1c9f6a-53c4-4a0e-9d8a-5f2c44b0c1aa', 'old_0123456789abcdef', newApiKey()]) {
      await replaceKey(api.db, moving.workspaceId, storedForm(key), new Date(api.clock.now()));
      const answer = await api.request('GET', '/api/v0/workspace', { key });
      expect(answer.status).toBe(200);
      const shown = (answer.body['workspace_info'] as { api_key: string }).api_key;
      expect(shown.endsWith(key.slice(-4))).toBe(true);
      expect(shown).not.toContain(key.slice(8, -4));
      expect((await api.request('GET', '/api/v0/workspace', { key: moving.key })).status).toBe(401);
      moving.key = key;
    }
  });

  it('stores its last use at most once a minute', async () => {
    const using = await createTenant(api);
    const use = () => api.request('GET', '/api/v0/workspace', { key: using.key });
    // It is written after the response.
    const lastUse = async (): Promise<Date | null> => {
      const row = await api.db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('workspace_id', '=', using.workspaceId)
        .executeTakeFirstOrThrow();
      return row.last_used_at;
    };
    const first = new Date(api.clock.now());
    await use();
    await expect.poll(lastUse).toEqual(first);
    api.clock.advance(59_000);
    await use();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await lastUse()).toEqual(first);
    api.clock.advance(1000);
    await use();
    await expect.poll(lastUse).toEqual(new Date(api.clock.now()));
  });

  it('cannot be created or rotated through the API', async () => {
    const answer = await api.request('PATCH', '/api/v0/workspace/api-key', { key: tenant.key, body: {} });
    expect([answer.status, answer.body['code']]).toEqual([403, 'KEYS_IN_DASHBOARD_ONLY']);
  });
});

describe('another workspace', () => {
  it('gets the same answers for foreign ids as for unknown ids', async () => {
    const stranger = await createTenant(api);
    const { agentId, versionId } = await createTestAgent(api, tenant, { agent_type: 'outbound_inbound' });
    const call = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
    });
    const callId = (call.body['data'] as { call_id: string }).call_id;
    const theirs = await createTestAgent(api, stranger, { agent_type: 'outbound_inbound' });
    const dial = { name: 'P', mobile_number: '+14155550002' };
    const patch = { operation: 'edit_voice_speed', voice_speed: 1 };
    const requests: [string, (id: string) => Promise<Answer>][] = [
      [agentId, (id) => api.request('GET', `/api/v0/agent/${id}`, { key: stranger.key })],
      [
        agentId,
        (id) =>
          api.request('PATCH', '/api/v0/agent/v1', { key: stranger.key, body: { ...patch, agent_id: id } }),
      ],
      [
        versionId,
        (id) =>
          api.request('PATCH', '/api/v0/agent/v1', {
            key: stranger.key,
            body: { ...patch, agent_id: theirs.agentId, version_id: id },
          }),
      ],
      [
        tenant.numberId,
        (id) =>
          api.request('PATCH', '/api/v0/agent/v1', {
            key: stranger.key,
            body: { operation: 'attach_inbound_number', agent_id: theirs.agentId, number_id: id },
          }),
      ],
      [
        agentId,
        (id) =>
          api.request('POST', '/api/v0/calling/outbound/individual', {
            key: stranger.key,
            body: { ...dial, agent_id: id, from_number_id: stranger.numberId },
          }),
      ],
      [
        tenant.numberId,
        (id) =>
          api.request('POST', '/api/v0/calling/outbound/individual', {
            key: stranger.key,
            body: { ...dial, agent_id: theirs.agentId, from_number_id: id },
          }),
      ],
      [
        tenant.number,
        (number) =>
          api.request('POST', '/api/v0/calling/outbound/individual', {
            key: stranger.key,
            body: { ...dial, agent_id: theirs.agentId, from_number: number },
          }),
      ],
      [callId, (id) => api.request('GET', `/api/v0/calling/call-details?id=${id}`, { key: stranger.key })],
      [callId, (id) => api.request('POST', `/api/v0/calling/${id}/hangup`, { key: stranger.key })],
      [callId, (id) => api.request('GET', `/api/v0/calling/${id}/live`, { key: stranger.key })],
      [agentId, (id) => api.request('GET', `/api/v0/calling/history?agent_id=${id}`, { key: stranger.key })],
    ];
    for (const [ours, ask] of requests) {
      const foreign = await ask(ours);
      const unknown = await ask(ours.startsWith('+') ? '+14155559999' : newId());
      expect(foreign.status).toBe(unknown.status);
      expect(foreign.text.replaceAll(/req_[\w-]+/g, '')).toBe(unknown.text.replaceAll(/req_[\w-]+/g, ''));
      expect(foreign.text).not.toContain('Reminder');
    }
  });

  it('lists no foreign objects', async () => {
    const stranger = await createTenant(api);
    await createTestAgent(api, tenant);
    const agents = await api.request('GET', '/api/v0/agent/all', { key: stranger.key });
    expect(agents.body['data']).toEqual({ agents: [], total: 0, limit: 0, offset: 0 });
    const calls = await api.request('GET', '/api/v0/calling/history', { key: stranger.key });
    expect(calls.body).toEqual({ calls: [], limit: 10, offset: 0, count: 0, total: 0, next_cursor: null });
    const all = await api.request('GET', '/api/v0/workspace/all', { key: stranger.key });
    expect((all.body['workspaces'] as { id: string }[]).map((w) => w.id)).toEqual([stranger.workspaceId]);
    const numbers = await api.request('GET', '/api/v0/workspace/numbers', { key: stranger.key });
    expect((numbers.body['workspace_numbers'] as { id: string }[]).map((n) => n.id).sort()).toEqual(
      [stranger.numberId, stranger.testNumberId].sort(),
    );
  });

  it('lists child workspaces and workspaces of the owner', async () => {
    const parent = await createTenant(api);
    const friend = await createTenant(api);
    const at = new Date(api.clock.now());
    const [userId, childId] = [newId(), newId()];
    await api.db
      .insertInto('workspaces')
      .values({ id: childId, parent_id: parent.workspaceId, name: 'Child', created_at: at, updated_at: at })
      .execute();
    await api.db
      .insertInto('users')
      .values({ id: userId, email: `${userId}@example.com`, password_hash: 'x', created_at: at })
      .execute();
    await api.db
      .insertInto('memberships')
      .values([
        { workspace_id: parent.workspaceId, user_id: userId, role: 'owner', created_at: at },
        { workspace_id: friend.workspaceId, user_id: userId, role: 'viewer', created_at: at },
      ])
      .execute();
    const answer = await api.request('GET', '/api/v0/workspace/all', { key: parent.key });
    const seen = (
      answer.body['workspaces'] as { id: string; role: string; parent_workspace_id: string | null }[]
    ).map((w) => [w.id, w.role, w.parent_workspace_id]);
    expect(seen).toHaveLength(3);
    expect(seen).toContainEqual([parent.workspaceId, 'owner', null]);
    expect(seen).toContainEqual([friend.workspaceId, 'viewer', null]);
    expect(seen).toContainEqual([childId, 'owner', parent.workspaceId]);
    const viewed = await api.request('GET', '/api/v0/workspace/all', { key: friend.key });
    expect(viewed.body['workspaces']).toHaveLength(1);
  });
});

describe('rate limits', () => {
  it('answer 429 with message and error, Retry-After and the RateLimit headers', async () => {
    const tight = await createTestApi({ rateLimits: { read: 3, write: 1, dial: 1, authFailures: 0 } });
    const one = await createTenant(tight);
    const two = await createTenant(tight);
    const get = (key: string, path = '/api/v0/workspace'): Promise<Answer> =>
      tight.request('GET', path, { key });
    await get(one.key);
    await get(one.key, '/api/v0/agent/all');
    const last = await get(one.key);
    expect([last.status, last.headers['ratelimit-limit'], last.headers['ratelimit-remaining']]).toEqual([
      200,
      '3',
      '0',
    ]);
    const over = await get(one.key, '/api/v0/agent/voices');
    expect(over.status).toBe(429);
    expect(over.body['error']).toBe(over.body['message']);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get(two.key)).status).toBe(200);
    expect((await get('wrong')).status).toBe(401);
    await tight.close();
  });

  it('throttle wrong keys per address without blocking known keys', async () => {
    const guarded = await createTestApi({ rateLimits: { read: 0, write: 0, dial: 0, authFailures: 5 } });
    const known = await createTenant(guarded);
    const get = (key: string): Promise<Answer> => guarded.request('GET', '/api/v0/workspace', { key });
    expect((await get(known.key)).status).toBe(200);
    const tries: number[] = [];
    for (let i = 0; i < 8; i += 1) tries.push((await get(`guess ${i}`)).status);
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect((await get(known.key)).status).toBe(200);
    guarded.clock.advance(60_000);
    expect((await get('guess')).status).toBe(401);
    await guarded.close();
  });
});
