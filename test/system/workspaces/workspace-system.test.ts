import { sql } from 'kysely';
import { VERSION } from '../../../src/shared/version.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsInForce } from '../../../src/config/in-force.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import { newId } from '../../../src/shared/ids.ts';
import { readMigrations } from '../../../src/store/migrate.ts';
import { beat } from '../../../src/store/nodes.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';
import { makeOperator } from '../../../src/store/tenants/users.ts';

let api: TestApi;
let own: Tenant;
let other: Tenant;
const gateways = [
  { priority: 0, weight: 3, health: 'healthy' as const },
  { priority: 0, weight: 1, health: null },
];
const probed = { name: '', reachable: true, registered: false, gateways };
beforeAll(async () => {
  api = await createTestApi({
    probeTrunks: () => Promise.resolve([probed]),
    freeBytes: () => Promise.resolve(5_000_000_000),
    ready: () => Promise.resolve([{ name: 'database', ok: true }]),
    settings: settingsInForce({ DEEPGRAM_API_KEY: 'dg-secret', LOG_LEVEL: 'warn' }),
  });
  own = await createTenant(api);
  other = await createTenant(api);
});
afterAll(() => api?.close());

async function placeCall(tenant: Tenant): Promise<string> {
  const { agentId } = await createTestAgent(api, tenant);
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
  });
  return (answer.body['data'] as { call_id: string }).call_id;
}

/** An ended attempt of a call from the tenant's number. */
async function endAttempt(tenant: Tenant, callId: string, attempt: number, sipCode: number): Promise<void> {
  const at = new Date(api.clock.now() + attempt);
  const failed = sipCode >= 500;
  await sql`insert into call_attempts (workspace_id, call_id, attempt, node_id, status, sub_status, claimed_at,
      ended_at, sip_code, reason, number_id)
    values (${tenant.workspaceId}, ${callId}, ${attempt}, ${newId()}, 'ended',
      ${failed ? 'FAILED' : 'BUSY'}, ${at}, ${at}, ${sipCode}, ${`reason ${sipCode}`}, ${tenant.numberId})`.execute(
    api.db,
  );
}

describe('GET /workspace/trunks', () => {
  it('shows health, pauses, own live calls and own failures, and neither address nor account', async () => {
    const trunk = await api.db
      .selectFrom('numbers')
      .innerJoin('trunks', 'trunks.id', 'numbers.trunk_id')
      .select(['trunks.id', 'trunks.name'])
      .where('numbers.id', '=', own.numberId)
      .executeTakeFirstOrThrow();
    probed.name = trunk.name;
    const pausedUntil = new Date(api.clock.now() + 60_000);
    await sql`update trunks set paused_until = ${pausedUntil}, settings = settings ||
      '{"kind": "sip", "uri": "sip:secret.example", "username": "acct", "password": "pw", "register": true,
        "max_calls": 10, "calls_per_second": 2.5}' where id = ${trunk.id}`.execute(api.db);
    // The other workspace calls on the same trunk.
    await sql`update numbers set trunk_id = ${trunk.id} where id = ${other.numberId}`.execute(api.db);
    const [live, foreign] = [await placeCall(own), await placeCall(other)];
    await api.db.updateTable('calls').set({ status: 'ongoing' }).where('id', 'in', [live, foreign]).execute();
    for (const attempt of [1, 2, 3, 4, 5, 6]) await endAttempt(own, live, attempt, 503);
    await endAttempt(own, live, 7, 486);
    await endAttempt(other, foreign, 1, 500);
    const { status, body, text } = await api.request('GET', '/api/v0/workspace/trunks', { key: own.key });
    expect(status).toBe(200);
    const [shown] = body['trunks'] as { last_failures: { attempt: number; sip_code: number }[] }[];
    expect(shown).toMatchObject({
      trunk_id: trunk.id,
      registers: true,
      registered: false,
      reachable: true,
      gateways,
      enabled: true,
      paused_until: pausedUntil.toISOString(),
      max_calls: 10,
      calls_per_second: 2.5,
      numbers: 2,
      live_calls: 1,
    });
    expect(shown?.last_failures.map(({ attempt, sip_code: code }) => [attempt, code])).toEqual([
      [6, 503],
      [5, 503],
      [4, 503],
      [3, 503],
      [2, 503],
    ]);
    expect(text).not.toMatch(/secret\.example|acct|"pw"/);
    api.clock.advance(120_000);
    const later = await api.request('GET', '/api/v0/workspace/trunks', { key: own.key });
    expect(later.body).toMatchObject({ trunks: [{ paused_until: null }] });
  });
});

