import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { newId } from '../../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let nodeId: string;
beforeAll(async () => {
  api = await createTestApi();
  nodeId = await createNode(api.db, 'n', api.clock.now());
});
beforeEach(async () => {
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const terminate = (body: unknown, key = tenant.key): Promise<Answer> =>
  api.request('PATCH', '/api/v0/campaign/terminate', { key, body });
const dnc = (
  method: 'GET' | 'POST' | 'DELETE',
  body?: unknown,
  query = '',
  key = tenant.key,
): Promise<Answer> =>
  api.request(method, `/api/v0/dnc${query}`, { key, ...(body === undefined ? {} : { body }) });
const place = async (
  mobile_number = '+14155550002',
  change: Record<string, unknown> = {},
): Promise<string> => {
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: { name: 'P', mobile_number, agent_id: agentId, from_number_id: tenant.numberId, ...change },
  });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return (answer.body['data'] as { call_id: string }).call_id;
};
const rowOf = (id: string) =>
  api.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const statesOf = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await Promise.all(ids.map(rowOf));
  return rows.map((row) => `${row.status} ${row.sub_status}`);
};
const journal = () => ({
  db: api.db,
  clock: api.clock,
  rate,
  recordingUrl: () => 'http://localhost/recording',
});
/** Every call of the tenant that a dialer may claim now. */
async function claim(capacity = 10): Promise<readonly Claimed[]> {
  const visited: string[] = [];
  for (;;) {
    const turn = await claimBatch({ db: api.db, clock: api.clock, rate, nodeId }, { visited, capacity });
    if (turn === null) return [];
    if (turn.workspaceId === tenant.workspaceId) return turn.claimed;
    visited.push(turn.workspaceId);
  }
}
const settle = (claimed: Claimed) =>
  settleAttempt(
    { ...journal(), rate, recordingUrl: () => '' },
    {
      ...claimed,
      end: { kind: 'not_answered', failure: 'busy' },
      endedAt: api.clock.now(),
      answeredAt: null,
      hangupBy: null,
      sipCallId: null,
      sipCode: 486,
      reason: null,
      result: null,
    },
  );
