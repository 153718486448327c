import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
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
import { createNode } from '../../helpers/database/workspace.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  tenant = await createTenant(api, { credits: 100_000_000 });
});
afterAll(() => api.close());

interface Sub {
  id: string;
  name: string;
  credits: number;
  locked_credits: number;
  concurrency: number;
  has_api_key: boolean;
}
const send = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
  key = tenant.key,
): Promise<Answer> =>
  api.request(method, `/api/v0/workspace/sub${path}`, { key, ...(body === undefined ? {} : { body }) });
const create = async (name = 'Client A', key = tenant.key): Promise<Sub> => {
  const answer = await send('POST', '', { name }, key);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body['sub_workspace'] as Sub;
};
const keyOf = async (id: string): Promise<string> => {
  const key = newApiKey();
  await replaceKey(api.db, id, storedForm(key), new Date(api.clock.now()));
  return key;
};
const allocate = (allocations: unknown, key = tenant.key): Promise<Answer> =>
  send('PATCH', '/credit-balances', { allocations }, key);
const concurrency = (id: string, value: unknown, key = tenant.key): Promise<Answer> =>
  send('PATCH', `/${id}/concurrency`, { concurrency: value }, key);
const rowOf = (id: string) =>
  api.db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const subs = async (): Promise<Sub[]> => (await send('GET', '')).body['sub_workspaces'] as Sub[];

describe('child workspaces', () => {
  it('start without key and credits, share the concurrency of their parent, and are listed', async () => {
    const child = await create();
    expect(child).toEqual({
      id: child.id,
      name: 'Client A',
      created_at: new Date(api.clock.now()).toISOString(),
      parent_workspace_id: tenant.workspaceId,
      credits: 0,
      locked_credits: 0,
      unlimited: false,
      concurrency: 10,
      concurrency_shared: true,
      has_api_key: false,
      archived_at: null,
      numbers: [],
      number_pools: [],
    });
    expect(await subs()).toEqual([child]);
    const all = await api.request('GET', '/api/v0/workspace/all', { key: tenant.key });
    expect(all.body['workspaces']).toMatchObject([
      { id: tenant.workspaceId, role: 'owner', parent_workspace_id: null },
      { id: child.id, role: 'owner', parent_workspace_id: tenant.workspaceId, name: 'Client A' },
    ]);
    const key = await keyOf(child.id);
    expect((await subs())[0]?.has_api_key).toBe(true);
    const own = await api.request('GET', '/api/v0/workspace/all', { key });
    expect((own.body['workspaces'] as Sub[]).map((w) => w.id)).toEqual([child.id]);
  });

  it('replay the first answer for the same Idempotency-Key', async () => {
    const post = () =>
      api.request('POST', '/api/v0/workspace/sub', {
        key: tenant.key,
        body: { name: 'Once' },
        headers: { 'idempotency-key': 'sub' },
      });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    expect(await subs()).toHaveLength(1);
  });

  it('cannot have children, and see neither parent nor siblings', async () => {
    const [child, sibling] = [await create(), await create('Client B')];
    const key = await keyOf(child.id);
    for (const answer of [
      await send('POST', '', { name: 'x' }, key),
      await concurrency(sibling.id, 1, key),
      await concurrency(tenant.workspaceId, 1, key),
      await allocate({ [sibling.id]: 1 }, key),
      await allocate({ [tenant.workspaceId]: 1 }, key),
    ]) {
      expect([answer.status, answer.body['code']]).toEqual([403, 'CHILD_WORKSPACE']);
    }
    expect((await send('GET', '', undefined, key)).body).toEqual({ sub_workspaces: [] });
    const { agentId } = await createTestAgent(api, tenant);
    const answer = await api.request('GET', `/api/v0/agent/${agentId}`, { key });
    expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    const theirs = await createTestAgent(api, { ...tenant, key });
    expect((await api.request('GET', `/api/v0/agent/${theirs.agentId}`, { key: tenant.key })).status).toBe(
      404,
    );
  });

  it('of another workspace answer 404', async () => {
    const child = await create();
    const stranger = await createTenant(api);
    for (const [id, key] of [
      [child.id, stranger.key],
      [tenant.workspaceId, tenant.key],
      [stranger.workspaceId, tenant.key],
      [newId(), tenant.key],
      ['x', tenant.key],
    ] as const) {
      for (const answer of [await concurrency(id, 1, key), await allocate({ [id]: 1 }, key)]) {
        expect([answer.status, answer.body['message']]).toEqual([404, 'Workspace not found']);
      }
    }
    expect((await send('GET', '', undefined, stranger.key)).body).toEqual({ sub_workspaces: [] });
  });

  it.each<['POST' | 'PATCH', string, unknown, string]>([
    ['POST', '', {}, 'name is required'],
    ['POST', '', { name: '' }, 'name must not be empty'],
    ['POST', '', { name: 'x'.repeat(101) }, 'name must be at most 100'],
    ['PATCH', '/x/concurrency', {}, 'concurrency is required'],
    ['PATCH', '/x/concurrency', { concurrency: -1 }, 'concurrency must be at least 0'],
    ['PATCH', '/x/concurrency', { concurrency: 1.5 }, 'concurrency must be an integer'],
    ['PATCH', '/x/concurrency', { concurrency: '5' }, 'concurrency must be an integer'],
    ['PATCH', '/credit-balances', {}, 'allocations is required'],
    ['PATCH', '/credit-balances', { allocations: {} }, 'allocations must'],
    ['PATCH', '/credit-balances', { allocations: [] }, 'allocations must be an object'],
    ['PATCH', '/credit-balances', { allocations: { x: '5' } }, 'allocations.x must be a number'],
    ['PATCH', '/credit-balances', { allocations: { x: -1 } }, 'allocations.x must be at least 0'],
  ])('%s %s %j answers 422', async (method, path, body, message) => {
    const answer = await send(method, path, body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });
});

describe('credits of children', () => {
  it('are set to their targets atomically', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const answer = await allocate({ [a.id]: 30, [b.id]: 20.5 });
    expect(answer.body).toMatchObject({
      message: 'Credit balances updated successfully',
      credits: 49.5,
      locked_credits: 0,
      sub_workspaces: [
        { id: a.id, credits: 30 },
        { id: b.id, credits: 20.5 },
      ],
    });
    expect((await allocate({ [a.id]: 30 })).body['credits']).toBe(49.5);
    // One target falls by as much as another rises, so the parent's balance need not cover the rise.
    expect((await allocate({ [a.id]: 0, [b.id]: 100 })).body['credits']).toBe(0);
    const over = await allocate({ [a.id]: 1 });
    expect([over.status, over.body['code']]).toEqual([400, 'CREDITS_EXCEED_PARENT']);
    const half = await allocate({ [b.id]: 50, [newId()]: 1 });
    expect(half.status).toBe(404);
    expect((await rowOf(b.id)).credits).toBe(100_000_000);
    const twice = await allocate({ [b.id]: 50, [b.id.toUpperCase()]: 1 });
    expect(twice.status).toBe(422);
    const transfers = await api.db
      .selectFrom('credit_transfers')
      .select((e) => e.fn.sum<string>('amount').as('sum'))
      .where('workspace_id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(Number(transfers.sum)).toBe(100_000_000);
  });

  it('keep locked credits in parent and child', async () => {
    const child = await create();
    await allocate({ [child.id]: 10 });
    await api.db
      .updateTable('workspaces')
      .set({ locked_credits: 4_000_000 })
      .where('id', '=', child.id)
      .execute();
    const low = await allocate({ [child.id]: 3.9 });
    expect([low.status, low.body['code']]).toEqual([400, 'CREDITS_LOCKED']);
    expect((await allocate({ [child.id]: 4 })).body['credits']).toBe(96);
    await api.db
      .updateTable('workspaces')
      .set({ locked_credits: 90_000_000 })
      .where('id', '=', tenant.workspaceId)
      .execute();
    expect((await allocate({ [child.id]: 10.1 })).status).toBe(400);
    expect((await allocate({ [child.id]: 10 })).status).toBe(200);
  });

  it('have a constant sum under concurrent allocations', async () => {
    const children = [await create('A'), await create('B'), await create('C')];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        allocate(Object.fromEntries(children.map((child, j) => [child.id, (i * 7 + j * 13) % 60]))),
      ),
    );
    expect(answers.every((answer) => [200, 400].includes(answer.status))).toBe(true);
    expect(answers.some((answer) => answer.status === 200)).toBe(true);
    const rows = await Promise.all([tenant.workspaceId, ...children.map((child) => child.id)].map(rowOf));
    expect(rows.reduce((sum, row) => sum + row.credits, 0)).toBe(100_000_000);
    expect(rows.every((row) => row.credits >= 0)).toBe(true);
  });

  it('answer 400 where billing is off', async () => {
    const free = await createTenant(api, { unlimited: true });
    const child = await create('A', free.key);
    expect((await rowOf(child.id)).unlimited).toBe(true);
    const answer = await allocate({ [child.id]: 1 }, free.key);
    expect([answer.status, answer.body['code']]).toEqual([400, 'BILLING_OFF']);
  });
});

