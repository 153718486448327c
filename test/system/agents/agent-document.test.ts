import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { FLOW_TEMPLATES } from '../../../src/shared/flow-templates/list.ts';
import { findVariables } from '../../../src/shared/variables.ts';
import { newId } from '../../../src/shared/ids.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  tenant = await createTenant(api, { unlimited: true });
});
afterAll(() => api?.close());

const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key = tenant.key) =>
  api.request(method, `/api/v0${path}`, { key, ...(body === undefined ? {} : { body }) });
async function exported(id: string, key = tenant.key): Promise<{ document: string; secrets: string[] }> {
  const answer = await send('GET', `/agent/${id}/export`, undefined, key);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as any;
}
const imported = async (body: object, key = tenant.key): Promise<any> => {
  const answer = await send('POST', '/agent/import', body, key);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body;
};
/** The fields and rules of a refused import. */
const refusal = async (body: object): Promise<[number, string[]]> => {
  const answer = await send('POST', '/agent/import', body);
  const fields = (answer.body['errors'] ?? []) as { field: string; message: string }[];
  return [answer.status, fields.map(({ field, message }) => `${field} ${message}`)];
};
const edit = async (id: string, body: object): Promise<void> => {
  const answer = await send('PATCH', '/agent/v1', { agent_id: id, ...body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};
const cases = async (id: string): Promise<any[]> =>
  (await send('GET', `/agent/${id}/test-cases`)).body['test_cases'] as any[];
const drop = (document: string, change: (settings: any) => void): string => {
  const settings = parse(document);
  change(settings);
  return stringify(settings);
};

/** An agent with everything that a document holds. */
async function wholeAgent(): Promise<string> {
  const { agentId: billing } = await createTestAgent(api, tenant, { agent_name: 'Billing desk' });
  const { agentId: id } = await createTestAgent(api, tenant, { agent_name: 'Front desk' });
  const kb = newId();
  const stamp = new Date(api.clock.now());
  await api.db
    .insertInto('knowledge_bases')
    .values({
      workspace_id: tenant.workspaceId,
      id: kb,
      name: 'Prices',
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  await edit(id, { operation: 'attach_kb', kb_id: kb });
  await edit(id, {
    operation: 'edit_on_call_tools',
    on_call_tools: [
      {
        type: 'API_TOOL',
        name: 'find_slots',
        description: 'Finds free slots.',
        method: 'GET',
        url: 'https://api.example.com/slots',
        headers: { authorization: 'Bearer very-secret-1' },
      },
      { type: 'END_CALL_TOOL' },
    ],
  });
  await edit(id, {
    operation: 'edit_event_subscriptions',
    event_subscriptions: [
      {
        event_type: 'call_completed',
        callback_url: 'https://example.com/hook',
        headers: { 'x-token': 'sesame-12' },
      },
    ],
  });
  await edit(id, {
    operation: 'edit_llm',
    llm: {
      provider: 'openai_compatible',
      model: 'm',
      base_url: 'https://llm.example.com/v1',
      api_key: 'sk-12345678',
    },
  });
  await edit(id, {
    operation: 'edit_client_analysis',
    context: 'Visits.',
    keys: { agreed: { type: 'boolean', description: 'Did they agree?', default: false } },
    classification_labels: ['booked'],
  });
  await edit(id, {
    operation: 'edit_flow',
    flow: {
      start: 'billing',
      nodes: [
        { id: 'billing', type: 'handoff', agent_id: billing, edges: [{ to: 'lead', on: 'failed' }] },
        {
          id: 'lead',
          type: 'talk',
          prompt: 'Answer.',
          tools: ['find_slots'],
          knowledge: [kb],
          edges: [{ to: 'end', when: 'takes leave', examples: ['bye'] }],
        },
        { id: 'end', type: 'end', say: 'Goodbye.' },
      ],
    },
  });
  const made = await send('POST', `/agent/${id}/test-cases`, {
    name: 'Says the day',
    lines: ['Which day?'],
    expectations: [{ type: 'says', any_of: ['Monday'] }],
    tool_results: [{ tool: 'find_slots', result: { slots: ['10:00'] } }],
  });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  return id;
}
const VALUES = ['Bearer other-secret', 'sesame-99', 'sk-87654321'];
const valuesOf = (secrets: readonly string[]): Record<string, string> =>
  Object.fromEntries(secrets.map((name, at) => [name, VALUES[at] ?? 'more-secret']));

describe('an agent as a document', () => {
  it('comes back from an import with flow, tools, knowledge, handoffs, analysis and test cases, and no secret', async () => {
    const id = await wholeAgent();
    const first = await exported(id);
    for (const secret of ['very-secret', 'Bear***', 'sesame', 'sk-1', '***'])
      expect(first.document).not.toContain(secret);
    expect(first.secrets).toHaveLength(3);
    expect(parse(first.document)).toMatchObject({
      format: 'callwright-agent/1',
      name: 'Front desk',
      knowledge_bases: ['Prices'],
      classification_labels: ['booked'],
      flow: {
        nodes: [
          { type: 'handoff', agent: 'billing-desk' },
          { type: 'talk', knowledge: ['Prices'] },
          { type: 'end' },
        ],
      },
      test_cases: [{ name: 'Says the day' }],
    });
    const made = await imported({ document: first.document, secrets: valuesOf(first.secrets) });
    expect(made.left_out).toEqual([]);
    expect(made.agent_id).not.toBe(id);
    expect(await cases(made.agent_id)).toHaveLength(1);
    const second = await exported(made.agent_id);
    // Two agents have one name now, so that the third is named as the first was.
    expect(second).toEqual(first);
    const asJson = JSON.stringify(parse(first.document));
    const third = await imported({ document: asJson, secrets: valuesOf(first.secrets) });
    expect(await exported(third.agent_id)).toEqual(first);
  });

  it.each(FLOW_TEMPLATES.map((template) => [template.id, template] as const))(
    'comes back with the template %s and its test cases',
    async (_, template) => {
      const { agentId } = await createTestAgent(api, tenant, {
        agent_name: template.name,
        agent_type: template.type,
        intro_message: template.opening,
      });
      const texts = JSON.stringify([template.flow, template.opening]);
      await edit(agentId, {
        operation: 'edit_custom_vars',
        custom_variables: [...new Set(['callee_name', 'mobile_number', ...findVariables(texts)])],
      });
      await edit(agentId, { operation: 'edit_flow', flow: template.flow });
      for (const each of template.cases) {
        const made = await send('POST', `/agent/${agentId}/test-cases`, each);
        expect([made.status, made.text]).toEqual([200, expect.any(String)]);
      }
      const { document } = await exported(agentId);
      const made = await imported({ document });
      expect((await exported(made.agent_id)).document).toBe(document);
      expect((await cases(made.agent_id)).map(({ name }) => name)).toEqual(
        template.cases.map(({ name }) => name),
      );
    },
  );

  const [GRACE, EMMA, ASHA] = ['7e01', '7e04', '7e06'].map((end) => `5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c${end}`);
  it.each([
    ['a second voice for a language that the first does not speak', GRACE, 'en-US', ASHA, 'hi-IN'],
    ['a second voice beside a first language that edit_voice does not take', EMMA, 'en-GB', ASHA, 'hi-IN'],
    ['a second voice and no second language', GRACE, 'en-US', ASHA, null],
    ['a first language that only edit_voice takes', ASHA, 'gu-IN', null, null],
  ])('comes back with %s', async (_, voice_id, language, second, secondary_language) => {
    const { agentId: id } = await createTestAgent(api, tenant, { agent_name: 'Two voices' });
    const isNew = language === 'en-GB';
    await edit(id, {
      operation: 'edit_voice',
      voice_id,
      language: isNew ? 'en-US' : language,
      secondary_voice_id: second ?? '',
    });
    const rest = { ...(isNew ? { primary_language: language } : {}), secondary_language };
    const changed = await send('PATCH', `/public/agent/${id}`, rest);
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
    const first = await exported(id);
    expect(parse(first.document)).toMatchObject({
      voice_id,
      language,
      ...(second === null ? {} : { secondary_voice_id: second }),
      ...(secondary_language === null ? {} : { secondary_language }),
    });
    const made = await imported({ document: first.document });
    expect(made.left_out).toEqual([]);
    expect(await exported(made.agent_id)).toEqual(first);
  });

  it('becomes the draft of an agent, which keeps its secrets and leaves out what belongs to the agent', async () => {
    const id = await wholeAgent();
    const { document } = await exported(id);
    const other = drop(document, (settings) => {
      settings.name = 'Another name';
      settings.intro_message = 'Good morning from the document.';
      settings.test_cases = [];
    });
    const made = await imported({ document: other, agent_id: id });
    expect(made).toMatchObject({ agent_id: id, left_out: ['name', 'test_cases'] });
    const { draft } = (await send('GET', `/agent/${id}/draft`)).body as any;
    expect(draft).toMatchObject({ version_id: made.version_id, changes: 1 });
    expect(draft.version.agent_config.intro_message).toBe('Good morning from the document.');
    expect(draft.version.on_call_tools[0].headers.authorization).toBe('Bear***');
    expect((await exported(id)).document).toBe(document);
    expect(await cases(id)).toHaveLength(1);
    const again = await send('POST', '/agent/import', { document, agent_id: id });
    expect([again.status, again.body['code']]).toEqual([409, 'DRAFT_OPEN']);
  });

  it('is refused whole, with the fields and their rules', async () => {
    const id = await wholeAgent();
    const { document, secrets } = await exported(id);
    const values = valuesOf(secrets);
    const before = (await send('GET', '/agent/all')).body as any;
    const refused = async (change: (settings: any) => void, more: object = { secrets: values }) =>
      refusal({ document: drop(document, change), ...more });
    expect(await refused((settings) => (settings.format = 'callwright-agent/2'))).toEqual([
      422,
      ['document.format must be callwright-agent/1'],
    ]);
    expect((await refused((settings) => (settings.colour = 'red')))[1][0]).toMatch(
      /^document\.colour is not a setting/,
    );
    expect(await refused((settings) => delete settings.voice_id)).toEqual([
      422,
      ['document.voice_id is required for a new agent'],
    ]);
    expect((await refused((settings) => (settings.prompt[0].title = 7)))[0]).toBe(422);
    expect((await refused((settings) => (settings.voice_speed = 9)))[1][0]).toMatch(
      /^document\.voice_speed must/,
    );
    expect((await refused((settings) => (settings.knowledge_bases = ['Nothing'])))[1][0]).toBe(
      'document.knowledge_bases the workspace has no knowledge base "Nothing"',
    );
    expect((await refused((settings) => (settings.flow.nodes[0].agent = 'nobody')))[1][0]).toBe(
      'document.handoffs names the agent nobody, which the workspace does not have',
    );
    expect((await refused((settings) => (settings.flow.start = 'nowhere')))[1][0]).toMatch(/^document\.flow/);
    expect((await refused((settings) => (settings.test_cases[0].lines = 'one')))[1][0]).toMatch(
      /^document\.test_cases\[0\]\.lines must/,
    );
    expect((await refused(() => undefined, {}))[1]).toEqual(
      secrets.map((name) => expect.stringMatching(`^secrets\\.${name} is required: document\\.`) as string),
    );
    expect((await refused((settings) => (settings.language = 'hi-IN'), { agent_id: id }))[1][0]).toBe(
      'document.language must stay en-US in a draft; import the document as a new agent',
    );
    for (const text of [
      '- a list',
      'a: 1\na: 2',
      `v: [${'a,'.repeat(90_000)}]`,
      'a: &x 1\nb: *x',
      '{"format"',
      '"text"',
      `{"a":${'['.repeat(5000)}`,
    ])
      expect((await refusal({ document: text }))[0]).toBe(422);
    expect((await send('GET', '/agent/all')).body).toEqual(before);
    expect((await send('GET', `/agent/${id}/draft`)).status).toBe(404);
  });

  it('stays in its workspace: another one neither exports nor changes it', async () => {
    const id = await wholeAgent();
    const { document } = await exported(id);
    const stranger = await createTenant(api, { unlimited: true });
    expect((await send('GET', `/agent/${id}/export`, undefined, stranger.key)).status).toBe(404);
    const into = await send('POST', '/agent/import', { document, agent_id: id }, stranger.key);
    expect(into.status).toBe(404);
  });
});
