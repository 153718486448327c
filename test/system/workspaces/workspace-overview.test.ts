import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkspaceChanges } from '../../../src/domain/workspaces/workspace-changes.ts';
import { newId } from '../../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn } from '../../helpers/browser/browser.ts';

let api: TestApi;
let own: Tenant;
let other: Tenant;
let base: string;
const agentOf = new Map<Tenant, string>();
beforeAll(async () => {
  // The requests of this test would be changes too.
  api = await createTestApi({ requestLog: { kept: 0 } });
  own = await createTenant(api);
  other = await createTenant(api);
  for (const tenant of [own, other]) agentOf.set(tenant, (await createTestAgent(api, tenant)).agentId);
  base = await api.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api?.close());

async function placeCall(tenant: Tenant): Promise<string> {
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: {
      name: 'P',
      mobile_number: '+14155550002',
      agent_id: agentOf.get(tenant),
      from_number_id: tenant.numberId,
    },
  });
  return (answer.body['data'] as { call_id: string }).call_id;
}
const ledgerEntry = (tenant: Tenant, callId: string, kind: 'lock' | 'charge', amount: number) => ({
  workspace_id: tenant.workspaceId,
  call_id: callId,
  attempt: 1,
  kind,
  amount,
  at: new Date(api.clock.now()),
});

describe('GET /workspace/overview', () => {
  it('counts live and queued calls, deliveries and latencies of the own workspace only', async () => {
    const empty = await api.request('GET', '/api/v0/workspace/overview', { key: other.key });
    expect([empty.status, empty.body]).toEqual([
      200,
      {
        live_calls: 0,
        queued: [],
        campaigns: [],
        webhooks: { checked: 0, failed: 0, retrying: 0 },
        latency: { turns: 0, p50_ms: null, p95_ms: null },
      },
    ]);
    const [queued, live] = [await placeCall(own), await placeCall(own)];
    const at = new Date(api.clock.now());
    await api.db
      .updateTable('calls')
      .set({ status: 'ongoing', dialed_at: at })
      .where('id', '=', live)
      .execute();
    await api.db
      .updateTable('calls')
      .set({ sub_status: 'WINDOW_CLOSED', next_attempt_at: new Date(at.getTime() + 60_000) })
      .where('id', '=', queued)
      .execute();
    await api.db
      .insertInto('call_records')
      .values({
        workspace_id: own.workspaceId,
        call_id: live,
        latency: JSON.stringify([{ totalMs: 400 }, { totalMs: 600 }, { totalMs: null }]),
        updated_at: at,
      })
      .execute();
    const full = await api.request('GET', '/api/v0/workspace/overview', { key: own.key });
    expect(full.body).toMatchObject({
      live_calls: 1,
      queued: [{ reason: 'WINDOW_CLOSED', calls: 1, next_attempt_at: '2026-01-05T10:01:00.000Z' }],
      latency: { turns: 2, p50_ms: 500, p95_ms: 590 },
    });
    const untouched = await api.request('GET', '/api/v0/workspace/overview', { key: other.key });
    expect(untouched.body).toEqual(empty.body);
  });

  it('keeps the reply delay of dialled calls while a long list waits', async () => {
    const waiting = await placeCall(own);
    const {
      args,
      call_config: config,
      callback,
      ...row
    } = await api.db.selectFrom('calls').selectAll().where('id', '=', waiting).executeTakeFirstOrThrow();
    expect([config, callback]).toEqual([null, null]);
    const later = new Date(api.clock.now() + 1_000);
    const list = Array.from({ length: 260 }, () => ({
      ...row,
      args: JSON.stringify(args),
      id: newId(),
      created_at: later,
    }));
    await api.db.insertInto('calls').values(list).execute();
    const answer = await api.request('GET', '/api/v0/workspace/overview', { key: own.key });
    expect(answer.body).toMatchObject({ latency: { turns: 2, p50_ms: 500, p95_ms: 590 } });
    await api.db.deleteFrom('calls').where('created_at', '=', later).execute();
  });
});

describe('GET /workspace/credits', () => {
  it('pages through the own movements, newest calls first', async () => {
    const [first, second] = [await placeCall(own), await placeCall(own)];
    await api.db
      .insertInto('ledger')
      .values([
        ledgerEntry(own, first, 'lock', 3_000_000),
        ledgerEntry(own, first, 'charge', 2_000_000),
        ledgerEntry(own, second, 'lock', 3_000_000),
      ])
      .execute();
    const seen: unknown[] = [];
    let before: string | null = null;
    do {
      const query: string = before === null ? '' : `&before=${before}`;
      const page = await api.request('GET', `/api/v0/workspace/credits?limit=1${query}`, { key: own.key });
      seen.push(...(page.body['entries'] as unknown[]));
      before = page.body['next_before'] as string | null;
    } while (before !== null);
    expect(seen).toMatchObject([
      { call_id: second, kind: 'lock', credits: 3, to_number: '+14155550002', campaign_id: null },
      { call_id: first, kind: 'lock', credits: 3 },
      { call_id: first, kind: 'charge', credits: 2 },
    ]);
    const one = await api.request('GET', `/api/v0/workspace/credits?call_id=${first}`, { key: own.key });
    expect(one.body['entries']).toHaveLength(2);
    const foreign = await api.request('GET', `/api/v0/workspace/credits?call_id=${first}`, {
      key: other.key,
    });
    expect(foreign.body).toEqual({ entries: [], limit: 50, next_before: null });
  });

  it('refuses a cursor of another form and a limit above 200', async () => {
    for (const before of ['x', `${newId()}.1`, `${newId()}.1.lock.2`, `${newId()}.-1.lock`]) {
      const answer = await api.request('GET', `/api/v0/workspace/credits?before=${before}`, { key: own.key });
      expect([answer.status, answer.body['message']]).toEqual([
        422,
        'before must be the next_before of the previous page',
      ]);
    }
    const many = await api.request('GET', '/api/v0/workspace/credits?limit=201', { key: own.key });
    expect(many.status).toBe(400);
  });
});

