import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Flow, FlowNode } from '../document.ts';
import { program, type ProgramParts } from './program.ts';
import { NEW_FLOW, type Meant } from './state.ts';
import { step } from './step.ts';

const NOON = Date.UTC(2026, 10, 27, 12);
const PARTS: ProgramParts = {
  agentName: 'Asha',
  language: 'en-US',
  zone: 'UTC',
  variables: { callee_name: 'Priya' },
  tools: new Map([
    ['book', { day: 'string' }],
    ['front_desk', {}],
  ]),
  handsOver: true,
  givesBack: false,
  hasModel: true,
  hidesKeys: true,
};

/** The result of a tool: only an agent that has the conversation gives it back. */
function answeredAt<E extends { readonly isOk: boolean; readonly isBack: boolean }>(
  node: FlowNode | undefined,
  { isBack, ...result }: E,
): Omit<E, 'isBack'> & { readonly isBack?: true } {
  const comesBack = node?.type === 'handoff' && node.back === true && result.isOk && isBack;
  return comesBack ? { ...result, isBack: true } : result;
}

describe('generated flows', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const id = fc.constantFrom(...ids, 'nowhere');
  const condition = fc.constantFrom('n < 3', 'flag', "pick == 'red'", 'known.day', 'n / 0 > 1');
  const edge = fc.record(
    {
      to: id,
      if: condition,
      on: fc.constantFrom(
        'ok' as const,
        'failed' as const,
        'refused' as const,
        'silence' as const,
        'back' as const,
      ),
      answer: fc.constantFrom('red', 'blue'),
      when: fc.constantFrom('wants red', 'wants blue'),
      examples: fc.constant<string[]>(['the blue one']),
      say: fc.constant('On we go.'),
      context: fc.constantFrom('none' as const, 'summary' as const, { last: 2 }),
      forget: fc.constant<string[]>(['a']),
    },
    { requiredKeys: ['to'] },
  );
  const edges = fc.array(edge, { maxLength: 4 });
  const answers = fc.constant<{ name: string; phrases?: string[] }[]>([
    { name: 'red' },
    { name: 'blue', phrases: ['the blue one'] },
  ]);
  const body = fc.oneof(
    fc.record({
      type: fc.constant('talk' as const),
      prompt: fc.constant('Help them.'),
      turns: fc.integer({ min: 1, max: 4 }),
      context: fc.constantFrom('all' as const, 'summary' as const),
      tools: fc.subarray(['book', 'gone']),
      tasks: fc.subarray(['a', 'b', 'nowhere']),
      interruption: fc.constantFrom('low' as const, 'none' as const),
      edges,
    }),
    fc.record({
      type: fc.constant('say' as const),
      text: fc.constantFrom('Hello.', '{{n}} of {{day}}'),
      edges,
    }),
    fc.record({
      type: fc.constant('collect' as const),
      variable: fc.constantFrom('n', 'flag', 'pick', 'day', 'secret'),
      ask: fc.constant('What is it?'),
      edges,
    }),
    fc.record({ type: fc.constant('choose' as const), ask: fc.constant('Which?'), answers, edges }),
    fc.record({ type: fc.constant('tool' as const), tool: fc.constantFrom('book', 'gone'), edges }),
    fc.record({ type: fc.constant('set' as const), set: fc.constant({ n: 'n + 1', flag: '!flag' }), edges }),
    fc.record({ type: fc.constant('transfer' as const), tool: fc.constant('front_desk'), edges }),
    fc.record({
      type: fc.constant('handoff' as const),
      agent_id: fc.constant('0190a2f4-0000-7000-8000-000000000001'),
      say: fc.constant('I connect you.'),
      pass: fc.constant<string[]>(['n', 'secret']),
      back: fc.boolean(),
      edges,
    }),
    fc.record({ type: fc.constant('end' as const) }),
  );
  const flows = fc
    .record({
      bodies: fc.array(body, { minLength: 6, maxLength: 6 }),
      global: fc.option(fc.record({ body, back: fc.boolean() }), { nil: null }),
      start: id,
      stuck: fc.option(id, { nil: null }),
    })
    .map(({ bodies, global, start, stuck }): Flow => ({
      start,
      ...(stuck === null ? {} : { stuck }),
      variables: [
        { name: 'n', type: 'number', value: 0 },
        { name: 'flag', type: 'boolean' },
        { name: 'pick', type: 'choice', values: ['red', 'blue'] },
        { name: 'day', type: 'date' },
        { name: 'secret', type: 'text', sensitive: true },
      ],
      nodes: bodies.map((each, at) => ({ ...each, id: ids[at]! })),
      ...(global === null
        ? {}
        : { global: [{ ...global.body, id: 'g', when: 'asks', examples: ['help me'], back: global.back }] }),
    }));
  const text = fc.constantFrom(
    'yes',
    'no',
    'red',
    'the blue one',
    'Tuesday',
    'three',
    'help me',
    'purple',
    '',
    'hello',
    'I want a person',
  );
  const line = fc.record({ text, by: fc.constantFrom('speech' as const, 'text' as const) });
  const keys = fc.record({
    text: fc.constantFrom('1', '2', '0', '42', '*', '[keys hidden 1]'),
    by: fc.constant('keypad' as const),
  });
  const event = fc.oneof(
    fc.record({ type: fc.constant('caller' as const), line: fc.oneof(line, keys) }),
    fc.record({
      type: fc.constant('caller' as const),
      line,
      meant: fc.record({
        node: id,
        to: fc.constantFrom(...ids, 'g', 'nowhere'),
        alike: fc.constantFrom(0.5, 0.75, 1),
      }),
    }),
    fc.record({
      type: fc.constant('tool' as const),
      isOk: fc.boolean(),
      isBack: fc.boolean(),
      variables: fc.constant({ n: '4', day: '2026-12-01' }),
    }),
    fc.constantFrom({ type: 'unclear' as const }, { type: 'again' as const }, { type: 'silence' as const }),
    fc.record({
      type: fc.constant('spoke' as const),
      to: fc.constantFrom(...ids, 'g', 'nowhere'),
      isOver: fc.boolean(),
    }),
  );
  const events = fc.array(fc.record({ event, hears: fc.boolean() }), { minLength: 1, maxLength: 40 });
  const runs = Number(process.env['FLOW_RUNS'] ?? 2_000);

  it('are total: each step speaks, asks, runs a tool or ends, within its limits', () => {
    fc.assert(
      fc.property(flows, events, (flow, list) => {
        const made = program(flow, {
          ...PARTS,
          hasModel: list.length % 2 === 0,
          handsOver: list.length % 3 > 0,
          givesBack: list.length % 5 === 0,
        });
        let state = NEW_FLOW;
        for (const { event: given, hears } of [
          { event: { type: 'start' as const, line: null }, hears: true },
          ...list,
        ]) {
          const isLed = made.nodes.get(state.at ?? '')?.type === 'talk' && !state.isOver;
          const moved = given.type === 'spoke' && !isLed ? ({ type: 'again' } as const) : given;
          const happened = moved.type === 'tool' ? answeredAt(made.nodes.get(state.at ?? ''), moved) : moved;
          const next = step(made, state, { variables: {}, ...happened, at: NOON, hears });
          const kinds = next.effects.map(({ type }) => type);
          const acts = kinds.filter((kind) => kind !== 'moved');
          // A model that chose no target leaves the floor to the caller.
          expect(acts.length > 0 || happened.type === 'spoke').toBe(true);
          // One of: the caller has the floor, a tool runs, or the conversation ends; or the caller waits for a tool.
          const last = kinds.filter((kind) =>
            ['expect', 'tool', 'hand_over', 'end', 'opt_out', 'model'].includes(kind),
          );
          expect(last.length).toBeLessThanOrEqual(1);
          const waits = ['tool', 'transfer', 'handoff'].includes(made.nodes.get(state.at ?? '')?.type ?? '');
          expect(last.length === 1 || waits || happened.type === 'spoke').toBe(true);
          expect(JSON.stringify(next.effects)).not.toContain('"secret":');
          let silent = 0;
          for (const kind of kinds) {
            silent = kind === 'moved' ? silent + 1 : kind === 'say' ? 0 : silent;
            expect(silent).toBeLessThanOrEqual(24);
          }
          expect(next.state.moves).toBeLessThanOrEqual(204);
          expect(JSON.parse(JSON.stringify(next.state))).toEqual(next.state);
          // A meaning decides only what it was given for, and never where a model judges.
          const meant = happened.type === 'caller' && 'meant' in happened ? (happened.meant as Meant) : null;
          const byMeaning = next.effects.flatMap((effect) =>
            effect.type === 'moved' && effect.alike !== undefined ? [[effect.to, effect.alike]] : [],
          );
          const wanted = meant === null ? [] : [[meant.to, meant.alike]];
          expect([[], made.hasModel ? [] : wanted]).toContainEqual(byMeaning);
          expect(made.hasModel ? next.unsure : null).toBeNull();
          state = next.state;
        }
      }),
      { numRuns: runs },
    );
  }, 600_000);

  it('end whatever the caller answers', () => {
    fc.assert(
      fc.property(flows, fc.array(event, { minLength: 1, maxLength: 6 }), (flow, list) => {
        const made = program(flow, PARTS);
        let state = step(made, NEW_FLOW, {
          type: 'start',
          line: null,
          at: NOON,
          hears: true,
          variables: {},
        }).state;
        let left = 2_000;
        for (; !state.isOver && left > 0; left--) {
          const node = made.nodes.get(state.at ?? '');
          const waits = ['tool', 'transfer', 'handoff'].includes(node?.type ?? '');
          const answer = list[left % list.length]!;
          // A tool always answers in the end, and a caller who never answers is the turn machine's to end.
          const isBack = left % 4 === 0;
          const given = waits
            ? { type: 'tool' as const, isOk: left % 2 === 0, isBack, variables: {} }
            : answer;
          const isLed = node?.type === 'talk';
          const isIdle =
            given.type === 'again' ||
            given.type === 'silence' ||
            (given.type === 'spoke' && !isLed) ||
            (given.type === 'tool' && !waits);
          const happened = isLed
            ? ({ type: 'spoke', to: null, isOver: left % 3 === 0 } as const)
            : isIdle
              ? ({ type: 'unclear' } as const)
              : given;
          const result = happened.type === 'tool' ? answeredAt(node, happened) : happened;
          state = step(made, state, { variables: {}, ...result, at: NOON, hears: true }).state;
          if (happened.type === 'caller' && ['hello', '*'].includes(happened.line.text))
            state = step(made, state, { type: 'unclear', at: NOON, hears: true, variables: {} }).state;
        }
        expect(state.isOver).toBe(true);
      }),
      { numRuns: runs },
    );
  }, 600_000);
});
