import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, type Answer } from '../../helpers/api/api.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

describe('DELETE /agent/{agent_id}', () => {
  const remove = (id: string, key = desk.tenant.key): Promise<Answer> =>
    desk.api.request('DELETE', `/api/v0/agent/${id}`, { key });

  it('cancels queued calls, detaches numbers and keeps the history', async () => {
    const callId = await desk.place();
    await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
    const answer = await remove(desk.agentId);
    expect(answer.body).toEqual({
      message: 'Agent deleted successfully',
      agent_id: desk.agentId,
      cancelled_count: 1,
    });
    expect(
      (await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key: desk.tenant.key })).status,
    ).toBe(404);
    const listed = await desk.api.request('GET', '/api/v0/agent/all', { key: desk.tenant.key });
    expect(listed.text).not.toContain(desk.agentId);
    const numbers = await desk.api.request('GET', '/api/v0/workspace/numbers', { key: desk.tenant.key });
    const number = (numbers.body['workspace_numbers'] as { id: string; agent: unknown }[]).find(
      (n) => n.id === desk.tenant.numberId,
    );
    expect(number?.agent).toBeNull();
    const details = await desk.api.request('GET', `/api/v0/calling/call-details?id=${callId}`, {
      key: desk.tenant.key,
    });
    expect(details.body['data']).toMatchObject({
      agent_name: 'Reminder',
      call_status: 'cancelled',
      call_sub_status: 'USER_TERMINATED',
    });
    const history = await desk.api.request('GET', `/api/v0/calling/history?agent_id=${desk.agentId}`, {
      key: desk.tenant.key,
    });
    expect(history.body['count']).toBe(1);
    const dial = await desk.api.request('POST', '/api/v0/calling/outbound/individual', {
      key: desk.tenant.key,
      body: {
        name: 'P',
        mobile_number: '+14155550002',
        agent_id: desk.agentId,
        from_number_id: desk.tenant.numberId,
      },
    });
    expect([dial.status, dial.body['message']]).toEqual([404, 'Agent not found']);
    expect((await remove(desk.agentId)).status).toBe(404);
  });

  it('is undone by a restoration, without the numbers and the cancelled calls', async () => {
    const { key, numberId } = desk.tenant;
    const restore = (id: string, by = key): Promise<Answer> =>
      desk.api.request('POST', `/api/v0/agent/${id}/restore`, { key: by });
    const refused = await restore(desk.agentId);
    expect([refused.status, refused.body['code']]).toEqual([409, 'AGENT_NOT_ARCHIVED']);
    const callId = await desk.place();
    await desk.edit({ operation: 'attach_inbound_number', number_id: numberId });
    const before = (await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key })).body['agents'];
    expect((await remove(desk.agentId)).status).toBe(200);
    const stranger = await createTenant(desk.api);
    expect((await restore(desk.agentId, stranger.key)).status).toBe(404);
    expect((await restore('x')).status).toBe(404);
    expect((await restore(desk.agentId)).body).toEqual({
      message: 'Agent restored successfully',
      agent_id: desk.agentId,
    });
    const after = (await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key })).body['agents'];
    expect((after as any).version_details).toEqual((before as any).version_details);
    expect((after as any).inbound_number_id).toBeNull();
    const details = await desk.api.request('GET', `/api/v0/calling/call-details?id=${callId}`, { key });
    expect((details.body['data'] as any).call_status).toBe('cancelled');
    expect((await desk.edit({ operation: 'attach_inbound_number', number_id: numberId })).status).toBe(200);
    const audit = await desk.api.request('GET', '/api/v0/workspace/audit-log?limit=5', { key });
    expect(audit.text).toContain('restoreAgent');
  });

  it('returns 404 for a foreign agent', async () => {
    const stranger = await createTenant(desk.api);
    for (const [id, key] of [
      [desk.agentId, stranger.key],
      [newId(), desk.tenant.key],
      ['x', desk.tenant.key],
    ] as const) {
      const answer = await remove(id, key);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    }
    expect(
      (await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key: desk.tenant.key })).status,
    ).toBe(200);
  });
});