describe('concurrency of children', () => {
  it('never sums to more than the parent’s, also under concurrent changes', async () => {
    const [a, b] = [await create('A'), await create('B')];
    expect((await concurrency(a.id, 6)).body).toMatchObject({
      message: 'Concurrency updated successfully',
      sub_workspace: { id: a.id, concurrency: 6 },
    });
    const over = await concurrency(b.id, 5);
    expect([over.status, over.body['message']]).toEqual([
      400,
      'concurrency must be at most 4, the concurrency that the other children leave free',
    ]);
    expect((await concurrency(b.id, 4)).status).toBe(200);
    expect((await concurrency(a.id, 6)).status).toBe(200);
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => concurrency(i % 2 === 0 ? a.id : b.id, (i * 5) % 11)),
    );
    const [one, two] = await subs();
    expect(one!.concurrency + two!.concurrency).toBeLessThanOrEqual(10);
  });

  it('is taken from the parent’s', async () => {
    const child = await create();
    await concurrency(child.id, 7);
    const { agentId } = await createTestAgent(api, tenant);
    for (let i = 0; i < 6; i += 1) {
      await api.request('POST', '/api/v0/calling/outbound/individual', {
        key: tenant.key,
        body: {
          name: 'P',
          mobile_number: `+1415555000${i}`,
          agent_id: agentId,
          from_number_id: tenant.numberId,
        },
      });
    }
    const nodeId = await createNode(api.db, newId(), api.clock.now());
    const deps = { db: api.db, clock: api.clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId };
    const turn = await claimBatch(deps, { visited: [], capacity: 100 });
    expect([turn?.workspaceId, turn?.claimed.length]).toEqual([tenant.workspaceId, 3]);
  });
});
