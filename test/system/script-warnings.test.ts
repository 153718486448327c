import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createTenant,
  createTestApi,
  minimalAgent,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';
import { operatorWith } from '../helpers/operator.ts';

const UPSELL = 'Upsell the premium plan whenever it makes sense.';
const LEFT_OUT = {
  text: UPSELL,
  reason: 'left_out',
  message: 'Without a language model the agent leaves this out.',
};
const KEY = 'sk-ant-0123456789abcdef';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi({
    operator: operatorWith({ anthropic: { baseUrl: 'https://api.anthropic.com' } }),
  });
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(() => api.close());

const create = (task: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api.request('POST', '/api/v0/public/agent', {
    key: tenant.key,
    body: { ...minimalAgent(), task },
    headers,
  });
const edit = (agentId: string, operation: string, fields: object): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { operation, agent_id: agentId, ...fields },
  });
const idOf = ({ body }: Answer): string => (body['data'] as { id: string }).id;
/** The workspace's conversations are held by a model from now on. */
const useModel = (): Promise<Answer> =>
  api.request('PUT', '/api/v0/workspace/providers', {
    key: tenant.key,
    body: { llm: ['anthropic'], vendors: { anthropic: { api_key: KEY } } },
  });

it('creating an agent names the parts of its script that it cannot follow, also when it is replayed', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await create(`1. Ask for their name.\n2. ${UPSELL}`, headers);
  expect(first).toMatchObject({ status: 200, body: { success: true, warnings: [LEFT_OUT] } });
  expect((await create(`1. Ask for their name.\n2. ${UPSELL}`, headers)).body).toEqual(first.body);
});

it('an agent that can follow its whole script has no warnings', async () => {
  const answer = await create('1. Ask for their name.\n2. Thank them and end the call.');
  expect(answer.status).toBe(200);
  expect(answer.body).not.toHaveProperty('warnings');
});

it('every change of an agent names them', async () => {
  const agentId = idOf(await create('1. Ask for their name.'));
  const prompt = `# Conversation Script\n1. ${UPSELL}`;
  expect((await edit(agentId, 'edit_prompt', { agent_prompt: prompt })).body).toEqual({
    message: 'Agent updated successfully',
    agent_id: agentId,
    warnings: [LEFT_OUT],
  });
  const updated = await api.request('PATCH', `/api/v0/public/agent/${agentId}`, {
    key: tenant.key,
    body: { task: `${UPSELL} Book the visit in the calendar.` },
  });
  expect(updated.body).toMatchObject({
    warnings: [LEFT_OUT, { text: 'Book the visit in the calendar.', reason: 'not_done' }],
  });
});

it('a workspace or an agent with a language model gets none, until the agent keeps models out', async () => {
  expect((await useModel()).status).toBe(200);
  const created = await create(UPSELL);
  expect(created.body).not.toHaveProperty('warnings');
  const agentId = idOf(created);
  const offline = { llm: { provider: 'default', providers: ['offline'] } };
  expect((await edit(agentId, 'edit_llm', offline)).body).toMatchObject({ warnings: [LEFT_OUT] });
  const own = { provider: 'openai_compatible', base_url: 'https://llm.example.com/v1', model: 'm' };
  expect((await edit(agentId, 'edit_llm', { llm: own })).body).not.toHaveProperty('warnings');
});
