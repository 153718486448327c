import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';
import { createTenant, createTestAgent, type Answer } from '../../helpers/api/api.ts';
import { nextAgent } from '../../../src/domain/agents/next-agent.ts';
import { newId } from '../../../src/shared/ids.ts';
import { dentalFlow } from '../../helpers/flows/dental-flow.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk();
  await desk.renew();
});
afterAll(() => desk.api.close());

const BOOK = {
  type: 'API_TOOL',
  name: 'book',
  description: 'Books a visit.',
  method: 'POST',
  url: 'https://api.example.com/visits',
  body: {
    day: { source: 'argument', type: 'string' },
    people: { source: 'argument', type: 'integer', required: false },
    pin: { source: 'argument', type: 'string', required: false, sensitive: true },
  },
};
const DESK = { type: 'CALL_TRANSFER_TOOL', name: 'front_desk', transfer_to: '+14155550111' };

const check = (flow: unknown, more: object = {}, key = desk.tenant.key): Promise<Answer> =>
  desk.api.request('POST', `/api/v0/agent/${desk.agentId}/flow/check`, { key, body: { flow, ...more } });

it('names the tools that the agent lacks, and none once it has them', async () => {
  const before = await check(dentalFlow());
  expect(before.status).toBe(200);
  expect(before.body).toEqual({
    valid: false,
    errors: [
      {
        code: 'unknown_tool',
        field: 'nodes[8].tool',
        node: 'book',
        edge: null,
        message: 'node book: the agent has no tool book',
      },
      {
        code: 'unknown_tool',
        field: 'nodes[13].tool',
        node: 'desk',
        edge: null,
        message: 'node desk: the agent has no tool front_desk',
      },
    ],
    warnings: [],
  });
  await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: [BOOK, DESK] });
  expect((await check(dentalFlow())).body).toEqual({ valid: true, errors: [], warnings: [] });
});

it('checks against the version that the request names', async () => {
  await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: [BOOK, DESK] });
  const without = await desk.create();
  await desk.edit({ operation: 'edit_on_call_tools', version_id: without, on_call_tools: [] });
  expect((await check(dentalFlow(), { version_id: without })).body['valid']).toBe(false);
  expect((await check(dentalFlow(), { version_id: desk.first })).body['valid']).toBe(true);
  expect((await check(dentalFlow(), { version_id: 'no-version' })).status).toBe(404);
});

it('knows the agents of the workspace that a flow may hand over to', async () => {
  const { agentId: billing } = await createTestAgent(desk.api, desk.tenant, { agent_name: 'Billing' });
  const flow = (agent_id: string) => ({ start: 'a', nodes: [{ id: 'a', type: 'handoff', agent_id }] });
  expect((await check(flow(billing))).body['errors']).toEqual([]);
  const { db } = desk.api;
  expect(await nextAgent(db, desk.tenant.workspaceId, billing, newId())).toMatchObject({
    id: billing,
    name: 'Billing',
    config: { language: 'en-US' },
  });
  const other = await createTenant(desk.api);
  expect(await nextAgent(db, other.workspaceId, billing, newId())).toBeNull();
  const { agentId: foreign } = await createTestAgent(desk.api, other);
  const unknown = (id: string) => ({
    code: 'unknown_agent',
    field: 'nodes[0].agent_id',
    node: 'a',
    edge: null,
    message: `node a: ${id} is no agent of this workspace, or it is archived`,
  });
  expect((await check(flow(foreign))).body['errors']).toEqual([unknown(foreign)]);
  const refused = await desk.edit({ operation: 'edit_flow', flow: flow(foreign) });
  expect(refused.status).toBe(422);
  expect(refused.body['message']).toContain('flow.nodes[0].agent_id');
  const archived = await desk.api.request('DELETE', `/api/v0/agent/${billing}`, { key: desk.tenant.key });
  expect(archived.status).toBe(200);
  expect((await check(flow(billing))).body['errors']).toEqual([unknown(billing)]);
  expect(await nextAgent(db, desk.tenant.workspaceId, billing, newId())).toBeNull();
});

it('answers 404 for an agent of another workspace, and 422 without a flow', async () => {
  const other = await createTenant(desk.api);
  expect((await check(dentalFlow(), {}, other.key)).status).toBe(404);
  const empty = await desk.api.request('POST', `/api/v0/agent/${desk.agentId}/flow/check`, {
    key: desk.tenant.key,
    body: {},
  });
  expect(empty.status).toBe(422);
});
