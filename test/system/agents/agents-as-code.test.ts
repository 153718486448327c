import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import {
  runApply,
  runAudit,
  runPlan,
  runPull,
  runRollback,
  runValidate,
} from '../../../src/cli/as-code/run.ts';
import { newId } from '../../../src/shared/ids.ts';

/** Agents as code against the API, over HTTP. */
const AGENTS = 20;

let api: TestApi;
let url = '';
let tenant: Tenant;
let folder = '';
let ids: string[] = [];
beforeAll(async () => {
  api = await createTestApi();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  tenant = await createTenant(api, { unlimited: true });
  folder = mkdtempSync(join(tmpdir(), 'callwright-code-'));
  ids = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => api?.close());

const options = () => ({ folder, url, key: tenant.key });
const applied = { secrets: false, note: 'From git' };
/** Runs a command; answers its exit code and what it printed. */
async function said(command: () => Promise<number>): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const keep = (line: unknown): void => void lines.push(String(line));
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep),
    vi.spyOn(console, 'error').mockImplementation(keep),
  ];
  const code = await command();
  for (const spy of spies) spy.mockRestore();
  return { code, text: lines.join('\n') };
}
const pull = (overwrite = false) => said(() => runPull({ ...options(), overwrite }));
const plan = () => said(() => runPlan({ ...options(), secrets: false }));
const apply = (secrets = false) => said(() => runApply({ ...options(), ...applied, secrets }));
const audit = () => said(() => runAudit(options()));

const edit = async (id: string, body: Record<string, unknown>): Promise<void> => {
  const answer = await api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { agent_id: id, ...body },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};
const shown = async (id: string): Promise<any> => {
  const { agents } = (await api.request('GET', `/api/v0/agent/${id}`, { key: tenant.key })).body as any;
  return { ...agents, version: agents.version_details[agents.active_agent_version_id] };
};
const path = (...parts: string[]): string => join(folder, 'agents', ...parts);
const change = (file: string, from: string, to: string): void => {
  const before = readFileSync(path(file), 'utf8');
  expect(before).toContain(from);
  writeFileSync(path(file), before.replaceAll(from, to));
};

const TOOL = {
  type: 'API_TOOL',
  name: 'find_slots',
  description: 'Finds free slots.',
  method: 'GET',
  url: 'https://api.example.com/slots',
  headers: { authorization: 'Bearer very-secret-1' },
};

