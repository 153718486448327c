import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

const FLOW = {
  start: 'want',
  variables: [{ name: 'day', type: 'date' }],
  nodes: [
    {
      id: 'want',
      type: 'choose',
      ask: 'Do you want to book, or to cancel?',
      answers: [{ name: 'book', phrases: ['an appointment'] }, { name: 'cancel' }],
      edges: [
        { to: 'day', answer: 'book' },
        { to: 'bye', answer: 'cancel', say: 'I have cancelled it.' },
        { to: 'sorry', on: 'failed' },
      ],
    },
    {
      id: 'day',
      type: 'collect',
      variable: 'day',
      ask: 'Which day suits you?',
      edges: [{ to: 'done' }, { to: 'sorry', on: 'failed' }],
    },
    { id: 'done', type: 'end', say: 'See you on {{day}}. Goodbye.' },
    { id: 'bye', type: 'end', say: 'Goodbye.' },
    { id: 'sorry', type: 'end', say: 'I am sorry, please call again. Goodbye.' },
  ],
};

interface Run {
  turns: { replies: string[]; end_reason: string | null }[];
  state: string;
}
const talk = async (...messages: string[]): Promise<Run> => {
  const answer = await desk.api.request('POST', `/api/v0/agent/${desk.agentId}/test`, {
    key: desk.tenant.key,
    body: { messages },
  });
  expect(answer.status).toBe(200);
  return answer.body as unknown as Run;
};

describe('a chat that an agent hands over', () => {
  const desk2 = async () => {
    const { agentId: billing } = await createTestAgent(desk.api, desk.tenant, {
      agent_name: 'Billing',
      intro_message: 'This is billing.',
    });
    const flow = {
      start: 'paid',
      variables: [{ name: 'invoice', type: 'text' }],
      nodes: [
        {
          id: 'paid',
          type: 'choose',
          ask: 'Have you paid {{invoice}}?',
          answers: [{ name: 'yes' }, { name: 'no' }],
          edges: [{ to: 'bye' }, { to: 'bye', on: 'failed' }],
        },
        { id: 'bye', type: 'end', say: 'Goodbye from billing.' },
      ],
    };
    const edit = await desk.api.request('PATCH', '/api/v0/agent/v1', {
      key: desk.tenant.key,
      body: { operation: 'edit_flow', agent_id: billing, flow },
    });
    expect(edit.status).toBe(200);
    return billing;
  };
  const flowTo = (agent_id: string) => ({
    start: 'ask',
    variables: [{ name: 'invoice', type: 'text' }],
    nodes: [
      { id: 'ask', type: 'collect', variable: 'invoice', ask: 'Which invoice?', edges: [{ to: 'billing' }] },
      { id: 'billing', type: 'handoff', agent_id, pass: ['invoice'], edges: [{ to: 'sorry', on: 'failed' }] },
      { id: 'sorry', type: 'end', say: 'Nobody is free.' },
    ],
  });

  it('goes on with the flow of the other agent, also in the turns after', async () => {
    await desk.accepted({ operation: 'edit_flow', flow: flowTo(await desk2()) });
    const { turns } = await talk('number 42', 'yes');
    expect(turns.map(({ replies }) => replies.at(-1))).toEqual([
      'Which invoice?',
      'This is billing. Have you paid number 42?',
      'Goodbye from billing.',
    ]);
    expect(turns.at(-1)?.end_reason).toBe('AGENT_ENDED');
  });

  it('comes back to the flow of the first agent when the other one is done, turn by turn', async () => {
    const flow = flowTo(await desk2());
    const back = { ...flow.nodes[1], back: true, edges: [{ to: 'more', on: 'back' }] };
    const more = {
      id: 'more',
      type: 'choose',
      ask: 'Anything else about {{invoice}}?',
      answers: [{ name: 'yes' }, { name: 'no' }],
      edges: [{ to: 'billing', answer: 'yes' }, { to: 'end' }, { to: 'end', on: 'failed' }],
    };
    await desk.accepted({
      operation: 'edit_flow',
      flow: { ...flow, nodes: [flow.nodes[0], back, more, { id: 'end', type: 'end', say: 'Bye.' }] },
    });
    const { turns } = await talk('number 42', 'yes', 'yes', 'yes', 'no');
    expect(turns.map(({ replies }) => replies.join(' | '))).toEqual([
      expect.stringContaining('Which invoice?'),
      'This is billing. Have you paid number 42?',
      'Goodbye from billing. | Anything else about number 42?',
      'This is billing. Have you paid number 42?',
      'Goodbye from billing. | Anything else about number 42?',
      'Bye.',
    ]);
    expect(turns.at(-1)?.end_reason).toBe('AGENT_ENDED');
  });

  it('is handed over by a prompt, too, which waits for the first answer', async () => {
    const handoffs = [
      {
        agent_id: await desk2(),
        when: 'asks about an invoice',
        examples: ['my invoice'],
        context: { last: 4 },
      },
    ];
    const shown = await desk.accepted({ operation: 'edit_handoffs', handoffs });
    expect((shown as unknown as { handoffs: unknown }).handoffs).toEqual(handoffs);
    expect((await desk.read())['orchestration_mode']).toBe('single_node');
    const { turns } = await talk('a question about my invoice', 'yes');
    expect(turns[0]?.replies).toHaveLength(1);
    expect(turns.slice(1).map(({ replies }) => replies.at(-1))).toEqual([
      // The question names the invoice, which nothing has set.
      'This is billing.',
      'Goodbye from billing.',
    ]);
    const removed = await desk.accepted({ operation: 'edit_handoffs', handoffs: [] });
    expect((removed as unknown as { handoffs: unknown }).handoffs).toEqual([]);
  });

  it('is refused at the edit for an agent of another workspace or a wrong field, and not for its language', async () => {
    const refused = async (handoff: object): Promise<unknown> => {
      const { status, body } = await desk.edit({
        operation: 'edit_handoffs',
        handoffs: [{ when: 'asks for it', ...handoff }],
      });
      expect(status).toBe(422);
      return body['message'];
    };
    const { agentId: foreign } = await createTestAgent(desk.api, await createTenant(desk.api));
    expect(await refused({ agent_id: foreign })).toBe(
      'handoffs[0].agent_id must be an agent of this workspace that is not archived',
    );
    expect(await refused({ agent_id: 'billing' })).toContain('handoffs[0].agent_id');
    const { agentId: other } = await createTestAgent(desk.api, desk.tenant, { agent_name: 'Rechnung' });
    await desk.api.db.executeQuery(
      sql`update agent_versions set config = jsonb_set(config, '{language}', '"hi-IN"') where agent_id = ${other}`.compile(
        desk.api.db,
      ),
    );
    // Of any language.
    await desk.accepted({
      operation: 'edit_handoffs',
      handoffs: [{ agent_id: other, when: 'speaks Hindi' }],
    });
  });

  it('stays with its agent when the other one is archived meanwhile', async () => {
    const billing = await desk2();
    await desk.accepted({ operation: 'edit_flow', flow: flowTo(billing) });
    await desk.api.request('DELETE', `/api/v0/agent/${billing}`, { key: desk.tenant.key });
    const { turns } = await talk('number 42');
    expect(turns.at(-1)).toMatchObject({ replies: ['Nobody is free.'], end_reason: 'AGENT_ENDED' });
  });
});

