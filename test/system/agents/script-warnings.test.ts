import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createTenant,
  createTestApi,
  minimalAgent,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { prompts } from '../../../src/app/adapters.ts';
import { voices } from '../../../src/providers/voices.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';

const UPSELL = 'Upsell the premium plan whenever it makes sense.';
const LEFT_OUT = {
  text: UPSELL,
  reason: 'left_out',
  message: 'Without a language model the agent leaves this out.',
};
const NAME = {
  text: 'Ask for their name.',
  reason: 'unheard',
  message:
    "Without a vendor's recogniser the answer to this is not recognised: only yes or no, named choices, days, times, numbers up to 100 and digits are.",
};
const KEY = 'sk-ant-0123456789abcdef';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi({
    operator: operatorWith({
      anthropic: { baseUrl: 'https://api.anthropic.com' },
      deepgram: { baseUrl: 'https://api.deepgram.com' },
    }),
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
  expect(first).toMatchObject({ status: 200, body: { success: true, warnings: [NAME, LEFT_OUT] } });
  expect((await create(`1. Ask for their name.\n2. ${UPSELL}`, headers)).body).toEqual(first.body);
});

it('an agent that can follow its whole script has no warnings', async () => {
  const answer = await create('1. Ask if they will come.\n2. Thank them and end the call.');
  expect(answer.status).toBe(200);
  expect(answer.body).not.toHaveProperty('warnings');
});

it('every change of an agent names them', async () => {
  const agentId = idOf(await create('1. Ask if they will come.'));
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

/** The workspace's callers are recognised by a vendor from now on. */
const useRecogniser = (vendor: string): Promise<Answer> =>
  api.request('PUT', '/api/v0/workspace/providers', {
    key: tenant.key,
    body: { stt: [vendor], vendors: { [vendor]: { api_key: KEY } } },
  });

it('questions whose answers no recogniser understands are named, with a language model too', async () => {
  await useModel();
  const created = await create('1. Ask for their name.\n2. Ask if they will come.');
  expect(created.body).toMatchObject({ warnings: [NAME] });
  expect((await useRecogniser('deepgram')).status).toBe(200);
  expect((await create('1. Ask for their name.')).body).not.toHaveProperty('warnings');
});

it('an agent that keeps recognisers out, or whose language none has, is warned', async () => {
  await useModel();
  await useRecogniser('deepgram');
  const agentId = idOf(await create('1. Ask for their name.'));
  const offline = { stt: { providers: ['offline'] } };
  expect((await edit(agentId, 'edit_stt', offline)).body).toMatchObject({ warnings: [NAME] });
  expect((await edit(agentId, 'edit_stt', { stt: null })).body).not.toHaveProperty('warnings');
  const odia = await api.request('PATCH', `/api/v0/public/agent/${agentId}`, {
    key: tenant.key,
    body: {
      primary_language: 'od-IN',
      voice_id: voices().find(({ languages }) => languages.includes('od-IN'))?.id,
    },
  });
  expect(odia.body).toMatchObject({
    warnings: [{ text: 'Ask for their name.', reason: 'unheard', message: expect.stringMatching(/by keys/) }],
  });
});

it('arguments of tools that only free words can give are named', async () => {
  await useModel();
  const agentId = idOf(await create('1. Ask if they will come.'));
  const argument = (more: object) => ({ source: 'argument', type: 'string', ...more });
  const tool = {
    type: 'API_TOOL',
    name: 'book_visit',
    description: 'Books a visit.',
    method: 'POST',
    url: 'https://crm.example.com/visits',
    body: {
      customer_name: argument({}),
      day: argument({ description: 'The day of the visit' }),
      reason: argument({ enum: ['repair', 'sale'] }),
      plan: argument({ description: 'Always "basic"' }),
      phone_number: argument({}),
    },
  };
  const answer = await edit(agentId, 'edit_on_call_tools', { on_call_tools: [tool] });
  expect(answer.body).toMatchObject({ warnings: [{ text: 'book_visit: customer_name', reason: 'unheard' }] });
});

it('an agent of a chat is read, not heard', async () => {
  await useModel();
  const answer = await api.request('POST', '/api/v0/public/agent', {
    key: tenant.key,
    body: { ...minimalAgent(), task: '1. Ask for their name.', agent_type: 'whatsapp' },
  });
  expect(answer.status).toBe(200);
  expect(answer.body).not.toHaveProperty('warnings');
});

it('a name is heard where this machine writes every word of the language', async () => {
  const ears = await createTestApi({
    prompts: { ...prompts, hearsWords: (language) => language === 'en-US' },
  });
  try {
    const { key } = await createTenant(ears);
    const body = { ...minimalAgent(), task: '1. Ask for their name.' };
    const answer = await ears.request('POST', '/api/v0/public/agent', { key, body });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('warnings');
  } finally {
    await ears.close();
  }
});
