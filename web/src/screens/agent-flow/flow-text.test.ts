import { assert, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import { flowText, readFlowText, stepsOf } from './flow-text.ts';

it('reads back the flow that it wrote', () => {
  for (const { flow } of FLOW_TEMPLATES) {
    expect(readFlowText(flowText(flow))).toEqual({ flow, problem: undefined });
  }
});

it('reads an empty text as no flow, and names a text that is no JSON', () => {
  expect(flowText(null)).toBe('');
  expect(readFlowText(' \n')).toEqual({ flow: null, problem: undefined });
  expect(readFlowText('{"start":').problem).toMatch(/^The flow is no JSON: /);
});

it('lists the steps with their words and ways', () => {
  const flow = {
    nodes: [
      { id: 'day', type: 'collect', ask: 'When?', edges: [{ to: 'bye', on: 'failed' }, { to: 'end' }] },
    ],
    global: [{ id: 'human', type: 'transfer', when: 'The caller wants a person' }],
  };
  expect(stepsOf(flow)).toEqual([
    {
      id: 'day',
      kind: 'collect',
      words: 'When?',
      when: null,
      ways: ['failed → bye', 'otherwise → end'],
    },
    { id: 'human', kind: 'transfer', words: null, when: 'The caller wants a person', ways: [] },
  ]);
});

it('gives a step for each node, whatever JSON the nodes are', () => {
  assert(
    property(jsonValue(), (value) => {
      const nodes = [{ edges: value, id: value, ask: value }];
      expect(stepsOf({ nodes, global: value })).toHaveLength(
        1 + (Array.isArray(value) ? stepsOf({ nodes: value }).length : 0),
      );
      expect(stepsOf(value)).toBeInstanceOf(Array);
    }),
  );
});