/** Agents with everything that files hold; the first hands over to the second. */
async function makeAgents(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1)
    ids.push(
      (await createTestAgent(api, tenant, { agent_name: `Desk ${at}`, agent_type: 'outbound_inbound' }))
        .agentId,
    );
  const kbs = [newId()];
  const stamp = new Date(api.clock.now());
  await api.db
    .insertInto('knowledge_bases')
    .values({
      workspace_id: tenant.workspaceId,
      id: kbs[0]!,
      name: 'Prices',
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  for (const [at, id] of ids.entries()) {
    await edit(id, { operation: 'edit_on_call_tools', on_call_tools: [TOOL, { type: 'END_CALL_TOOL' }] });
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
    if (at % 2 === 0) await edit(id, { operation: 'attach_kb', kb_id: kbs[0] });
    if (at % 3 === 0)
      await edit(id, {
        operation: 'edit_llm',
        llm: {
          provider: 'openai_compatible',
          model: 'm',
          base_url: 'https://llm.example.com/v1',
          api_key: 'sk-12345678',
        },
      });
    await api.request('POST', `/api/v0/agent/${id}/test-cases`, {
      key: tenant.key,
      body: {
        name: 'Says the day',
        lines: ['Which day?'],
        expectations: [{ type: 'says', any_of: ['Monday'] }],
      },
    });
  }
  await edit(ids[0]!, { operation: 'edit_flow', flow: flowTo(ids[1]!) });
  await edit(ids[1]!, {
    operation: 'edit_handoffs',
    handoffs: [{ agent_id: ids[2] ?? ids[0], when: 'asks about money' }],
  });
  await edit(ids[0]!, { operation: 'attach_inbound_number', number_id: tenant.numberId });
}
const flowTo = (agent_id: string) => ({
  start: 'billing',
  nodes: [
    { id: 'billing', type: 'handoff', agent_id, edges: [{ to: 'end', on: 'failed' }] },
    { id: 'end', type: 'end', say: 'Goodbye.' },
  ],
});

describe('agents as code', () => {
  it(
    'pulls, changes, plans, applies and audits 20 agents twice without drift, and names a change by hand',
    { timeout: 300_000 },
    async () => {
      await makeAgents(AGENTS);
      expect(await pull()).toMatchObject({ code: 0, text: expect.stringContaining('20 agents') });
      expect((await said(() => runValidate(folder))).text).toBe('20 agents without a fault');
      expect((await plan()).text).toBe('The service has what the files have.');
      const texts = ['agent.yaml', 'tools.yaml']
        .map((name) => readFileSync(path('desk-0', name), 'utf8'))
        .join('\n');
      for (const secret of ['very-secret', 'Bear***', 'sesame', 'sk-1']) expect(texts).not.toContain(secret);
      expect(texts).toContain('knowledge_bases:\n  - Prices');
      expect(texts).toContain(tenant.number);
      expect(readFileSync(path('desk-0', 'flow.yaml'), 'utf8')).toContain('agent: desk-1');

      for (const round of [1, 2]) {
        for (let at = 0; at < AGENTS; at += 1) {
          change(
            `desk-${at}/agent.yaml`,
            round === 1 ? 'Hello, this is Asha.' : 'Round 1.',
            `Round ${round}.`,
          );
          writeFileSync(path(`desk-${at}`, 'prompt/01-objective.md'), `Objective of round ${round}.\n`);
          change(`desk-${at}/tools.yaml`, round === 1 ? 'Finds free slots.' : 'Finds 1.', `Finds ${round}.`);
          change(`desk-${at}/tests.yaml`, round === 1 ? 'Which day?' : 'Which day 1?', `Which day ${round}?`);
        }
        // The number moves to another agent and back.
        const [from, to] = round === 1 ? ['desk-0', 'desk-1'] : ['desk-1', 'desk-0'];
        change(`${from}/agent.yaml`, `numbers:\n  - "${tenant.number}"`, 'numbers: []');
        change(`${to}/agent.yaml`, 'numbers: []', `numbers:\n  - "${tenant.number}"`);
        const planned = await plan();
        expect(planned.code).toBe(0);
        expect(planned.text).toContain(
          `~ intro_message: "${round === 1 ? 'Hello, this is Asha.' : 'Round 1.'}" -> "Round ${round}."`,
        );
        expect(await apply()).toMatchObject({ code: 0, text: expect.stringContaining('Applied.') });
        expect(await apply()).toEqual({ code: 0, text: 'The service has what the files have.' });
        expect(await audit()).toEqual({ code: 0, text: '20 agents, no drift' });
        expect((await plan()).text).toBe('The service has what the files have.');
        const last = await shown(ids[AGENTS - 1]!);
        expect(last.version).toMatchObject({ version_slug: `v${round + 1}`, description: 'From git' });
        expect(last.version.agent_config.intro_message).toBe(`Round ${round}.`);
        expect(last.version.on_call_tools[0].headers.authorization).toBe('Bear***');
      }
      const number = await api.db
        .selectFrom('numbers')
        .select('inbound_agent_id')
        .where('id', '=', tenant.numberId)
        .executeTakeFirstOrThrow();
      expect(number.inbound_agent_id).toBe(ids[0]);

      await edit(ids[3]!, { operation: 'edit_voice_speed', voice_speed: 1.5 });
      const found = await audit();
      expect(found.code).toBe(1);
      expect(found.text).toBe('desk-3: changed on the service\n  ~ voice_speed: 1 -> 1.5');
      change('desk-4/agent.yaml', 'Round 2.', 'Round 3.');
      expect(await apply()).toMatchObject({
        code: 1,
        text: expect.stringContaining('desk-3: changed on the service'),
      });
      expect((await shown(ids[4]!)).version.agent_config.intro_message).toBe('Round 2.');
      expect((await pull()).code).toBe(0);
      expect(readFileSync(path('desk-3', 'agent.yaml'), 'utf8')).toContain('voice_speed: 1.5');
      expect(readFileSync(path('desk-4', 'agent.yaml'), 'utf8')).toContain('Round 3.');
      expect((await apply()).code).toBe(0);
      expect((await audit()).code).toBe(0);
    },
  );

  it('creates the agent of a new folder with secrets of the environment, and needs them', async () => {
    await makeAgents(2);
    await pull();
    const { version } = await shown(ids[0]!);
    const files: Record<string, string> = {
      'agent.yaml': `name: Sales\ntype: inbound\nlanguage: en-US\nvoice_id: ${version.voice.id}\nintro_message: Hi.\nprompt:\n  - title: Objective\n    file: prompt/objective.md\nhandoffs:\n  - agent: desk-0\n    when: asks for the desk\n`,
      'tools.yaml': `on_call_tools:\n  - type: API_TOOL\n    name: order\n    description: Orders.\n    method: POST\n    url: https://shop.example.com/orders\n    headers: { authorization: { secret: SHOP_TOKEN_OF_TEST } }\n`,
      'prompt/objective.md': 'Sell.\n',
    };
    mkdirSync(path('sales', 'prompt'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(path('sales', name), text);
    expect((await said(() => runValidate(folder))).code).toBe(0);
    expect((await plan()).text).toContain('sales: a new agent');
    vi.stubEnv('SHOP_TOKEN_OF_TEST', 'Basic abc');
    const done = await apply();
    vi.unstubAllEnvs();
    expect(done).toMatchObject({ code: 0, text: expect.stringContaining('sales: created') });
    const state = JSON.parse(readFileSync(join(folder, '.callwright/state.json'), 'utf8'));
    const made = await shown(state.agents.sales.id);
    expect(made).toMatchObject({ agent_display_name: 'Sales', agent_type: 'inbound' });
    expect(made.version).toMatchObject({
      agent_config: { prompt_sections: [{ section_title: 'Objective', section_content: 'Sell.' }] },
      on_call_tools: [{ name: 'order', headers: { authorization: 'Basi***' } }],
      handoffs: [{ agent_id: ids[0], when: 'asks for the desk' }],
    });
    expect(readFileSync(join(folder, '.callwright/state.json'), 'utf8')).not.toContain('Basi');
    expect((await audit()).code).toBe(0);
    expect((await plan()).text).toBe('The service has what the files have.');
  });

  it('creates the agent of a new folder with a second language that only its second voice speaks', async () => {
    await makeAgents(2);
    await pull();
    const [grace, asha] = ['7e01', '7e06'].map((end) => `5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c${end}`);
    mkdirSync(path('sales', 'prompt'), { recursive: true });
    writeFileSync(
      path('sales', 'agent.yaml'),
      `name: Sales\ntype: inbound\nlanguage: en-US\nsecondary_language: hi-IN\nvoice_id: ${grace}\nsecondary_voice_id: ${asha}\nintro_message: Hi.\nprompt:\n  - title: Objective\n    file: prompt/objective.md\n`,
    );
    writeFileSync(path('sales', 'prompt/objective.md'), 'Sell.\n');
    expect(await apply()).toMatchObject({ code: 0, text: expect.stringContaining('sales: created') });
    const state = JSON.parse(readFileSync(join(folder, '.callwright/state.json'), 'utf8'));
    expect((await shown(state.agents.sales.id)).version).toMatchObject({
      voice: { id: grace },
      secondary_voice_id: asha,
      secondary_language: 'hi-IN',
    });
    expect((await plan()).text).toBe('The service has what the files have.');
  });

  it('removes a flow with its file and changes languages, type, name, labels and knowledge', async () => {
    await makeAgents(2);
    await pull();
    rmSync(path('desk-0', 'flow.yaml'));
    change('desk-0/agent.yaml', 'secondary_language: null', 'secondary_language: en-IN');
    change('desk-0/agent.yaml', 'knowledge_bases:\n  - Prices', 'knowledge_bases: []');
    change('desk-0/agent.yaml', 'classification_labels: []', 'classification_labels:\n  - Booked');
    change('desk-0/agent.yaml', 'name: Desk 0', 'name: Front desk');
    change('desk-1/agent.yaml', 'type: outbound_inbound', 'type: inbound');
    rmSync(path('desk-1', 'tests.yaml'));
    expect(await apply()).toMatchObject({ code: 0 });
    const [first, second] = [await shown(ids[0]!), await shown(ids[1]!)];
    expect(first).toMatchObject({ agent_display_name: 'Front desk', classification_labels: ['Booked'] });
    expect(first.version).toMatchObject({ flow: null, secondary_language: 'en-IN', knowledge_bases: [] });
    expect(second.agent_type).toBe('inbound');
    const cases = await api.request('GET', `/api/v0/agent/${ids[1]}/test-cases`, { key: tenant.key });
    expect(cases.body).toEqual({ test_cases: [] });
    expect((await plan()).text).toBe('The service has what the files have.');
    expect((await audit()).code).toBe(0);
  });

  it('leaves the agent when a draft of somebody is open, and discards its own when the service refuses', async () => {
    await makeAgents(2);
    await pull();
    change('desk-0/agent.yaml', 'Hello, this is Asha.', 'Good day.');
    const opened = await api.request('POST', `/api/v0/agent/${ids[0]}/draft`, { key: tenant.key });
    const { version_id } = (opened.body as any).draft;
    await edit(ids[0]!, { operation: 'edit_intro_message', intro_message: 'Draft.', version_id });
    expect(await apply()).toMatchObject({
      code: 1,
      text: expect.stringContaining('is open: publish or discard it first'),
    });
    await api.request('DELETE', `/api/v0/agent/${ids[0]}/draft`, { key: tenant.key });
    change('desk-0/flow.yaml', 'to: end', 'to: nowhere');
    expect(await apply()).toMatchObject({ code: 1, text: expect.stringContaining('nowhere') });
    expect((await api.request('GET', `/api/v0/agent/${ids[0]}/draft`, { key: tenant.key })).status).toBe(404);
    expect((await shown(ids[0]!)).version.agent_config.intro_message).toBe('Hello, this is Asha.');
  });

  it('is refused with 409 and the name of what somebody changed while it ran', async () => {
    await makeAgents(2);
    await pull();
    change('desk-0/agent.yaml', 'Hello, this is Asha.', 'Good day.');
    const real = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if ((input instanceof Request ? input.url : input).toString().endsWith('/draft/publish'))
        await edit(ids[0]!, { operation: 'edit_vocab', vocab: ['Riverside'] });
      return real(input, init);
    });
    const done = await apply();
    expect(done.code).toBe(1);
    expect(done.text).toContain('desk-0: 409: somebody changed it meanwhile: agent_config.vocab');
    vi.restoreAllMocks();
    expect((await shown(ids[0]!)).version.agent_config).toMatchObject({
      intro_message: 'Hello, this is Asha.',
      vocab: ['Riverside'],
    });
    expect(await audit()).toMatchObject({ code: 1, text: expect.stringContaining('vocab') });
    expect((await pull()).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect((await shown(ids[0]!)).version.agent_config).toMatchObject({
      intro_message: 'Good day.',
      vocab: ['Riverside'],
    });
  });

  it('rolls an agent back, which a pull takes over, and names a conflict', async () => {
    await makeAgents(2);
    await pull();
    change('desk-1/agent.yaml', 'Hello, this is Asha.', 'Good day.');
    await apply();
    const back = await said(() => runRollback('desk-1', 'v1', { ...options(), note: undefined }));
    expect(back).toEqual({
      code: 0,
      text: 'desk-1 is back to v1, as v3.\ncallwright pull takes it over into the files.',
    });
    expect(await audit()).toMatchObject({
      code: 1,
      text: expect.stringContaining('intro_message: "Good day." -> "Hello, this is Asha."'),
    });
    expect((await pull()).code).toBe(0);
    expect(readFileSync(path('desk-1', 'agent.yaml'), 'utf8')).toContain('Hello, this is Asha.');
    // What changed here and there is a conflict, of which nothing is written.
    change('desk-0/agent.yaml', 'Hello, this is Asha.', 'Here.');
    await edit(ids[0]!, { operation: 'edit_intro_message', intro_message: 'There.' });
    expect(await pull()).toMatchObject({
      code: 1,
      text: expect.stringContaining('desk-0: intro_message changed here and on the service'),
    });
    expect(readFileSync(path('desk-0', 'agent.yaml'), 'utf8')).toContain('Here.');
    expect((await pull(true)).code).toBe(0);
    expect(readFileSync(path('desk-0', 'agent.yaml'), 'utf8')).toContain('There.');
    expect((await said(() => runRollback('desk-1', 'v9', { ...options(), note: undefined }))).code).toBe(1);
  });

  it('refuses a folder of another workspace and one without agents, and needs a key', async () => {
    const none = expect.stringContaining('has no agents/NAME/agent.yaml');
    expect(await said(() => runValidate(folder))).toEqual({ code: 1, text: none });
    expect(await apply()).toEqual({ code: 1, text: none });
    await makeAgents(2);
    await pull();
    const other = await createTenant(api);
    const foreign = await said(() => runAudit({ ...options(), key: other.key }));
    expect(foreign).toMatchObject({
      code: 1,
      text: expect.stringContaining('use a folder for each workspace'),
    });
    expect((await said(() => runAudit({ ...options(), key: undefined }))).code).toBe(2);
    expect(existsSync(path('desk-0', 'agent.yaml'))).toBe(true);
  });
});
