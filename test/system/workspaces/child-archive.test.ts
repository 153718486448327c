import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { newId } from '../../../src/shared/ids.ts';
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
let child: { id: string; key: string };
beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  tenant = await createTenant(api, { credits: 100_000_000 });
  const { body } = await sub('POST', '', { name: 'Client A' });
  const { id } = body['sub_workspace'] as { id: string };
  child = { id, key: await keyFor(id) };
  await sub('PATCH', '/credit-balances', { allocations: { [id]: 40 } });
  await sub('PATCH', `/${id}/concurrency`, { concurrency: 6 });
  await sub('POST', `/${id}/numbers`, { from_number_ids: [tenant.numberId] });
});
afterAll(() => api.close());

const keyFor = async (id: string): Promise<string> => {
  const key = newApiKey();
  await replaceKey(api.db, id, storedForm(key), new Date(api.clock.now()));
  return key;
};
const sub = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key = tenant.key) =>
  api.request(method, `/api/v0/workspace/sub${path}`, { key, ...(body === undefined ? {} : { body }) });
const archive = () => sub('POST', `/${child.id}/archive`);
const place = (agentId: string, key = child.key) =>
  api.request('POST', '/api/v0/calling/outbound/individual', {
    key,
    body: {
      name: 'P',
      mobile_number: '+14155550001',
      agent_id: agentId,
      from_number_id: tenant.numberId,
    },
  });
const callsOf = (workspaceId: string) =>
  api.db
    .selectFrom('calls')
    .select(['status', 'sub_status'])
    .where('workspace_id', '=', workspaceId)
    .execute();
const claimAll = async (): Promise<number> => {
  const nodeId = await createNode(api.db, newId(), api.clock.now());
  const deps = { db: api.db, clock: api.clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId };
  const visited: string[] = [];
  let claimed = 0;
  for (;;) {
    const batch = await claimBatch(deps, { visited, capacity: 100 });
    if (batch === null) return claimed;
    visited.push(batch.workspaceId);
    claimed += batch.claimed.length;
  }
};

