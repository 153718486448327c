import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DENTAL_AGENT, dentalFlow } from '../../../../test/helpers/flows/dental-flow.ts';
import { FAULT_CODES, type FaultCode } from '../fault.ts';
import { checkFlow } from './check-flow.ts';

/** A document with any field changed. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = Record<string, any>;
const flowWith = (change: (flow: Loose, node: (id: string) => Loose) => void): unknown => {
  const flow: Loose = dentalFlow();
  change(flow, (id) => [...flow['nodes'], ...flow['global']].find((node: Loose) => node['id'] === id));
  return flow;
};
const check = (document: unknown, agent = DENTAL_AGENT) => checkFlow(document, agent);

const BILLING = '0190a2f4-0000-7000-8000-000000000001';
/** Makes the last step of the flow a handoff to this agent. */
const toAgent =
  (agent_id: string, more: object = {}) =>
  (_flow: Loose, node: (id: string) => Loose): void => {
    delete node('desk')['tool'];
    Object.assign(node('desk'), { type: 'handoff', agent_id, ...more });
  };

const lead = (more: object): object => ({ id: 'lead', type: 'talk', prompt: 'Help.', ...more });

/** Each fault, injected into a flow without one: its code, the node that it names, and the change. */
const FAULTS: readonly [FaultCode, string | null, (flow: Loose, node: (id: string) => Loose) => void][] = [
  ['too_large', null, (_flow, node) => (node('greet')['note'] = 'x'.repeat(70_000))],
  ['bad_field', 'greet', (_flow, node) => delete node('greet')['text']],
  ['bad_field', 'want', (_flow, node) => (node('want')['edges'][0].colour = 'red')],
  ['bad_field', 'want', (_flow, node) => (node('want')['edges'][0].examples = ['book'])],
  ['wrong_event', 'hour', (_flow, node) => node('hour')['edges'].unshift({ to: 'desk', when: 'is angry' })],
  ['bad_field', 'hour', (_flow, node) => (node('hour')['tries'] = 0)],
  ['bad_field', 'hour', (_flow, node) => (node('hour')['digits'] = 4)],
  ['bad_field', 'hours', (_flow, node) => delete node('hours')['examples']],
  ['bad_field', null, (flow) => delete flow['start']],
  ['unknown_kind', 'greet', (_flow, node) => (node('greet')['type'] = 'sing')],
  ['duplicate_node', 'day', (_flow, node) => (node('hour')['id'] = 'day')],
  ['duplicate_variable', null, (flow) => flow['variables'].push({ name: 'day', type: 'date' })],
  ['reserved_name', null, (flow) => flow['variables'].push({ name: 'known', type: 'text' })],
  ['missing_start', null, (flow) => (flow['start'] = 'nowhere')],
  ['missing_start', null, (flow) => (flow['start'] = 'hours')],
  ['missing_stuck', null, (flow) => (flow['stuck'] = 'nowhere')],
  ['missing_target', 'day', (_flow, node) => (node('day')['edges'][0].to = 'nowhere')],
  ['unreachable_node', 'lonely', (flow) => flow['nodes'].push({ id: 'lonely', type: 'end' })],
  ['dead_end', 'people', (_flow, node) => delete node('people')['edges']],
  ['no_end', 'people', (_flow, node) => (node('people')['edges'] = [{ to: 'people' }])],
  ['silent_cycle', 'count', (_flow, node) => (node('count')['edges'][0] = { to: 'book', if: 'tries < 3' })],
  [
    'endless_speech',
    'greet',
    (_flow, node) => (node('greet')['edges'] = [{ to: 'greet', if: 'insured' }, { to: 'want' }]),
  ],
  ['mixed_condition', 'book', (_flow, node) => (node('book')['edges'][0].if = 'insured')],
  ['wrong_event', 'day', (_flow, node) => node('day')['edges'].push({ to: 'desk', on: 'ok' })],
  ['wrong_answer', 'want', (_flow, node) => (node('want')['edges'][0].answer = 'move')],
  ['wrong_answer', 'day', (_flow, node) => node('day')['edges'].unshift({ to: 'desk', answer: 'book' })],
  ['unused_edge', 'day', (_flow, node) => node('day')['edges'].push({ to: 'desk', if: 'insured' })],
  ['unused_edge', 'want', (_flow, node) => node('want')['edges'].push({ to: 'day', on: 'failed' })],
  ['no_default', 'reason', (_flow, node) => node('reason')['edges'].splice(1, 1)],
  ['no_default', 'want', (_flow, node) => node('want')['edges'].splice(0, 1)],
  ['edge_after_end', 'done', (_flow, node) => (node('done')['edges'] = [{ to: 'greet' }])],
  ['edge_after_end', 'desk', (_flow, node) => node('desk')['edges'].push({ to: 'bye' })],
  ['bad_expression', 'count', (_flow, node) => (node('count')['edges'][0].if = 'tries <')],
  ['bad_expression', 'reason', (_flow, node) => (node('reason')['edges'][0].if = "reason.matches('(a+)+')")],
  ['unknown_variable', 'count', (_flow, node) => (node('count')['edges'][0].if = 'attempts < 3')],
  ['unknown_variable', 'greet', (_flow, node) => (node('greet')['text'] = 'Hello {{calee_name}}')],
  ['unknown_variable', 'day', (_flow, node) => (node('day')['variable'] = 'weekday')],
  ['unknown_variable', 'count', (_flow, node) => (node('count')['set'] = { attempts: '1' })],
  ['wrong_type', 'count', (_flow, node) => (node('count')['edges'][0].if = 'tries + 1')],
  ['wrong_type', 'count', (_flow, node) => (node('count')['edges'][0].if = "tries == 'one'")],
  ['wrong_type', 'count', (_flow, node) => (node('count')['set']['tries'] = "'one'")],
  ['wrong_type', 'book', (_flow, node) => (node('book')['arguments']['people'] = 'day')],
  ['wrong_value', 'reason', (_flow, node) => (node('reason')['edges'][0].if = "reason == 'pian'")],
  ['wrong_value', 'count', (_flow, node) => (node('count')['set']['reason'] = "'pian'")],
  ['wrong_value', null, (flow) => (flow['variables'][3].value = 'one')],
  ['wrong_value', null, (flow) => (flow['variables'][1].value = '2026-02-31')],
  ['missing_values', null, (flow) => delete flow['variables'][0].values],
  [
    'wrong_variable',
    'hour',
    (_flow, node) => Object.assign(node('hour'), { variable: 'people', kind: 'time' }),
  ],
  ['wrong_variable', 'pin', (_flow, node) => delete node('pin')['kind'] && delete node('pin')['digits']],
  [
    'wrong_variable',
    'pin',
    (_flow, node) => Object.assign(node('pin'), { kind: 'phone', digits: undefined }),
  ],
  ['duplicate_answer', 'want', (_flow, node) => (node('want')['answers'][1].phrases = ['An appointment'])],
  ['sensitive_use', 'done', (_flow, node) => (node('done')['say'] = 'Your PIN is {{pin}}.')],
  ['sensitive_use', 'count', (_flow, node) => (node('count')['edges'][0].if = "pin == '1234'")],
  ['sensitive_use', 'book', (_flow, node) => (node('book')['arguments']['day'] = 'pin')],
  ['unknown_tool', 'book', (_flow, node) => (node('book')['tool'] = 'find')],
  ['wrong_tool', 'book', (_flow, node) => (node('book')['tool'] = 'wait_for_keys')],
  ['wrong_tool', 'desk', (_flow, node) => (node('desk')['tool'] = 'book')],
  ['unknown_argument', 'book', (_flow, node) => (node('book')['arguments']['colour'] = 'day')],
  ['unknown_tool', 'lead', (flow) => flow['nodes'].push(lead({ tools: ['book', 'find'] }))],
  ['wrong_language', 'lead', (flow) => flow['nodes'].push(lead({ voice: DENTAL_AGENT.voices[1]!.id }))],
  ['unknown_voice', 'lead', (flow) => flow['nodes'].push(lead({ voice: BILLING }))],
  ['unknown_knowledge', 'lead', (flow) => flow['nodes'].push(lead({ knowledge: [BILLING] }))],
  ['unknown_agent', 'desk', toAgent('0190a2f4-0000-7000-8000-000000000009')],
  ['missing_target', 'desk', toAgent(BILLING, { forget: ['card'] })],
  ['no_default', 'desk', toAgent(BILLING, { back: true })],
  ['unused_edge', 'desk', toAgent(BILLING, { edges: [{ to: 'bye', on: 'back' }] })],
  ['bad_field', 'desk', toAgent('billing')],
  ['unknown_variable', 'desk', toAgent(BILLING, { pass: ['wish'] })],
  ['sensitive_use', 'desk', toAgent(BILLING, { pass: ['pin'] })],
  ['edge_after_end', 'desk', toAgent(BILLING, { edges: [{ to: 'bye' }] })],
  [
    'missing_argument',
    'book',
    (flow) => {
      const text = JSON.stringify(flow)
        .replaceAll('"variable":"day"', '"variable":"date"')
        .replace('"name":"day"', '"name":"date"');
      Object.assign(flow, JSON.parse(text.replace('{{day}}', '{{date}}')));
    },
  ],
];

