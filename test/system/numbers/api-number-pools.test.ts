import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { voices } from '../../../src/providers/voices.ts';
import { newId } from '../../../src/shared/ids.ts';
import { openHeaders } from '../../../src/domain/webhooks/sealed-headers.ts';
import { endQueued } from '../../../src/domain/calls/attempt/end-queued.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  TEST_SEAL,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let versionId: string;
let numbers: string[];
let serial = 0;
beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  tenant = await createTenant(api);
  ({ agentId, versionId } = await createTestAgent(api, tenant));
  numbers = [tenant.numberId, await addNumber(), await addNumber()];
});
afterAll(() => api.close());

async function addNumber(change: Record<string, unknown> = {}, who = tenant): Promise<string> {
  const id = newId();
  serial += 1;
  const at = new Date(api.clock.now() + serial);
  await api.db
    .insertInto('numbers')
    .values({
      workspace_id: who.workspaceId,
      id,
      number: `+1415557${String(serial).padStart(4, '0')}`,
      trunk_id: who.trunkId,
      created_at: at,
      updated_at: at,
      ...change,
    })
    .execute();
  return id;
}
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, key = tenant.key) =>
  api.request(method, `/api/v0/number-pool${path}`, { key, ...(body === undefined ? {} : { body }) });
interface Pool {
  id: string;
  name: string;
  numbers: { from_number_id: string; last_used_at: string | null }[];
}
const poolOf = (answer: Answer): Pool => answer.body['number_pool'] as Pool;
const make = async (ids: string[] = numbers): Promise<Pool> => {
  const answer = await call('POST', '', { name: 'Spring', from_number_ids: ids });
  expect(answer.status).toBe(200);
  return poolOf(answer);
};
const place = (change: Record<string, unknown> = {}, who = tenant): Promise<Answer> =>
  api.request('POST', '/api/v0/calling/v2/outbound/individual', {
    key: who.key,
    body: { name: 'Priya', mobile_number: '+14155550002', agent_id: agentId, ...change },
  });
const rowOf = async (answer: Answer) => {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  const callId = (answer.body['data'] as { call_id: string }).call_id;
  return api.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
};

