import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { newId } from '../../../src/shared/ids.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { replaceKey } from '../../../src/store/tenants/keys.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { createNode } from '../../helpers/database/workspace.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  tenant = await createTenant(api, {
    unlimited: true,
    settings: { limits: { denied_destinations: ['+44'] } },
  });
});
afterAll(() => api.close());

const sub = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key = tenant.key) =>
  api.request(method, `/api/v0/workspace/sub${path}`, { key, ...(body === undefined ? {} : { body }) });
async function createChild(name = 'Client A'): Promise<{ id: string; key: string }> {
  const { status, body } = await sub('POST', '', { name });
  expect(status).toBe(200);
  const { id } = body['sub_workspace'] as { id: string };
  const key = newApiKey();
  await replaceKey(api.db, id, storedForm(key), new Date(api.clock.now()));
  return { id, key };
}
const move = (to: string, numberIds: readonly string[], key = tenant.key) =>
  sub('POST', `/${to}/numbers`, { from_number_ids: numberIds }, key);
const numbersOf = async (key: string): Promise<string[]> => {
  const { body } = await api.request('GET', '/api/v0/workspace/numbers', { key });
  return (body['workspace_numbers'] as { id: string }[]).map(({ id }) => id);
};
const place = (key: string, agentId: string, more: object) =>
  api.request('POST', '/api/v0/calling/outbound/individual', {
    key,
    body: { name: 'P', mobile_number: '+14155550001', agent_id: agentId, ...more },
  });

describe('a child workspace', () => {
  it('is unlimited, shares the concurrency and has the dial limits of its parent', async () => {
    const child = await createChild();
    const { body } = await sub('GET', '');
    expect(body['sub_workspaces']).toMatchObject([
      { id: child.id, unlimited: true, concurrency: 10, concurrency_shared: true },
    ]);
    await move(child.id, [tenant.numberId]);
    const { agentId } = await createTestAgent(api, { ...tenant, key: child.key });
    const denied = await place(child.key, agentId, {
      from_number_id: tenant.numberId,
      mobile_number: '+442079460958',
    });
    expect(denied.status).toBeGreaterThanOrEqual(400);
    expect((await place(child.key, agentId, { from_number_id: tenant.numberId })).status).toBe(200);
  });

  it('has a name of its own among its siblings', async () => {
    await createChild('Client A');
    const twice = await sub('POST', '', { name: ' client a' });
    expect([twice.status, twice.body['code']]).toEqual([409, 'WORKSPACE_NAME_TAKEN']);
    const other = await createTenant(api);
    expect((await sub('POST', '', { name: 'Client A' }, other.key)).status).toBe(200);
  });

  it('and its parent together start no more calls than the parent may', async () => {
    const child = await createChild();
    await move(child.id, [tenant.numberId]);
    const second = newId();
    const { trunkId } = tenant;
    const at = new Date(api.clock.now());
    const number = '+12125550142';
    await api.db
      .insertInto('numbers')
      .values({
        workspace_id: tenant.workspaceId,
        id: second,
        number,
        trunk_id: trunkId,
        created_at: at,
        updated_at: at,
      })
      .execute();
    const theirs = await createTestAgent(api, { ...tenant, key: child.key });
    const own = await createTestAgent(api, tenant);
    for (let i = 0; i < 8; i += 1) {
      const callee = { mobile_number: `+1415555100${i}` };
      const ofChild = await place(child.key, theirs.agentId, { from_number_id: tenant.numberId, ...callee });
      const ofParent = await place(tenant.key, own.agentId, { from_number_id: second, ...callee });
      expect([ofChild.status, ofParent.status]).toEqual([200, 200]);
    }
    const nodeId = await createNode(api.db, newId(), api.clock.now());
    const deps = { db: api.db, clock: api.clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId };
    // Three dialers at once claim all that may start.
    const claimAll = async (): Promise<void> => {
      const visited: string[] = [];
      for (;;) {
        const turn = await claimBatch(deps, { visited, capacity: 100 });
        if (turn === null) return;
        visited.push(turn.workspaceId);
      }
    };
    await Promise.all([claimAll(), claimAll(), claimAll()]);
    await claimAll();
    const live = await api.db
      .selectFrom('calls')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('workspace_id', 'in', [tenant.workspaceId, child.id])
      .where('status', '=', 'ongoing')
      .executeTakeFirstOrThrow();
    expect(live.n).toBe(10);
    const fixed = await sub('PATCH', `/${child.id}/concurrency`, { concurrency: 3 });
    expect(fixed.body['sub_workspace']).toMatchObject({ concurrency: 3, concurrency_shared: false });
    const shared = await sub('PATCH', `/${child.id}/concurrency`, { concurrency: null });
    expect(shared.body['sub_workspace']).toMatchObject({ concurrency: 10, concurrency_shared: true });
  });
});