/** A browser in which a member of `own` is signed in, who is an operator of the installation. */
async function operator(): Promise<Browser> {
  const browser = await signedIn(api, own.workspaceId, 'viewer');
  await makeOperator(api.db as never, browser.person.userId);
  browser.workspaceId = null;
  return browser;
}

describe('GET /workspace/system', () => {
  it('shows operators the processes and checks, and the due work of all workspaces', async () => {
    const at = new Date(api.clock.now());
    const node = newId();
    await sql`insert into nodes (id, name, roles, beat_at, started_at, draining)
      values (${node}, 'media-1', 'dialer,media', ${at}, ${at}, true)`.execute(api.db);
    const figures = {
      version: VERSION,
      liveCalls: 3,
      freeCalls: 97,
      rtpPorts: { first: 16_000, last: 16_199 },
      rtpPortsInUse: 8,
    };
    expect(await beat(api.db, node, figures, at)).toBe(true);
    await placeCall(other);
    const { status, body } = await (await operator()).request('GET', '/api/v0/workspace/system');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      node_version: process.versions.node,
      checks: [{ name: 'database', ok: true, detail: null }],
      recordings_free_bytes: 5_000_000_000,
      migration: (await readMigrations()).at(-1)?.name,
      metrics_url: '/metrics',
      nodes: [
        {
          name: 'media-1',
          roles: ['dialer', 'media'],
          state: 'draining',
          live_calls: 0,
          version: VERSION,
          process_calls: 3,
          call_limit: 100,
          rtp_ports: { first: 16_000, last: 16_199, in_use: 8 },
        },
      ],
      calls: { due: 1, oldest_due_at: at.toISOString() },
      webhooks: { due: 0, oldest_due_at: null },
    });
  });

  it('shows a customer nothing: neither the owner of a workspace nor its key', async () => {
    const owner = await signedIn(api, own.workspaceId, 'owner');
    for (const path of ['system', 'configuration']) {
      const refused = await owner.request('GET', `/api/v0/workspace/${path}`);
      expect([refused.status, refused.body['code']]).toEqual([403, 'OPERATORS_ONLY']);
      const byKey = await api.request('GET', `/api/v0/workspace/${path}`, { key: own.key });
      expect(byKey.status).toBe(401);
    }
    expect((await owner.readSession()).body['user']).toMatchObject({ operator: false });
  });
});

describe('GET /workspace/configuration', () => {
  it('shows operators every setting, and no secret', async () => {
    const { status, body, text } = await (await operator()).request('GET', '/api/v0/workspace/configuration');
    expect(status).toBe(200);
    const settings = body['settings'] as { name: string }[];
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    expect(settings).toContainEqual({
      name: 'DEEPGRAM_API_KEY',
      value: null,
      is_set: true,
      is_secret: true,
      source: 'environment',
      description: 'API key of Deepgram.',
    });
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'LOG_LEVEL', value: 'warn', source: 'environment', is_secret: false }),
    );
    expect(text).not.toContain('dg-secret');
  });
});

describe('GET /number-pool', () => {
  it('shows until when a number rests, and nothing once the rest is over', async () => {
    const created = await api.request('POST', '/api/v0/number-pool', {
      key: own.key,
      body: { name: 'Pool', from_number_ids: [own.numberId] },
    });
    expect(created.body).toMatchObject({ number_pool: { numbers: [{ resting_until: null }] } });
    const until = new Date(api.clock.now() + 60_000);
    await sql`update numbers set rest_until = ${until} where id = ${own.numberId}`.execute(api.db);
    const resting = await api.request('GET', '/api/v0/number-pool', { key: own.key });
    expect(resting.body).toMatchObject({
      number_pools: [{ numbers: [{ resting_until: until.toISOString() }] }],
    });
    api.clock.advance(60_000);
    const rested = await api.request('GET', '/api/v0/number-pool', { key: own.key });
    expect(rested.body).toMatchObject({ number_pools: [{ numbers: [{ resting_until: null }] }] });
  });
});
