import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  property,
  record as recordOf,
  string,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import { checkFlow } from '../../../../src/voice/flow/check/check-flow.ts';
import { FAULT_CODES } from '../../../../src/voice/flow/fault.ts';
import { readFlow } from '../../../../src/voice/flow/read-flow.ts';
import { readDocument, STEP_KINDS, stepsIn, type FlowDocument } from './flow-document.ts';
import { editFlow, EMPTY_FLOW, type FlowEdit } from './flow-edit.ts';
import { record, redo, startHistory, undo } from './flow-history.ts';
import { rowAfter } from './outline-rows.ts';

const place = nat({ max: 14 });
const kind = constantFrom(...STEP_KINDS);
const by = constantFrom(1 as const, -1 as const);
const name = oneof(constantFrom('say_1', 'day', 'office', ''), string({ maxLength: 8 }));
const edits: Arbitrary<FlowEdit> = oneof(
  recordOf({ does: constant('add' as const), kind, after: oneof(constant(null), place) }),
  recordOf({ does: constant('rename' as const), step: place, id: name }),
  recordOf({ does: constant('delete' as const), step: place }),
  recordOf({ does: constant('move' as const), step: place, by }),
  recordOf({ does: constant('retype' as const), step: place, kind }),
  recordOf({
    does: constant('set' as const),
    step: place,
    field: constantFrom('ask', 'say', 'variable', 'turns', 'edges', 'id', 'answers'),
    value: oneof(constant(undefined), jsonValue({ maxDepth: 1 })),
  }),
  recordOf({ does: constant('globalise' as const), step: place }),
  recordOf({ does: constant('start' as const), step: place }),
  recordOf({ does: constant('stuck' as const), id: oneof(constant(null), name) }),
  recordOf({
    does: constant('variables' as const),
    variables: array(recordOf({ name, type: constantFrom('text', 'date', 'none') }), { maxLength: 3 }),
  }),
  recordOf({ does: constant('add_edge' as const), step: place, to: name }),
  recordOf({
    does: constant('set_edge' as const),
    step: place,
    edge: nat({ max: 3 }),
    value: recordOf({ to: name, if: string({ maxLength: 10 }) }),
  }),
  recordOf({ does: constant('delete_edge' as const), step: place, edge: nat({ max: 3 }) }),
  recordOf({ does: constant('move_edge' as const), step: place, edge: nat({ max: 3 }), by }),
);
const documents = constantFrom<FlowDocument>(
  EMPTY_FLOW,
  ...FLOW_TEMPLATES.map(({ flow }) => flow as unknown as FlowDocument),
);

const AGENT = {
  variables: [],
  tools: [],
  languages: ['en-US'],
  voices: [],
  agents: [],
  knowledge: [],
  hasServers: false,
};