describe('moving numbers', () => {
  it('goes from the parent to a child and back, with an audit entry on both sides', async () => {
    const child = await createChild();
    const moved = await move(child.id, [tenant.numberId]);
    expect([moved.status, moved.body['workspace_id']]).toEqual([200, child.id]);
    expect(await numbersOf(child.key)).toEqual([tenant.numberId]);
    expect((await sub('GET', '')).body['sub_workspaces']).toMatchObject([
      { numbers: [{ id: tenant.numberId, number_pool_id: null }], number_pools: [] },
    ]);
    expect(await numbersOf(tenant.key)).toEqual([tenant.testNumberId]);
    const audited = await api.db
      .selectFrom('audit_log')
      .select('workspace_id')
      .where('workspace_id', 'in', [tenant.workspaceId, child.id])
      .where('action', '=', 'moveNumbers')
      .execute();
    expect(audited.map((row) => row.workspace_id).toSorted()).toEqual(
      [tenant.workspaceId, child.id].toSorted(),
    );
    expect((await move(tenant.workspaceId, [tenant.numberId])).status).toBe(200);
    expect((await numbersOf(tenant.key)).toSorted()).toEqual(
      [tenant.numberId, tenant.testNumberId].toSorted(),
    );
  });

  it('answers 409 with the reason for a number in use, and moves none then', async () => {
    const child = await createChild();
    const { agentId } = await createTestAgent(api, tenant);
    await place(tenant.key, agentId, { from_number_id: tenant.numberId });
    const busy = await move(child.id, [tenant.testNumberId, tenant.numberId]);
    expect([busy.status, busy.body['message']]).toEqual([
      409,
      'from_number_ids[1] cannot be moved: calls wait or are in progress (1)',
    ]);
    expect(await numbersOf(child.key)).toEqual([]);
    const pool = await api.request('POST', '/api/v0/number-pool', {
      key: tenant.key,
      body: { name: 'Main', from_number_ids: [tenant.numberId] },
    });
    const pooled = await move(child.id, [tenant.numberId]);
    expect([pooled.status, pooled.body['message']]).toEqual([
      409,
      expect.stringContaining('it is in a pool'),
    ]);
    const { id } = pool.body['number_pool'] as { id: string };
    const whole = await sub('POST', `/${child.id}/number-pools`, { number_pool_id: id });
    expect([whole.status, whole.body['message']]).toEqual([409, expect.stringContaining('calls wait')]);
    await api.db.deleteFrom('calls').where('workspace_id', '=', tenant.workspaceId).execute();
    expect((await sub('POST', `/${child.id}/number-pools`, { number_pool_id: id })).status).toBe(200);
    const pools = await api.request('GET', '/api/v0/number-pool', { key: child.key });
    expect(pools.body['number_pools']).toMatchObject([{ numbers: [{ from_number_id: tenant.numberId }] }]);
  });

  it("reaches no other family's numbers and workspaces, and is the parent's alone", async () => {
    const child = await createChild();
    const stranger = await createTenant(api);
    expect((await move(child.id, [stranger.numberId])).status).toBe(400);
    expect((await move(stranger.workspaceId, [tenant.numberId])).status).toBe(404);
    expect((await move(child.id, [tenant.numberId], stranger.key)).status).toBe(404);
    expect((await move(child.id, [tenant.numberId], child.key)).status).toBe(403);
    const manager = await signedIn(api, tenant.workspaceId, 'manager');
    const refused = await manager.request('POST', `/api/v0/workspace/sub/${child.id}/numbers`, {
      from_number_ids: [tenant.numberId],
    });
    expect(refused.status).toBe(403);
    expect(await numbersOf(child.key)).toEqual([]);
  });
});