describe('edit_flow', () => {
  it('stores a flow, shows it and the mode, and null takes it back', async () => {
    expect((await desk.read())['orchestration_mode']).toBe('single_node');
    await desk.accepted({ operation: 'edit_flow', flow: FLOW });
    const { record, version } = await desk.shown();
    expect(record['orchestration_mode']).toBe('multi_node');
    expect((version as unknown as { flow: unknown }).flow).toEqual(FLOW);
    const list = await desk.api.request('GET', '/api/v0/agent/all', { key: desk.tenant.key });
    const agents = (list.body['data'] as { agents: { id: string; orchestration_mode: string }[] }).agents;
    expect(agents.find(({ id }) => id === desk.agentId)?.orchestration_mode).toBe('multi_node');
    await desk.accepted({ operation: 'edit_flow', flow: null });
    expect((await desk.read())['orchestration_mode']).toBe('single_node');
  });

  it('refuses to take away a tool that the flow runs', async () => {
    const url = 'https://api.example.com/visits';
    const tool = (name: string) => ({ type: 'API_TOOL', name, description: 'Books.', method: 'POST', url });
    const nodes = [
      { id: 'book', type: 'tool', tool: 'book', edges: [{ to: 'done' }, { to: 'done', on: 'failed' }] },
      { id: 'done', type: 'end' },
    ];
    await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: [tool('book')] });
    await desk.accepted({ operation: 'edit_flow', flow: { start: 'book', nodes } });
    const refused = await desk.edit({ operation: 'edit_on_call_tools', on_call_tools: [tool('other')] });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain(
      'must keep what the flow of this version uses: node book: the agent has no tool book',
    );
    await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: [tool('book'), tool('other')] });
  });

  it('answers 422 with every fault and stores nothing', async () => {
    const faulty = structuredClone(FLOW);
    faulty.nodes[1]!.edges![0]!.to = 'nowhere';
    const { status, body } = await desk.edit({ operation: 'edit_flow', flow: faulty });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('node day has an edge to nowhere, which is no node');
    expect((await desk.read())['orchestration_mode']).toBe('single_node');
    const missing = await desk.edit({ operation: 'edit_flow' });
    expect(missing.status).toBe(422);
  });
});

describe('a test run of an agent with a flow', () => {
  it('asks the first question after the first message and ends by the answers, without a model', async () => {
    await desk.accepted({ operation: 'edit_flow', flow: FLOW });
    const { turns, state } = await talk('an appointment please', '2026-12-24');
    expect(turns[0]?.replies.at(-1)).toContain('Do you want to book, or to cancel?');
    expect(turns[1]?.replies).toEqual(['Which day suits you?']);
    expect(turns[2]?.replies).toEqual(['See you on 2026-12-24. Goodbye.']);
    expect(turns[2]?.end_reason).toBe('AGENT_ENDED');
    expect(state).toBe('closed');
  });

  it('follows the failed edge after three answers that it does not understand', async () => {
    await desk.accepted({ operation: 'edit_flow', flow: FLOW });
    const { turns } = await talk('purple', 'purple', 'purple');
    expect(turns[1]?.replies[0]).toContain('Do you want to book, or to cancel?');
    expect(turns[3]?.replies).toEqual(['I am sorry, please call again. Goodbye.']);
  });

  it('follows the prompt again after the flow was taken away', async () => {
    await desk.accepted({ operation: 'edit_flow', flow: FLOW });
    await desk.accepted({ operation: 'edit_flow', flow: null });
    const { turns } = await talk('hello');
    expect(JSON.stringify(turns)).not.toContain('Do you want to book');
  });
});