/** The ids and topics of a stream's events until `count` have arrived. */
async function readEvents(
  count: number,
  headers: Record<string, string>,
  onFirst: () => Promise<void> = () => Promise.resolve(),
): Promise<{ id: string; topics: string[] }[]> {
  const leave = new AbortController();
  const response = await fetch(`${base}/api/v0/workspace/changes`, { headers, signal: leave.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const events: { id: string; topics: string[] }[] = [];
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id = ''] = /^id: (.*)$/m.exec(block) ?? [];
      const [, data = '{}'] = /^data: (.*)$/m.exec(block) ?? [];
      if (block.startsWith('id: ')) events.push({ id, ...JSON.parse(data) });
      if (events.length === 1) await onFirst();
    }
    if (events.length >= count) break;
  }
  leave.abort();
  return events;
}

describe('GET /workspace/changes', () => {
  it('sends a change of calls and agents of the own workspace, and continues after a lost connection', async () => {
    const browser = await signedIn(api, own.workspaceId, 'viewer');
    const headers = {
      cookie: browser.cookie ?? '',
      'x-workspace-id': own.workspaceId,
      'sec-fetch-site': 'same-origin',
    };
    const foreign = readEvents(2, { 'x-api-key': other.key }, async () => undefined);
    const events = await readEvents(2, headers, async () => {
      await placeCall(own);
    });
    expect(events.map(({ topics }) => topics)).toEqual([[], ['calls']]);
    const [, { id } = { id: '' }] = events;
    // Meanwhile the connection is lost, and credits and calls change.
    await placeCall(own);
    await api.db
      .updateTable('workspaces')
      .set({ credits: 5_000_000 })
      .where('id', '=', own.workspaceId)
      .execute();
    const [missed] = await readEvents(1, { ...headers, 'last-event-id': id });
    expect(missed?.topics).toEqual(['calls', 'credits']);
    const [nothing] = await readEvents(1, { ...headers, 'last-event-id': missed?.id ?? '' });
    expect(nothing).toEqual({ id: missed?.id, topics: [] });
    const [unknown] = await readEvents(1, { ...headers, 'last-event-id': 'of another version' });
    expect(unknown?.topics).toEqual([
      'calls',
      'campaigns',
      'webhooks',
      'knowledge',
      'credits',
      'chats',
      'agents',
      'tests',
      'requests',
    ]);
    const [, made] = await readEvents(2, headers, async () => {
      await createTestAgent(api, own);
    });
    expect(made?.topics).toEqual(['agents']);
    const agent = await createTestAgent(api, own);
    const cases = `/api/v0/agent/${agent.agentId}/test-cases`;
    const post = (path: string, body: object) => async () => {
      await api.request('POST', path, { key: own.key, body });
    };
    const [, saved] = await readEvents(2, headers, post(cases, { name: 'A', lines: [], expectations: [] }));
    const [, begun] = await readEvents(2, headers, post(`${cases}/run`, {}));
    expect([saved?.topics, begun?.topics]).toEqual([['tests'], ['tests']]);
    // The other workspace's stream has seen none of this: its next change is its own.
    await placeCall(other);
    expect((await foreign).map(({ topics }) => topics)).toEqual([[], ['calls']]);
  });

  it('reads a workspace once a poll, however many streams watch it', async () => {
    let reads = 0;
    const counting = api.db.withPlugin({
      transformQuery: ({ node }) => {
        reads += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const changes = new WorkspaceChanges({ db: counting, clock: api.clock });
    const leave = new AbortController();
    let begun = 0;
    let changed = 0;
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: isSeen, resolve } = Promise.withResolvers<void>();
    const streams = Array.from({ length: 40 }, () =>
      changes.watch(own.workspaceId, null, leave.signal, ({ topics }) => {
        if (topics.length === 0) begun += 1;
        else changed += 1;
        if (begun === 40) begin();
        if (changed === 40) resolve();
      }),
    );
    await isBegun;
    const before = reads;
    await placeCall(own);
    await isSeen;
    leave.abort();
    await Promise.all(streams);
    // One poll may have been on its way when the call was placed.
    expect(reads - before).toBeLessThanOrEqual(2);
    expect(reads - before).toBeGreaterThan(0);
  });
});
