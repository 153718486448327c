import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkspaceChanges } from '../../../src/domain/workspaces/workspace-changes.ts';
import { RequestLog } from '../../../src/domain/requests/request-log.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { EDGE, listBody } from '../../helpers/campaigns/contact-list.ts';
import { logged, loggedAll, logRow } from '../../helpers/api/request-log.ts';

let api: TestApi;
let own: Tenant;
let other: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  own = await createTenant(api);
  other = await createTenant(api);
});
afterAll(() => api?.close());

const LOG = '/api/v0/workspace/requests';
const list = async (tenant: Tenant, query = ''): Promise<any[]> =>
  (await api.request('GET', `${LOG}${query}`, { key: tenant.key })).body['requests'] as any[];

describe('a request by key', () => {
  it('is logged with its body and, when it is refused, with the response', async () => {
    const body = { name: 'Priya', mobile_number: 'no number', agent_id: 7 };
    const entry = await logged(api, own, 'POST', '/api/v0/calling/outbound/individual?dry=1', { body });
    expect(entry).toMatchObject({
      at: expect.stringMatching(/^2026-01-05T/),
      method: 'POST',
      path: '/api/v0/calling/outbound/individual?dry=1',
      status: 422,
      key: `cw_live_…${own.key.slice(-4)}`,
      content_type: 'application/json',
      body_bytes: JSON.stringify(body).length,
      body,
      response: { code: 'VALIDATION_FAILED', request_id: entry.request_id },
      is_cut: false,
    });
    expect(JSON.stringify(entry.response)).toContain('agent_id');
  });

  it('is logged without defaults that the service adds, and a success without its response', async () => {
    const body = { name: 'Leads' };
    const entry = await logged(api, own, 'POST', '/api/v0/workspace/sub', { body });
    expect(entry).toMatchObject({ status: 200, body, response: null });
  });

  it('is logged when it is not JSON, too large, or matches no endpoint', async () => {
    const [broken, large, ...unknown] = await loggedAll(api, own, [
      ['POST', '/api/v0/dnc', { raw: '{"a":' }],
      ['POST', '/api/v0/dnc', { raw: `"${'x'.repeat(1_100_000)}"` }],
      ['GET', '/api/v0/calling/outbound/individual'],
      ['POST', '/api/v0/no/such/path?x=1'],
    ]);
    expect(broken).toMatchObject({ status: 400, body: null, body_bytes: 5 });
    expect(large).toMatchObject({ status: 413, body: null, body_bytes: 1_100_002 });
    expect(unknown).toMatchObject([
      { method: 'GET', path: '/api/v0/calling/outbound/individual', status: 405 },
      {
        method: 'POST',
        path: '/api/v0/no/such/path?x=1',
        status: 404,
        response: { code: 'ROUTE_NOT_FOUND' },
      },
    ]);
  });

  it('is logged with the fields of a form and the names of its files', async () => {
    const { agentId } = await createTestAgent(api, own);
    const fields = { agent_id: agentId, country_code: '+1' };
    const raw = listBody({ file: 'Phone\n+14155550123\n', fields });
    const headers = { 'content-type': `multipart/form-data; boundary=${EDGE}` };
    const entry = await logged(api, own, 'POST', '/api/v0/campaign/save', { raw, headers });
    expect(entry).toMatchObject({
      content_type: 'multipart/form-data',
      body_bytes: raw.length,
      body: { ...fields, file: 'contacts.csv' },
    });
    expect(JSON.stringify(entry)).not.toContain('+14155550123');
  });

  it('is logged with the beginning of a long body', async () => {
    const body = {
      numbers: Array.from({ length: 5_000 }, (_, i) => `+1415555${String(i).padStart(4, '0')}`),
    };
    const entry = await logged(api, own, 'POST', '/api/v0/dnc', { body });
    expect(entry).toMatchObject({ is_cut: true });
    const { numbers } = entry.body as { numbers: string[] };
    expect(numbers).toEqual(body.numbers.slice(0, numbers.length));
    expect(numbers.length).toBeGreaterThan(100);
  });
});

describe('other requests', () => {
  it('are not logged: by session, with a wrong key, for a document, and of the log itself', async () => {
    const tenant = await createTenant(api);
    const browser = await signedIn(api, tenant.workspaceId, 'owner');
    expect((await browser.request('GET', '/api/v0/workspace')).status).toBe(200);
    const ask = (path: string, key: string | null): Promise<unknown> => api.request('GET', path, { key });
    await ask('/api/v0/workspace', `${tenant.key}x`);
    await ask('/api/v0/no/such/path', `${tenant.key}x`);
    await ask('/api/v0/workspace', null);
    await ask('/openapi.json', tenant.key);
    await ask(LOG, tenant.key);
    await logged(api, tenant, 'GET', '/api/v0/workspace');
    expect((await list(tenant)).map(({ path }) => path)).toEqual(['/api/v0/workspace']);
  });

  it('are not logged at all without entries to keep', async () => {
    const off = await createTestApi({ requestLog: { kept: 0 } });
    const tenant = await createTenant(off);
    await off.request('GET', '/api/v0/workspace', { key: tenant.key });
    await off.server.close();
    expect(await off.db.selectFrom('api_requests').select('id').execute()).toEqual([]);
    await off.close();
  });
});