describe('edits of a flow', () => {
  it('lead to documents of the schema, or to faults that are named', () => {
    const codes: ReadonlySet<string> = new Set(FAULT_CODES);
    let valid = 0;
    assert(
      property(documents, array(edits, { maxLength: 20 }), (before, list) => {
        const after = list.reduce(editFlow, before);
        expect(readDocument(after)).toBe(after);
        const read = readFlow(after);
        const formFaults = read.flow === null ? read.faults : [];
        expect(read.flow !== null || formFaults.length > 0).toBe(true);
        expect(formFaults.every(({ code, message }) => codes.has(code) && message !== '')).toBe(true);
        valid += read.flow === null ? 0 : 1;
        const ids = new Set(stepsIn(after).map(({ id }) => id));
        const faults = read.flow === null ? [] : checkFlow(after, AGENT).faults;
        expect(faults.filter(({ node }) => node !== null && !ids.has(node))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(valid).toBeGreaterThan(0);
  });

  it('are undone and done again without a trace', () => {
    assert(
      property(documents, array(edits, { maxLength: 20 }), boolean(), (before, list, isMarked) => {
        const states = [before];
        let history = startHistory(before);
        for (const edit of list) {
          const next = editFlow(history.now, edit);
          // Changes with different marks do not merge.
          history = record(history, next, isMarked ? `${states.length}` : null);
          if (next !== states.at(-1)) states.push(next);
        }
        const last = history.now;
        for (const state of states.toReversed()) {
          expect(history.now).toBe(state);
          history = undo(history);
        }
        expect(history.now).toBe(before);
        for (const state of states) {
          expect(history.now).toBe(state);
          history = redo(history);
        }
        expect(history.now).toBe(last);
      }),
    );
  });

  it('keep the number of steps and edges, but for those that add or delete some', () => {
    const counts = (flow: FlowDocument) => {
      const steps = stepsIn(flow);
      return { steps: steps.length, edges: steps.reduce((sum, { edges = [] }) => sum + edges.length, 0) };
    };
    const keeping = new Set<FlowEdit['does']>([
      'rename',
      'move',
      'retype',
      'set',
      'globalise',
      'start',
      'stuck',
      'variables',
      'set_edge',
      'move_edge',
    ]);
    assert(
      property(documents, edits, (before, edit) => {
        const [was, is] = [counts(before), counts(editFlow(before, edit))];
        const added = edit.does === 'add' ? 1 : 0;
        expect(keeping.has(edit.does) ? is : was).toEqual(was);
        expect(edit.does === 'delete' ? was.steps : is.steps).toBe(was.steps + added);
      }),
      { numRuns: 1_000 },
    );
  });

  it('select a row of the flow that they lead to', () => {
    assert(
      property(documents, edits, (before, edit) => {
        const row = rowAfter(before, edit);
        const steps = stepsIn(editFlow(before, edit));
        if (row === null || editFlow(before, edit) === before || steps.length === 0) return;
        const step = steps[row.step];
        expect(row.edge === null ? step : step?.edges?.[row.edge]).toBeDefined();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a new step', () => {
  const add = (flow: FlowDocument, kindOfStep: (typeof STEP_KINDS)[number], after: number | null) =>
    editFlow(flow, { does: 'add', kind: kindOfStep, after });

  it('begins the flow where no step does', () => {
    expect(add(EMPTY_FLOW, 'say', null)).toEqual({
      start: 'say_1',
      nodes: [{ id: 'say_1', type: 'say', text: '' }],
    });
  });

  it('goes between a step and the one that came next', () => {
    const flow = add(add(EMPTY_FLOW, 'say', null), 'end', 0);
    expect(add(flow, 'say', 0).nodes).toEqual([
      { id: 'say_1', type: 'say', text: '', edges: [{ to: 'say_2' }] },
      { id: 'say_2', type: 'say', text: '', edges: [{ to: 'end_1' }] },
      { id: 'end_1', type: 'end' },
    ]);
  });

  it('takes the first answer that has no edge', () => {
    const flow = add(add(add(EMPTY_FLOW, 'choose', null), 'end', 0), 'end', 0);
    expect(flow.nodes[0]?.edges).toEqual([
      { to: 'end_1', answer: 'yes' },
      { to: 'end_2', answer: 'no' },
    ]);
  });

  it('is where a transfer that failed goes on', () => {
    const flow = add(add(EMPTY_FLOW, 'transfer', null), 'end', 0);
    expect(flow.nodes[0]?.edges).toEqual([{ to: 'end_1', on: 'failed' }]);
  });
});

describe('a step', () => {
  const flow: FlowDocument = {
    start: 'day',
    stuck: 'bye',
    nodes: [
      { id: 'day', type: 'collect', variable: 'day', ask: 'When?', edges: [{ to: 'bye' }] },
      { id: 'help', type: 'talk', prompt: 'Help.', forget: ['bye'], edges: [{ to: 'day', when: 'books' }] },
      { id: 'bye', type: 'end', say: 'Goodbye.' },
    ],
  };

  it('is renamed with everything that names it', () => {
    expect(editFlow(flow, { does: 'rename', step: 2, id: 'end' })).toEqual({
      start: 'day',
      stuck: 'end',
      nodes: [
        { id: 'day', type: 'collect', variable: 'day', ask: 'When?', edges: [{ to: 'end' }] },
        { id: 'help', type: 'talk', prompt: 'Help.', forget: ['end'], edges: [{ to: 'day', when: 'books' }] },
        { id: 'end', type: 'end', say: 'Goodbye.' },
      ],
    });
    expect(editFlow(flow, { does: 'rename', step: 2, id: 'day' })).toBe(flow);
  });

  it('is renamed and deleted in the tasks of a talk', () => {
    const talk = { id: 'help', type: 'talk', prompt: 'Help.', tasks: ['day'] } as const;
    const [day] = flow.nodes;
    const asking: FlowDocument = { start: 'help', nodes: [talk, day!] };
    expect(editFlow(asking, { does: 'rename', step: 1, id: 'visit' }).nodes[0]).toEqual({
      ...talk,
      tasks: ['visit'],
    });
    expect(editFlow(asking, { does: 'delete', step: 1 }).nodes[0]).toEqual({ ...talk, tasks: [] });
  });

  it('is deleted with everything that names it', () => {
    expect(editFlow(flow, { does: 'delete', step: 2 })).toEqual({
      start: 'day',
      nodes: [
        { id: 'day', type: 'collect', variable: 'day', ask: 'When?' },
        { id: 'help', type: 'talk', prompt: 'Help.', forget: [], edges: [{ to: 'day', when: 'books' }] },
      ],
    });
    expect(editFlow(flow, { does: 'delete', step: 0 }).start).toBe('help');
  });

  it('keeps its words and edges as one of another kind', () => {
    expect(editFlow(flow, { does: 'retype', step: 0, kind: 'say' }).nodes[0]).toEqual({
      id: 'day',
      type: 'say',
      text: 'When?',
      edges: [{ to: 'bye' }],
    });
  });

  it('is reached from every question, and by edges alone again', () => {
    const global = editFlow(flow, { does: 'globalise', step: 2 });
    expect(global.global).toEqual([{ when: '', examples: [], id: 'bye', type: 'end', say: 'Goodbye.' }]);
    expect(editFlow(global, { does: 'globalise', step: 2 })).toEqual(flow);
  });
});