const moneyOf = (workspaceId: string) =>
  api.db
    .selectFrom('workspaces')
    .select(['credits', 'locked_credits'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();

describe('PATCH /campaign/terminate', () => {
  it('stops an agent’s registered and retry calls, with the events of their end', async () => {
    const ids = [await place(), await place()];
    await api.db
      .updateTable('calls')
      .set({ status: 'retry', attempt: 1, retries_used: 1 })
      .where('id', '=', ids[1]!)
      .execute();
    const other = await createTestAgent(api, tenant);
    const kept = await place('+14155550003', { agent_id: other.agentId });
    const answer = await terminate({ agent_id: agentId });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Calls terminated successfully', terminated_count: 2 },
    ]);
    expect(await statesOf([...ids, kept])).toEqual([
      'cancelled USER_TERMINATED',
      'cancelled USER_TERMINATED',
      'registered QUEUED',
    ]);
    const events = await api.db
      .selectFrom('events')
      .select(['call_id', 'event_type'])
      .where('call_id', 'in', ids)
      .orderBy('seq')
      .execute();
    for (const id of ids) {
      expect(events.filter((e) => e.call_id === id).map((e) => e.event_type)).toEqual([
        'call_completed',
        'all_processing_completed',
      ]);
    }
    const again = await terminate({ agent_id: agentId });
    expect([again.status, again.body['code']]).toEqual([400, 'NOTHING_TO_STOP']);
  });

  it('stops calls by id and by number', async () => {
    const ids = [
      await place(),
      await place('+14155550003'),
      await place('+14155550004'),
      await place('+14155550004'),
    ];
    expect((await terminate({ call_ids: [ids[0], ids[0]!.toUpperCase()] })).body['terminated_count']).toBe(1);
    expect((await terminate({ mobile_numbers: ['+14155550004'] })).body['terminated_count']).toBe(2);
    expect((await statesOf(ids)).map((state) => state.split(' ')[0])).toEqual([
      'cancelled',
      'registered',
      'cancelled',
      'cancelled',
    ]);
  });

  it('releases a claimed call before its INVITE: nothing is dialled after the answer', async () => {
    const id = await place();
    const [claimed] = await claim();
    expect(claimed?.callId).toBe(id);
    expect((await moneyOf(tenant.workspaceId)).locked_credits).toBeGreaterThan(0);
    expect((await terminate({ agent_id: agentId })).body['terminated_count']).toBe(1);
    const stored = { status: 'cancelled', subStatus: 'USER_TERMINATED' };
    expect(await dial(journal(), claimed!)).toEqual({ go: false, why: 'gone', stored });
    expect(await statesOf([id])).toEqual(['cancelled USER_TERMINATED']);
    expect(await moneyOf(tenant.workspaceId)).toEqual({ credits: 1_000_000_000, locked_credits: 0 });
    const attempts = await api.db.selectFrom('call_attempts').selectAll().where('call_id', '=', id).execute();
    expect(attempts).toEqual([]);
  });

  it('lets live calls continue without retries', async () => {
    const retry = { call_config: { call_retry_config: { retry_count: 3, retry_busy: 0 } } };
    const live = await place('+14155550002', retry);
    const [claimed] = await claim();
    await dial(journal(), claimed!);
    const queued = await place('+14155550003', retry);
    expect((await terminate({ agent_id: agentId })).body['terminated_count']).toBe(1);
    expect((await rowOf(live)).status).toBe('ongoing');
    expect(await settle(claimed!)).toMatchObject({ settled: true, status: 'failed', retryAt: null });
    expect(await statesOf([queued])).toEqual(['cancelled USER_TERMINATED']);
  });

  it('keeps the retries of a live call when nothing was queued', async () => {
    const live = await place('+14155550002', { call_config: { call_retry_config: { retry_count: 3 } } });
    const [claimed] = await claim();
    await dial(journal(), claimed!);
    expect((await terminate({ call_ids: [live] })).body['code']).toBe('NOTHING_TO_STOP');
    expect(await settle(claimed!)).toMatchObject({ status: 'retry' });
  });

  it('while dialers run, stops or dials every call, never both', async () => {
    await api.db
      .updateTable('workspaces')
      .set({ call_limit: 1000 })
      .where('id', '=', tenant.workspaceId)
      .execute();
    const ids: string[] = [];
    for (let i = 0; i < 60; i += 1) ids.push(await place(`+1415555${String(2000 + i)}`));
    const dialled: string[] = [];
    let answered = false;
    const runDialer = async (): Promise<void> => {
      for (;;) {
        const claimed = await claim(4);
        if (claimed.length === 0 && answered) return;
        for (const one of claimed) {
          const decision = await dial(journal(), one);
          if (decision.go) {
            // A later INVITE would belong to a stopped call.
            dialled.push(one.callId);
          }
        }
      }
    };
    const dialers = [runDialer(), runDialer()];
    while (dialled.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const answer = await terminate({ agent_id: agentId });
    const before = dialled.length;
    answered = true;
    await Promise.all(dialers);
    const states = await statesOf(ids);
    const stopped = ids.filter((_, i) => states[i] === 'cancelled USER_TERMINATED');
    expect(answer.body['terminated_count'] ?? 0).toBe(stopped.length);
    expect(new Set([...stopped, ...dialled]).size).toBe(60);
    expect(stopped.length + dialled.length).toBe(60);
    // INVITEs journalled before the answer whose dialer has not reported yet.
    expect(dialled.length - before).toBeLessThanOrEqual(2);
    const money = await moneyOf(tenant.workspaceId);
    const rows = await Promise.all(dialled.map(rowOf));
    expect(money.locked_credits).toBe(rows.reduce((sum, row) => sum + row.reserved, 0));
  });

  it('stops more calls than one batch', async () => {
    const first = await place();
    const row = await rowOf(first);
    const copies = Array.from({ length: 1200 }, () => ({
      ...row,
      id: newId(),
      args: JSON.stringify(row.args),
      call_config: null,
      callback: null,
    }));
    await api.db.insertInto('calls').values(copies).execute();
    expect((await terminate({ mobile_numbers: ['+14155550002'] })).body['terminated_count']).toBe(1201);
    const events = await api.db
      .selectFrom('events')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('workspace_id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(events.n).toBe(2402);
  });

  it.each<[unknown, string]>([
    [{}, 'body must have exactly one of campaign_id, agent_id, call_ids and mobile_numbers'],
    [{ agent_id: 'x', call_ids: ['x'] }, 'body must have exactly one of'],
    [{ agent_id: 'x', mobile_numbers: ['+14155550002'] }, 'body must have exactly one of'],
    [{ call_ids: ['x'], mobile_numbers: ['+14155550002'] }, 'body must have exactly one of'],
    [{ campaign_id: 'x', agent_id: 'x' }, 'body must have exactly one of'],
    [{ agent_id: 5 }, 'agent_id must be a string'],
    [{ call_ids: [] }, 'call_ids must hold at least 1'],
    [{ call_ids: Array(101).fill('x') }, 'call_ids must hold at most 100'],
    [{ call_ids: 'x' }, 'call_ids must be'],
    [{ mobile_numbers: Array(101).fill('+14155550002') }, 'mobile_numbers must hold at most 100'],
    [
      { mobile_numbers: ['+14155550002', '4155550002'] },
      'mobile_numbers[1] must be a phone number in E.164 form',
    ],
    [{ campaign: 'x' }, 'campaign is not a known field'],
  ])('%j answers 422', async (body, message) => {
    const answer = await terminate(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('returns 404 for foreign scopes', async () => {
    const id = await place();
    const stranger = await createTenant(api);
    for (const [body, message] of [
      [{ agent_id: agentId }, 'Agent not found'],
      [{ agent_id: newId() }, 'Agent not found'],
      [{ agent_id: 'x' }, 'Agent not found'],
      [{ call_ids: [id] }, 'Call not found'],
      [{ call_ids: [newId()] }, 'Call not found'],
      [{ call_ids: ['x'] }, 'Call not found'],
      [{ campaign_id: newId() }, 'Campaign not found'],
      [{ campaign_id: newId(), mobile_numbers: ['+14155550002'] }, 'Campaign not found'],
    ] as const) {
      const answer = await terminate(body, stranger.key);
      expect([answer.status, answer.body['message']]).toEqual([404, message]);
    }
    const number = await terminate({ mobile_numbers: ['+14155550002'] }, stranger.key);
    expect([number.status, number.body['code']]).toEqual([400, 'NOTHING_TO_STOP']);
    const mixed = await terminate({ call_ids: [id, newId()] });
    expect([mixed.status, mixed.body['message']]).toEqual([404, 'Call not found']);
    expect((await rowOf(id)).status).toBe('registered');
  });
});

describe('the do-not-call list', () => {
  it('cancels queued calls, blocks later ones, and can be reverted', async () => {
    const [first, second] = [await place(), await place('+14155550003')];
    const added = await dnc('POST', { mobile_numbers: ['+14155550002', '+14155550002', '+14155550009'] });
    expect(added.body).toEqual({
      message: 'Do-not-call list updated successfully',
      added_count: 2,
      cancelled_count: 1,
    });
    expect(await statesOf([first, second])).toEqual(['cancelled DND_SKIPPED', 'registered QUEUED']);
    await expect(place()).rejects.toThrow('DO_NOT_CALL');
    const claimed = await claim();
    expect(claimed.map((one) => one.callId)).toEqual([second]);
    expect((await dnc('POST', { mobile_numbers: ['+14155550002'] })).body).toMatchObject({
      added_count: 0,
      cancelled_count: 0,
    });
    const list = await dnc('GET');
    expect(list.body).toMatchObject({ limit: 100, offset: 0, count: 2, total: 2 });
    expect(list.body['numbers']).toEqual(
      ['+14155550002', '+14155550009'].map((mobile_number) => ({
        mobile_number,
        reason: 'ADDED',
        created_at: new Date(api.clock.now()).toISOString(),
      })),
    );
    expect((await dnc('GET', undefined, '?mobile_number=%2B14155550009')).body['total']).toBe(1);
    expect((await dnc('GET', undefined, '?limit=1&offset=1')).body).toMatchObject({ count: 1, total: 2 });
    expect((await dnc('DELETE', { mobile_numbers: ['+14155550002', '+14155550008'] })).body).toEqual({
      message: 'Do-not-call list updated successfully',
      removed_count: 1,
    });
    const free = await place();
    expect((await claim()).map((one) => one.callId)).toEqual([free]);
  });

  it('stops a claimed call before its INVITE', async () => {
    const id = await place();
    const [claimed] = await claim();
    expect((await dnc('POST', { mobile_numbers: ['+14155550002'] })).body['cancelled_count']).toBe(1);
    const stored = { status: 'cancelled', subStatus: 'DND_SKIPPED' };
    expect(await dial(journal(), claimed!)).toEqual({ go: false, why: 'gone', stored });
    expect(await statesOf([id])).toEqual(['cancelled DND_SKIPPED']);
  });

  it('replays the first answer for the same Idempotency-Key', async () => {
    const send = () =>
      api.request('POST', '/api/v0/dnc', {
        key: tenant.key,
        body: { mobile_numbers: ['+14155550002'] },
        headers: { 'idempotency-key': 'dnc' },
      });
    const [first, second] = [await send(), await send()];
    expect(first.body['added_count']).toBe(1);
    expect(second.body).toEqual(first.body);
  });

  it('is separate per workspace', async () => {
    const stranger = await createTenant(api);
    await dnc('POST', { mobile_numbers: ['+14155550002'] }, '', stranger.key);
    expect((await dnc('GET')).body['total']).toBe(0);
    expect((await dnc('DELETE', { mobile_numbers: ['+14155550002'] })).body['removed_count']).toBe(0);
    const id = await place();
    expect((await claim()).map((one) => one.callId)).toEqual([id]);
  });

  it.each<['POST' | 'DELETE', unknown, string]>([
    ['POST', {}, 'mobile_numbers is required'],
    ['POST', { mobile_numbers: [] }, 'mobile_numbers must hold at least 1'],
    ['POST', { mobile_numbers: Array(1001).fill('+14155550002') }, 'mobile_numbers must hold at most 1000'],
    ['POST', { mobile_numbers: ['x'] }, 'mobile_numbers[0] must be a phone number in E.164 form'],
    [
      'POST',
      { mobile_numbers: [5] },
      'mobile_numbers[0] must be a phone number in E.164 form with country code, such as +14155550100',
    ],
    ['DELETE', {}, 'mobile_numbers is required'],
    [
      'DELETE',
      { mobile_numbers: ['+1 415 555 0002'] },
      'mobile_numbers[0] must be a phone number in E.164 form',
    ],
  ])('%s %j answers 422', async (method, body, message) => {
    const answer = await dnc(method, body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it.each([
    ['?limit=0', 422],
    ['?limit=1001', 400],
    ['?offset=-1', 422],
    ['?limit=x', 422],
  ])('GET %s answers %i', async (query, status) => {
    expect((await dnc('GET', undefined, query)).status).toBe(status);
  });
});