describe('GET /workspace/requests', () => {
  it('filters, pages from the newest, and shows the own workspace only', async () => {
    const tenant = await createTenant(api);
    const entries = await loggedAll(api, tenant, [
      ['GET', '/api/v0/workspace?x=First'],
      ['GET', '/api/v0/agent/x'],
      ['POST', '/api/v0/dnc'],
      ['DELETE', '/api/v0/nothing'],
    ]);
    const sent = entries.map(({ entry_id: id }): string => id).toReversed();
    const ids = async (query: string): Promise<string[]> =>
      (await list(tenant, query)).map(({ entry_id: id }) => id);
    expect(await ids('')).toEqual(sent);
    expect(await ids('?method=GET')).toEqual(sent.slice(2));
    expect(await ids('?path=FIRST')).toEqual([sent[3]]);
    expect(await ids('?path=%25')).toEqual([]);
    expect(await ids('?status=2xx')).toEqual([sent[3]]);
    expect(await ids('?status=4xx&method=POST')).toEqual([sent[1]]);
    expect(await ids('?start_date=2026-01-05&end_date=2026-01-05')).toEqual(sent);
    expect(await ids('?start_date=2026-01-06')).toEqual([]);
    expect(await ids('?end_date=2026-01-04')).toEqual([]);
    const pages: string[] = [];
    let before: string | null = null;
    do {
      const query: string = before === null ? '' : `&before=${before}`;
      const page = await api.request('GET', `${LOG}?limit=3${query}`, { key: tenant.key });
      pages.push(...(page.body['requests'] as any[]).map(({ entry_id: id }) => id));
      before = page.body['next_before'] as string | null;
    } while (before !== null);
    expect(pages).toEqual(sent);

    expect((await list(other)).map(({ entry_id: id }) => id)).not.toEqual(expect.arrayContaining([sent[0]]));
    const foreign = await api.request('GET', `${LOG}/${sent[0]}`, { key: other.key });
    expect([foreign.status, foreign.body['code']]).toEqual([404, 'REQUEST_NOT_FOUND']);
  });

  it('refuses a cursor of another form, a limit above 200, and unknown filters', async () => {
    for (const [query, status] of [
      ['before=x', 422],
      ['limit=201', 400],
      ['limit=0', 422],
      ['status=200', 422],
      ['method=TRACE', 422],
      ['start_date=soon', 422],
    ] as const) {
      expect((await api.request('GET', `${LOG}?${query}`, { key: own.key })).status).toBe(status);
    }
    expect((await api.request('GET', `${LOG}/x`, { key: own.key })).status).toBe(404);
  });

  it('is a topic of the stream of changes', async () => {
    const tenant = await createTenant(api);
    const leave = new AbortController();
    const topics: string[] = [];
    await new WorkspaceChanges(api).watch(tenant.workspaceId, null, leave.signal, (change) => {
      topics.push(...change.topics);
      if (topics.length > 0) leave.abort();
      else void api.request('GET', '/api/v0/workspace', { key: tenant.key });
    });
    expect(topics).toEqual(['requests']);
  });
});

describe('secrets of a request', () => {
  it('are in no column of the log, whichever endpoint gets them', async () => {
    const marks = {
      vendorKey: 'vendorcanary-1234567890',
      accessToken: 'whatsappcanary-1234567890',
      appSecret: 'appcanary-1234567890',
      toolHeader: 'toolheadcanary-12',
      toolQuery: 'toolquerycanary-12',
      hookHeader: 'hookheadcanary-12',
      hookAddress: 'hookaddresscanary-12',
      receiver: 'receivercanary-12',
      ownKey: own.key,
      inQuery: 'inquerycanary-12',
    };
    const { agentId } = await createTestAgent(api, own);
    const requests = (
      [
        ['PUT', '/workspace/providers', { vendors: { deepgram: { api_key: marks.vendorKey } } }],
        ['POST', '/whatsapp/numbers', { access_token: marks.accessToken, app_secret: marks.appSecret }],
        [
          'PATCH',
          '/agent/v1',
          {
            operation: 'edit_post_call_tools',
            agent_id: agentId,
            post_call_tools: [
              {
                type: 'API_TOOL',
                name: 'note',
                method: 'POST',
                url: `https://user:${marks.hookAddress}@crm.example.com/x`,
                headers: { 'X-Shop': marks.toolHeader },
                query: { api_key: marks.toolQuery },
              },
            ],
          },
        ],
        [
          'PATCH',
          '/agent/v1',
          {
            operation: 'edit_event_subscriptions',
            agent_id: agentId,
            event_subscriptions: [{ callback_url: 'https://x.test', headers: { any: marks.hookHeader } }],
          },
        ],
        [
          'POST',
          '/calling/v2/outbound/individual',
          {
            mobile_number: '+14155550123',
            callback_url: `https://x.test/hook?token=${marks.receiver}`,
            callback_args: { headers: { Authorization: `Bearer ${marks.receiver}` } },
            custom_args_values: { note: `our key is ${own.key}` },
          },
        ],
        ['POST', `/dnc?api_key=${marks.inQuery}&note=${own.key}`, {}],
      ] as const
    ).map(([method, path, body]) => [method, `/api/v0${path}`, { body }] as const);
    const entries = await loggedAll(api, own, requests as never);
    expect(entries.map(({ body }) => body)).not.toContain(null);
    const kept = JSON.stringify(await api.db.selectFrom('api_requests').selectAll().execute());
    expect(Object.entries(marks).filter(([, mark]) => kept.includes(mark))).toEqual([]);
  });
});