describe('archiving a child workspace', () => {
  it('gives numbers, concurrency and free credits back, and ends key, sessions and waiting calls', async () => {
    const { agentId } = await createTestAgent(api, { ...tenant, key: child.key });
    await api.db
      .updateTable('numbers')
      .set({ inbound_agent_id: agentId })
      .where('workspace_id', '=', child.id)
      .execute();
    expect((await place(agentId)).status).toBe(200);
    const ofChild = await signedIn(api, child.id);
    const ofParent = await signedIn(api, tenant.workspaceId);
    ofParent.workspaceId = child.id;
    expect((await ofParent.request('GET', '/api/v0/agent/all')).status).toBe(200);

    const answer = await archive();
    expect([answer.status, answer.body['sub_workspace']]).toMatchObject([
      200,
      {
        credits: 0,
        concurrency: 10,
        concurrency_shared: true,
        has_api_key: false,
        archived_at: expect.any(String),
      },
    ]);
    expect(await callsOf(child.id)).toEqual([{ status: 'cancelled', sub_status: 'USER_TERMINATED' }]);
    const numbers = await api.request('GET', '/api/v0/workspace/numbers', { key: tenant.key });
    expect((numbers.body['workspace_numbers'] as { id: string }[]).map(({ id }) => id)).toContain(
      tenant.numberId,
    );
    const own = await api.request('GET', '/api/v0/workspace', { key: tenant.key });
    expect(own.body['workspace_info']).toMatchObject({ credits: 100 });
    expect((await place(agentId)).status).toBe(401);
    expect((await ofChild.request('GET', '/dashboard-api/session')).status).toBe(401);
    expect((await ofParent.request('GET', '/api/v0/agent/all')).status).toBe(403);
    const session = await ofParent.readSession();
    expect((session.body['workspaces'] as { id: string }[]).map(({ id }) => id)).toEqual([
      tenant.workspaceId,
    ]);
    const reached = await api.request('GET', '/api/v0/workspace/all', { key: tenant.key });
    expect((reached.body['workspaces'] as { id: string }[]).map(({ id }) => id)).not.toContain(child.id);
    const audited = await api.db
      .selectFrom('audit_log')
      .select('workspace_id')
      .where('action', '=', 'archiveSubWorkspace')
      .where('workspace_id', 'in', [tenant.workspaceId, child.id])
      .execute();
    expect(audited).toHaveLength(2);
  });

  it('refuses browser calls, changes of shares and numbers, and a call that a late request queued', async () => {
    const { agentId } = await createTestAgent(api, { ...tenant, key: child.key });
    const { webcall_public_key: publicKey } = await api.db
      .selectFrom('agents')
      .select('webcall_public_key')
      .where('id', '=', agentId)
      .executeTakeFirstOrThrow();
    const open = () =>
      api.request('POST', '/api/v0/calling/webcall', {
        headers: { 'x-api-key': publicKey, origin: 'http://127.0.0.1:8080' },
        body: { agent_id: agentId },
      });
    expect((await open()).status).not.toBe(401);
    expect((await place(agentId)).status).toBe(200);
    await archive();
    expect((await open()).status).toBe(401);
    for (const late of [
      await sub('POST', `/${child.id}/numbers`, { from_number_ids: [tenant.numberId] }),
      await sub('PATCH', `/${child.id}/concurrency`, { concurrency: 1 }),
      await sub('PATCH', '/credit-balances', { allocations: { [child.id]: 1 } }),
    ]) {
      expect([late.status, late.body['code'], late.body['message']]).toEqual([
        409,
        'WORKSPACE_ARCHIVED',
        'The child workspace Client A is archived; restore it first',
      ]);
    }
    // As a request leaves it that was authenticated before.
    const due = new Date(api.clock.now() - 1000);
    await api.db
      .updateTable('calls')
      .set({ status: 'registered', sub_status: 'QUEUED', next_attempt_at: due })
      .where('workspace_id', '=', child.id)
      .execute();
    await api.db.updateTable('workspaces').set({ next_due_at: due }).where('id', '=', child.id).execute();
    expect(await claimAll()).toBe(0);
    const restored = await sub('POST', `/${child.id}/restore`);
    expect(restored.body['sub_workspace']).toMatchObject({ archived_at: null, has_api_key: false });
    expect(await claimAll()).toBe(0);
    expect(await callsOf(child.id)).toEqual([{ status: 'cancelled', sub_status: 'USER_TERMINATED' }]);
  });

  it('answers 409 while a call is in progress, and changes nothing then', async () => {
    const { agentId } = await createTestAgent(api, { ...tenant, key: child.key });
    await place(agentId);
    await api.db
      .updateTable('calls')
      .set({ status: 'ongoing', dialed_at: new Date(api.clock.now()) })
      .where('workspace_id', '=', child.id)
      .execute();
    const busy = await archive();
    expect([busy.status, busy.body['code']]).toEqual([409, 'WORKSPACE_IN_USE']);
    expect((await api.request('GET', '/api/v0/workspace', { key: child.key })).status).toBe(200);
  });

  it('is undone by a restore: with a new key and a number the child calls again', async () => {
    const { agentId } = await createTestAgent(api, { ...tenant, key: child.key });
    await archive();
    expect((await archive()).status).toBe(200);
    expect((await sub('POST', `/${child.id}/restore`)).status).toBe(200);
    await sub('POST', `/${child.id}/numbers`, { from_number_ids: [tenant.numberId] });
    await sub('PATCH', '/credit-balances', { allocations: { [child.id]: 40 } });
    expect((await place(agentId, await keyFor(child.id))).status).toBe(200);
    expect(await claimAll()).toBe(1);
  });

  it("is the parent's alone, for its own children", async () => {
    const stranger = await createTenant(api);
    expect((await sub('POST', `/${child.id}/archive`, undefined, stranger.key)).status).toBe(404);
    expect((await sub('POST', `/${child.id}/archive`, undefined, child.key)).status).toBe(403);
    expect((await sub('POST', `/${tenant.workspaceId}/archive`)).status).toBe(404);
    const manager = await signedIn(api, tenant.workspaceId, 'manager');
    const refused = await manager.request('POST', `/api/v0/workspace/sub/${child.id}/archive`);
    expect(refused.status).toBe(403);
    expect((await api.request('GET', '/api/v0/workspace', { key: child.key })).status).toBe(200);
  });
});