describe('the check of a flow', () => {
  it('accepts a handoff to an agent of the workspace that speaks a language of the call', () => {
    const whole = { say: 'One moment.', context: { last: 4 }, pass: ['day'], silent: true };
    const found = check(flowWith(toAgent(BILLING.toUpperCase(), whole)));
    expect(found.faults).toEqual([]);
    expect(check(flowWith(toAgent(BILLING, { edges: [] }))).warnings).toEqual([]);
    const back = check(flowWith(toAgent(BILLING, { back: true, edges: [{ to: 'want', on: 'back' }] })));
    expect(back.faults).toEqual([]);
  });

  it('accepts a flow of every kind of node that runs without a model', () => {
    expect(check(dentalFlow()).faults).toEqual([]);
    expect(check(dentalFlow()).flow).not.toBeNull();
  });

  it.each(FAULTS.map(([code, node, change], at) => ({ code, node, change, at })))(
    'finds $code (fault $at) and names its node',
    ({ code, node, change }) => {
      const { flow, faults } = check(flowWith(change));
      expect(flow).toBeNull();
      expect(faults.map((fault) => [fault.code, fault.node])).toContainEqual([code, node]);
      const fault = faults.find((found) => found.code === code && found.node === node);
      expect(fault?.message).toContain(node === null ? '' : `node ${node}`);
    },
  );

  it('injects every kind of fault that it can find', () => {
    const injected = new Set(FAULTS.map(([code]) => code));
    const byDocument = new Set(['not_a_flow', 'too_many_nodes', 'too_many_edges']);
    expect(FAULT_CODES.filter((code) => !injected.has(code) && !byDocument.has(code))).toEqual([]);
    expect(FAULT_CODES.length).toBeGreaterThanOrEqual(30);
  });

  it('refuses what is no object, more than 200 nodes and more than 2,000 edges', () => {
    for (const value of [null, undefined, 'flow', 3, []])
      expect(check(value).faults[0]?.code).toBe('not_a_flow');
    const many = Array.from({ length: 201 }, (_, at) => ({ id: `n${at}`, type: 'end' }));
    expect(check({ start: 'n0', nodes: many }).faults[0]?.code).toBe('too_many_nodes');
    const edges = Array.from({ length: 100 }, () => ({ to: 'a' }));
    const wide = Array.from({ length: 21 }, (_, at) => ({
      id: `n${at}`,
      type: 'set',
      set: { a: '1' },
      edges,
    }));
    expect(check({ start: 'n0', nodes: wide }).faults[0]?.code).toBe('too_many_edges');
  });

  it('names the edge and the field of a fault', () => {
    const { faults } = check(flowWith((_flow, node) => (node('reason')['edges'][0].if = 'reason')));
    expect(faults[0]).toEqual({
      code: 'wrong_type',
      node: 'reason',
      edge: 0,
      field: 'nodes[2].edges[0].if',
      message: 'node reason: a condition must be true or false, and this is a text',
    });
  });

  it('accepts a step that a model leads, and warns of what needs a model', () => {
    const lead = (edges: object[]) =>
      flowWith((flow) => {
        flow['nodes'].push({ id: 'lead', type: 'talk', prompt: 'Help {{callee_name}}.', turns: 3, edges });
        flow['start'] = 'lead';
      });
    const book = { to: 'greet', when: 'wants to book', examples: ['an appointment'] };
    const found = check(lead([book, { to: 'bye', when: 'is done' }, { to: 'desk', on: 'turns' }]));
    expect(found.faults).toEqual([]);
    expect(found.warnings.map(({ code, node }) => [code, node])).toEqual([['needs_model', 'lead']]);
    const many = Array.from({ length: 9 }, (_, at) => ({ ...book, when: `wants ${at}` }));
    expect(check(lead(many)).warnings.map(({ code }) => code)).toEqual(['many_whens']);
    expect(check(lead([book])).flow).not.toBeNull();
    expect(check(lead([book, book])).faults.map(({ code }) => code)).toEqual(['unused_edge']);
  });

  it('knows the contexts of a step that a model leads, and of an edge to it', () => {
    const lead = (more: object) =>
      check({ start: 'lead', nodes: [{ id: 'lead', type: 'talk', prompt: 'Help.', ...more }] }).faults;
    expect(lead({ context: 'none', forget: ['lead'] })).toEqual([]);
    expect(lead({ context: { last: 3 } })).toEqual([]);
    expect(lead({ context: 'summary' })).toEqual([]);
    expect(lead({ context: 'some' })).toMatchObject([{ code: 'bad_field', node: 'lead' }]);
    const before = (edge: object) =>
      check({
        start: 'say',
        nodes: [
          { id: 'say', type: 'say', text: 'Hello.', edges: [{ to: 'lead', ...edge }] },
          { id: 'lead', type: 'talk', prompt: 'Help.', edges: [{ to: 'bye', on: 'silence', ...edge }] },
          { id: 'bye', type: 'end' },
        ],
      }).faults.map(({ code, node }) => [code, node]);
    expect(before({})).toEqual([]);
    expect(before({ context: 'none' })).toEqual([['bad_field', 'lead']]);
    expect(before({ context: 'summary' })).toEqual([['bad_field', 'lead']]);
    expect(before({ forget: ['card'] })).toEqual([
      ['missing_target', 'say'],
      ['bad_field', 'lead'],
      ['missing_target', 'lead'],
    ]);
    expect(lead({ forget: ['card'] })).toMatchObject([{ code: 'missing_target', node: 'lead' }]);
  });

  it('accepts a step with tools and knowledge bases of the agent, and names the place of another one', () => {
    const [base] = DENTAL_AGENT.knowledge;
    const step = (more: object) => ({ start: 'lead', nodes: [lead(more)] });
    const whole = step({ tools: ['book', 'front_desk'], knowledge: [base?.toUpperCase()] });
    expect(check(whole).faults).toEqual([]);
    expect(check(step({ tools: [], knowledge: [] })).faults).toEqual([]);
    const voice = DENTAL_AGENT.voices[0]!.id;
    expect(check(step({ voice: voice.toUpperCase(), interruption: 'none' })).faults).toEqual([]);
    expect(check(step({ voice }), { ...DENTAL_AGENT, languages: ['hi-IN'] }).faults).toMatchObject([
      { code: 'wrong_language', node: 'lead', message: 'node lead: the voice Asha does not speak hi-IN' },
    ]);
    const served = check(step({ tools: ['book', 'crm_find'] }), { ...DENTAL_AGENT, hasServers: true });
    expect(served.faults).toEqual([]);
    expect(served.warnings).toMatchObject([{ code: 'unchecked_tool', node: 'lead' }]);
    expect(check(step({ tools: ['book', 'find'] })).faults).toMatchObject([{ field: 'nodes[0].tools[1]' }]);
    expect(check(step({ knowledge: [BILLING] })).faults).toMatchObject([
      { field: 'nodes[0].knowledge[0]', message: expect.stringContaining('no knowledge base of the agent') },
    ]);
  });

  it('warns of an edge without examples where neither a language model nor one of meanings may judge it', () => {
    const flow = {
      start: 'help',
      nodes: [
        { id: 'help', type: 'talk', prompt: 'Help.', edges: [{ to: 'bye', when: 'has no question' }] },
        { id: 'bye', type: 'end' },
      ],
    };
    expect(check(flow).warnings.map(({ code }) => code)).toEqual(['needs_model']);
    expect(check(flow, { ...DENTAL_AGENT, judgesMeaning: true }).warnings).toEqual([]);
  });

  it('takes tasks of a talk as ways, which need no edge of their own, and names those that collect nothing', () => {
    const asking = (tasks: string[]) =>
      check({
        start: 'help',
        variables: [{ name: 'day', type: 'date' }],
        nodes: [
          { id: 'help', type: 'talk', prompt: 'Help.', tasks, edges: [{ to: 'bye', on: 'turns' }] },
          {
            id: 'day',
            type: 'collect',
            variable: 'day',
            ask: 'Which day?',
            edges: [{ to: 'bye', on: 'refused' }],
          },
          { id: 'bye', type: 'end' },
        ],
      });
    const { flow, warnings } = asking(['day']);
    expect(flow).not.toBeNull();
    expect(warnings).toEqual([]);
    const codes = (tasks: string[]) => asking(tasks).faults.map(({ code, field }) => [code, field]);
    expect(codes(['day', 'gone', 'bye'])).toEqual([
      ['missing_target', 'nodes[0].tasks[1]'],
      ['bad_field', 'nodes[0].tasks[2]'],
    ]);
    expect(codes([])).toContainEqual(['unreachable_node', 'nodes[1]']);
  });

  it('does not warn of a failure in a global node that comes back', () => {
    const asking = (back: boolean) =>
      check({
        start: 'help',
        variables: [{ name: 'phone', type: 'text' }],
        nodes: [{ id: 'help', type: 'talk', prompt: 'Help.' }],
        global: [
          {
            id: 'phone',
            type: 'collect',
            variable: 'phone',
            kind: 'phone',
            ask: 'Your number?',
            when: 'wants to be called back',
            examples: ['call me back'],
            ...(back ? { back } : { edges: [{ to: 'help' }] }),
          },
        ],
      }).warnings.map(({ code, node }) => [code, node]);
    expect(asking(true)).toEqual([]);
    expect(asking(false)).toEqual([['no_failed_edge', 'phone']]);
  });

  it('warns of a failure that no edge takes, and of a tool that only an MCP server may have', () => {
    const without = flowWith((flow, node) => {
      delete flow['stuck'];
      node('book')['edges'].pop();
      flow['nodes'] = flow['nodes'].filter((each: Loose) => each['id'] !== 'count');
    });
    const { flow, warnings } = check(without);
    expect(flow).not.toBeNull();
    expect(warnings.map(({ code, node }) => [code, node])).toContainEqual(['no_failed_edge', 'book']);
    const served = flowWith((_flow, node) => {
      node('book')['tool'] = 'crm_book';
      delete node('book')['arguments'];
    });
    const found = check(served, { ...DENTAL_AGENT, hasServers: true });
    expect(found.faults).toEqual([]);
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'unchecked_tool', node: 'book' }));
  });

  it('answers for any JSON, and for a flow with any part replaced', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(check(value).faults.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.nat(), fc.jsonValue({ maxDepth: 2 }), (at, value) => {
        const text = JSON.stringify(dentalFlow());
        const places = [...text.matchAll(/:("[^"]*"|\d+|true)/g)];
        const place = places[at % places.length]!;
        const changed = `${text.slice(0, place.index + 1)}${JSON.stringify(value)}${text.slice(place.index + place[0].length)}`;
        const { flow, faults } = check(JSON.parse(changed));
        expect(flow === null).toBe(faults.length > 0);
      }),
      { numRuns: 1500 },
    );
  });
});