describe('the store of the log', () => {
  const logOf = (kept: number, dropped: { count: number }, db = api.db): RequestLog =>
    new RequestLog({
      db,
      clock: api.clock,
      log: silentLog,
      kept,
      onDropped: (count) => {
        dropped.count += count;
      },
    });
  const pathsOf = async ({ workspaceId }: Tenant): Promise<string[]> => {
    const rows = await api.db
      .selectFrom('api_requests')
      .select('path')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id')
      .execute();
    return rows.map(({ path }) => path);
  };

  it('keeps the newest requests of each workspace, whichever process wrote them', async () => {
    const [busy, quiet] = [await createTenant(api), await createTenant(api)];
    const dropped = { count: 0 };
    const processes = [logOf(100, dropped), logOf(100, dropped)];
    processes[0]?.append(logRow(quiet.workspaceId, { path: '/quiet' }));
    for (let round = 0; round < 12; round += 1) {
      for (const log of processes) {
        for (let n = 0; n < 30; n += 1) log.append(logRow(busy.workspaceId, { path: `/${round}` }));
        await log.settled();
      }
    }
    const paths = await pathsOf(busy);
    // Each process trims after 50 of its own.
    expect(paths.length).toBeGreaterThanOrEqual(100);
    expect(paths.length).toBeLessThanOrEqual(200);
    expect(paths.slice(-100)).toEqual(
      paths.slice(-100).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
    );
    expect(paths.slice(-60)).toEqual(Array.from({ length: 60 }, () => '/11'));
    expect(await pathsOf(quiet)).toEqual(['/quiet']);
    expect(dropped.count).toBe(0);
  });

  it('drops and counts what one workspace or all send beyond its buffer', async () => {
    const dropped = { count: 0 };
    const log = logOf(1000, dropped);
    for (let n = 0; n < 300; n += 1) log.append(logRow(own.workspaceId));
    expect(dropped.count).toBe(50);
    const tenants = [await createTenant(api), await createTenant(api), await createTenant(api)];
    for (const { workspaceId } of tenants) for (let n = 0; n < 250; n += 1) log.append(logRow(workspaceId));
    log.append(logRow(other.workspaceId));
    expect(dropped.count).toBe(51);
    await log.settled();
    for (const tenant of tenants) expect(await pathsOf(tenant)).toHaveLength(250);
  });

  it('drops and counts what the database does not take, and goes on', async () => {
    const dropped = { count: 0 };
    const failing = api.db.withPlugin({
      transformQuery: () => {
        throw new Error('the database is down');
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const log = logOf(1000, dropped, failing);
    log.append(logRow(own.workspaceId));
    await log.settled();
    expect(dropped.count).toBe(1);
    log.append(logRow(own.workspaceId));
    await log.settled();
    expect(dropped.count).toBe(2);
  });

  it('has every request that was answered before the server stopped', async () => {
    const stopping = await createTestApi();
    const tenant = await createTenant(stopping);
    await stopping.request('GET', '/api/v0/workspace', { key: tenant.key });
    await stopping.server.close();
    expect(await stopping.db.selectFrom('api_requests').select('path').execute()).toEqual([
      { path: '/api/v0/workspace' },
    ]);
    await stopping.close();
  });
});

it('logs the replay of a refusal like the refusal', async () => {
  const path = '/api/v0/calling/v2/outbound/individual';
  const body = {
    name: 'P',
    mobile_number: '+14155550123',
    agent_id: own.workspaceId,
    from_number: own.number,
  };
  const headers = { 'idempotency-key': 'refused-twice' };
  const request = ['POST', path, { body, headers }] as const;
  const [first, second] = await loggedAll(api, own, [[...request], [...request]]);
  expect(first).toMatchObject({ status: 404, response: { code: 'AGENT_NOT_FOUND' } });
  expect(second).toMatchObject({ status: 404, body, response: first.response });
});