describe('number pools', () => {
  it('are created, read, renamed, filled, emptied and deleted', async () => {
    const pool = await make(numbers.slice(0, 2));
    expect(pool).toMatchObject({ name: 'Spring' });
    expect(pool.numbers.map((n) => n.from_number_id)).toEqual(numbers.slice(0, 2));
    const shown = await api.request('GET', '/api/v0/workspace/numbers', { key: tenant.key });
    const listed = shown.body['workspace_numbers'] as { id: string; number_pool_id: string | null }[];
    expect(listed.find((n) => n.id === numbers[0])?.number_pool_id).toBe(pool.id);
    expect(poolOf(await call('PATCH', `/${pool.id}`, { name: 'Summer' })).name).toBe('Summer');
    const grown = poolOf(await call('POST', `/${pool.id}/members`, { from_number_ids: numbers }));
    expect(grown.numbers).toHaveLength(3);
    const shrunk = poolOf(await call('DELETE', `/${pool.id}/members`, { from_number_ids: [numbers[0]] }));
    expect(shrunk.numbers.map((n) => n.from_number_id)).toEqual(numbers.slice(1));
    expect(poolOf(await call('GET', `/${pool.id}`))).toEqual(shrunk);
    expect((await call('GET', '')).body['number_pools']).toEqual([shrunk]);
    expect((await call('DELETE', `/${pool.id}`)).body).toEqual({
      message: 'Number pool deleted successfully',
      number_pool_id: pool.id,
    });
    expect((await call('GET', `/${pool.id}`)).status).toBe(404);
    expect((await make(numbers)).numbers).toHaveLength(3);
  });

  it('reject a blank name', async () => {
    const pool = await make(numbers.slice(0, 1));
    for (const answer of [
      await call('POST', '', { name: ' ' }),
      await call('PATCH', `/${pool.id}`, { name: '\t' }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body['message']).toContain('name');
    }
    expect((await call('GET', '')).body['number_pools']).toEqual([pool]);
  });

  it('replay the first answer for the same Idempotency-Key', async () => {
    const send = () =>
      api.request('POST', '/api/v0/number-pool', {
        key: tenant.key,
        body: { name: 'Once' },
        headers: { 'idempotency-key': 'pool' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await call('GET', '')).body['number_pools']).toHaveLength(1);
  });

  it('reject foreign numbers, test numbers and numbers of other pools', async () => {
    const pool = await make([numbers[0]!]);
    const stranger = await createTenant(api);
    for (const id of [stranger.numberId, newId(), 'x']) {
      const answer = await call('POST', `/${pool.id}/members`, { from_number_ids: [numbers[1], id] });
      expect([answer.status, answer.body['message']]).toEqual([
        400,
        'from_number_ids[1] is not a number of this workspace',
      ]);
    }
    const test = await call('POST', '', { name: 'x', from_number_ids: [tenant.testNumberId] });
    expect([test.status, test.body['code']]).toEqual([400, 'TEST_NUMBER']);
    const other = await call('POST', '', { name: 'x', from_number_ids: [numbers[0]] });
    expect([other.status, other.body['code']]).toEqual([400, 'NUMBER_IN_OTHER_POOL']);
    const absent = await call('DELETE', `/${pool.id}/members`, { from_number_ids: [numbers[2]] });
    expect([absent.status, absent.body['code']]).toEqual([400, 'NUMBER_NOT_IN_POOL']);
    expect((await call('GET', '')).body['number_pools']).toHaveLength(1);
  });

  it.each<['POST' | 'PATCH' | 'DELETE', string, unknown, string]>([
    ['POST', '', {}, 'name is required'],
    ['POST', '', { name: '' }, 'name must not be empty'],
    ['POST', '', { name: 'x'.repeat(101) }, 'name must be at most 100'],
    ['POST', '', { name: 5 }, 'name must be a string'],
    ['POST', '', { name: 'x', from_number_ids: 'x' }, 'from_number_ids must be'],
    ['POST', '', { name: 'x', from_number_ids: [5] }, 'from_number_ids[0] must be a string'],
    ['PATCH', '/x', {}, 'name is required'],
    ['POST', '/x/members', {}, 'from_number_ids is required'],
    ['POST', '/x/members', { from_number_ids: [] }, 'from_number_ids must hold at least 1'],
    ['DELETE', '/x/members', {}, 'from_number_ids is required'],
  ])('%s %s %j answers 422', async (method, path, body, message) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('of another workspace answer 404', async () => {
    const pool = await make();
    const stranger = await createTenant(api);
    const theirs = await createTestAgent(api, stranger);
    for (const [id, key] of [
      [pool.id, stranger.key],
      [newId(), tenant.key],
      ['x', tenant.key],
    ] as const) {
      for (const answer of [
        await call('GET', `/${id}`, undefined, key),
        await call('PATCH', `/${id}`, { name: 'x' }, key),
        await call('DELETE', `/${id}`, undefined, key),
        await call('POST', `/${id}/members`, { from_number_ids: ['x'] }, key),
        await call('DELETE', `/${id}/members`, { from_number_ids: ['x'] }, key),
        key === stranger.key
          ? await place({ agent_id: theirs.agentId, number_pool_id: id }, stranger)
          : await place({ number_pool_id: id }),
      ]) {
        expect([answer.status, answer.body['message']]).toEqual([404, 'Number pool not found']);
      }
    }
    expect((await call('GET', '', undefined, stranger.key)).body).toEqual({ number_pools: [] });
  });
});

describe('number rotation', () => {
  const used = async (poolId: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1)
      ids.push((await rowOf(await place({ number_pool_id: poolId }))).number_id!);
    return ids;
  };

  it('uses the least recently used number first, also within one clock tick', async () => {
    const pool = await make();
    expect(await used(pool.id, 7)).toEqual([...numbers, ...numbers, numbers[0]]);
    const late = await addNumber();
    await call('POST', `/${pool.id}/members`, { from_number_ids: [late] });
    expect(await used(pool.id, 2)).toEqual([late, numbers[1]]);
  });

  it('distributes concurrent calls evenly', async () => {
    const pool = await make();
    const rows = await Promise.all(
      Array.from({ length: 30 }, async () => rowOf(await place({ number_pool_id: pool.id }))),
    );
    for (const id of numbers) expect(rows.filter((row) => row.number_id === id)).toHaveLength(10);
  });

  it('skips numbers that are spam, without a trunk, or at their limit while another is free', async () => {
    const pool = await make();
    const [a, b, c] = numbers as [string, string, string];
    const set = (id: string, change: Record<string, unknown>) =>
      api.db.updateTable('numbers').set(change).where('id', '=', id).execute();
    await set(a, { is_spam: true });
    expect(await used(pool.id, 3)).toEqual([b, c, b]);
    await set(c, { call_limit: 1 });
    const row = await rowOf(await place({ from_number_id: c }));
    await api.db.updateTable('calls').set({ status: 'ongoing' }).where('id', '=', row.id).execute();
    expect(await used(pool.id, 2)).toEqual([b, b]);
    await set(b, { call_limit: 0 });
    expect(await used(pool.id, 2)).toEqual([c, b]);
    await set(b, { trunk_id: null });
    await set(c, { is_spam: true });
    const none = await place({ number_pool_id: pool.id });
    expect([none.status, none.body['code']]).toEqual([400, 'POOL_WITHOUT_NUMBER']);
    const empty = await make([]);
    expect((await place({ number_pool_id: empty.id })).body['code']).toBe('POOL_WITHOUT_NUMBER');
  });

  it('does not mark a number as used by a refused call', async () => {
    const pool = await make();
    await api.db.updateTable('workspaces').set({ credits: 0 }).where('id', '=', tenant.workspaceId).execute();
    expect((await place({ number_pool_id: pool.id })).status).toBe(402);
    expect(poolOf(await call('GET', `/${pool.id}`)).numbers.every((n) => n.last_used_at === null)).toBe(true);
  });
});

describe('POST /calling/v2/outbound/individual', () => {
  const english = voices().filter((v) => v.languages.includes('en-US'));
  const other = voices().find((v) => !v.languages.includes('en-US'))!;

  it('accepts the fields of the older variant and its own', async () => {
    const parent = await rowOf(await place({ from_number: tenant.number }));
    const answer = await place({
      from_number_id: tenant.numberId,
      voice_id: english[1]!.id,
      version_id: versionId,
      call_category: 'follow-up',
      parent_call_id: parent.id,
      callback_url: 'https://example.com/hook?a=1',
      callback_args: { headers: { authorization: 'Bearer x' }, params: { run: 'ü 7' } },
    });
    expect(answer.body).toMatchObject({
      status: 'success',
      data: { call_status: 'registered', agent_id: agentId },
    });
    const row = await rowOf(answer);
    expect(row).toMatchObject({
      voice_id: english[1]!.id,
      version_id: versionId,
      category: 'follow-up',
      parent_call_id: parent.id,
      callback: { url: 'https://example.com/hook?a=1&run=%C3%BC+7' },
    });
    expect(JSON.stringify(row.callback)).not.toContain('Bearer x');
    const headers = row.callback?.['headers'] as Record<string, string>;
    expect(openHeaders(TEST_SEAL, headers)).toEqual({ authorization: 'Bearer x' });
    const details = await api.request('GET', `/api/v0/calling/call-details?id=${row.id}`, {
      key: tenant.key,
    });
    expect(details.body['data']).toMatchObject({ call_category: 'follow-up', parent_call_id: parent.id });
    expect(details.text).not.toContain('Bearer');
  });

  it('is dialled with its own voice', async () => {
    const voiceId = english.find((v) => v.id !== english[0]!.id)!.id;
    await place({ from_number_id: tenant.numberId });
    await place({ from_number_id: tenant.numberId, voice_id: voiceId });
    const nodeId = await createNode(api.db, newId(), api.clock.now());
    const deps = { db: api.db, clock: api.clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId };
    const visited: string[] = [];
    let turn = await claimBatch(deps, { visited, capacity: 10 });
    while (turn !== null && turn.workspaceId !== tenant.workspaceId) {
      visited.push(turn.workspaceId);
      turn = await claimBatch(deps, { visited, capacity: 10 });
    }
    expect(turn?.claimed.map((claimed) => claimed.versionConfig.voiceId)).toEqual([english[0]!.id, voiceId]);
  });

  it('sends each event once to its own receiver and to the agent’s', async () => {
    const hook = (name: string) => `https://example.com/${name}`;
    await api.request('PATCH', '/api/v0/agent/v1', {
      key: tenant.key,
      body: {
        operation: 'edit_event_subscriptions',
        agent_id: agentId,
        event_subscriptions: [{ event_type: 'call_completed', callback_url: 'HTTPS://EXAMPLE.com/agent' }],
      },
    });
    const end = async (change: Record<string, unknown>): Promise<string[]> => {
      const row = await rowOf(await place({ from_number_id: tenant.numberId, ...change }));
      const how = { status: 'cancelled', subStatus: 'USER_TERMINATED' } as const;
      await api.db.transaction().execute((tx) => endQueued(tx, tenant.workspaceId, row.id, how, new Date()));
      const rows = await api.db
        .selectFrom('deliveries')
        .innerJoin('events', (join) =>
          join
            .onRef('events.id', '=', 'deliveries.event_id')
            .onRef('events.workspace_id', '=', 'deliveries.workspace_id'),
        )
        .select(['deliveries.url', 'events.event_type'])
        .where('deliveries.call_id', '=', row.id)
        .execute();
      return rows.map((delivery) => `${delivery.event_type} ${delivery.url}`).sort();
    };
    expect(await end({})).toEqual([`call_completed ${hook('agent')}`]);
    expect(await end({ callback_url: hook('own') })).toEqual([
      `all_processing_completed ${hook('own')}`,
      `call_completed ${hook('agent')}`,
      `call_completed ${hook('own')}`,
    ]);
    expect(await end({ callback_url: hook('agent') })).toEqual([
      `all_processing_completed ${hook('agent')}`,
      `call_completed ${hook('agent')}`,
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ from_number_id: undefined }, 'Provide exactly one of from_number_id, from_number and number_pool_id'],
    [{ number_pool_id: 'x' }, 'Provide exactly one of from_number_id, from_number and number_pool_id'],
    [{ from_number: '+14155550001' }, 'Provide either from_number_id or from_number, not both'],
    [{ number_pool_id: 5 }, 'number_pool_id must be a string'],
    [{ voice_id: 'x' }, 'voice_id must be a UUID'],
    [{ voice_id: newId() }, 'voice_id does not name a voice'],
    [{ version_id: 5 }, 'version_id must be a string'],
    [{ call_category: '' }, 'call_category must not be empty'],
    [{ parent_call_id: 5 }, 'parent_call_id must be a string'],
    [{ callback_url: 'ftp://x' }, 'callback_url must be an http or https URL'],
    [{ callback_url: 'https://u:p@x' }, 'callback_url must not carry a user name'],
    [{ callback_args: {} }, 'callback_args requires callback_url'],
    [
      { callback_url: 'https://x', callback_args: { headers: { host: 'x' } } },
      'callback_args.headers.host is set by the service',
    ],
    [
      { callback_url: 'https://x', callback_args: { headers: { a: 'x\ny' } } },
      'callback_args.headers.a must be a header value',
    ],
    [
      { callback_url: 'https://x', callback_args: { params: { a: 5 } } },
      'callback_args.params.a must be a string',
    ],
    [{ callback_url: 'https://x', callback_args: { body: {} } }, 'callback_args.body is not a known field'],
    [{ callback: 'https://x' }, 'callback is not a known field'],
  ])('%j answers 422', async (change, message) => {
    const answer = await place({ from_number_id: tenant.numberId, ...change });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('answers 404 for foreign ids', async () => {
    const stranger = await createTenant(api);
    const theirs = await createTestAgent(api, stranger);
    const second = await createTestAgent(api, tenant);
    const call = await rowOf(
      await place({ agent_id: theirs.agentId, from_number_id: stranger.numberId }, stranger),
    );
    for (const version_id of [theirs.versionId, second.versionId, newId(), 'x']) {
      const answer = await place({ from_number_id: tenant.numberId, version_id });
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent version not found']);
    }
    for (const parent_call_id of [call.id, newId(), 'x']) {
      const answer = await place({ from_number_id: tenant.numberId, parent_call_id });
      expect([answer.status, answer.body['message']]).toEqual([404, 'Call not found']);
    }
    const mute = await place({ from_number_id: tenant.numberId, voice_id: other.id });
    expect([mute.status, mute.body['code']]).toEqual([400, 'VOICE_LANGUAGE_MISMATCH']);
  });
});
