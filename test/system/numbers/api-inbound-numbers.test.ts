import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ agent: { agent_type: 'outbound_inbound', custom_variables: ['day'] } });
});
afterAll(() => desk.api.close());

describe('inbound numbers', () => {
  it('are attached, returned with agent and number, and removed', async () => {
    const answer = await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
    expect(answer.status).toBe(200);
    expect((await desk.shown()).record['inbound_number_id']).toBe(desk.tenant.numberId);
    const numbers = await desk.api.request('GET', '/api/v0/workspace/numbers', { key: desk.tenant.key });
    expect(numbers.body['workspace_numbers']).toContainEqual(
      expect.objectContaining({
        id: desk.tenant.numberId,
        agent: expect.objectContaining({ id: desk.agentId }),
      }),
    );
    const again = await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
    expect(again.status).toBe(200);
    const other = await createTestAgent(desk.api, desk.tenant, { agent_type: 'inbound' });
    const taken = await desk.edit({
      agent_id: other.agentId,
      operation: 'attach_inbound_number',
      number_id: desk.tenant.numberId,
    });
    expect(taken.status).toBe(400);
    const notTheirs = await desk.edit({
      agent_id: other.agentId,
      operation: 'remove_inbound_number',
      number_id: desk.tenant.numberId,
    });
    expect(notTheirs.status).toBe(400);
    expect(
      (await desk.edit({ operation: 'remove_inbound_number', number_id: desk.tenant.numberId })).status,
    ).toBe(200);
    expect((await desk.shown()).record['inbound_number_id']).toBeNull();
  });

  it('reject test numbers, foreign numbers and outbound agents', async () => {
    const test = await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.testNumberId });
    expect(test.status).toBe(400);
    expect(test.body['code']).toBe('TEST_NUMBER');
    const stranger = await createTenant(desk.api);
    for (const number_id of [stranger.numberId, 'x', '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10']) {
      const answer = await desk.edit({ operation: 'attach_inbound_number', number_id });
      expect(answer.status).toBe(400);
      expect(answer.body['message']).toBe('number_id is not a number of this workspace');
    }
    const outbound = await createTestAgent(desk.api, desk.tenant);
    const refused = await desk.edit({
      agent_id: outbound.agentId,
      operation: 'attach_inbound_number',
      number_id: desk.tenant.numberId,
    });
    expect(refused.status).toBe(400);
  });
});
