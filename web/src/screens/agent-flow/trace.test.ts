import { expect, it } from 'vitest';
import type { FlowDocument } from './flow-document.ts';
import { countOf, edgeOf, endsAt, reached } from './trace.ts';

const flow: FlowDocument = {
  start: 'day',
  nodes: [
    {
      id: 'day',
      type: 'collect',
      edges: [{ to: 'late', if: 'day > x' }, { to: 'bye' }, { to: 'bye', on: 'failed' }],
    },
    { id: 'late', type: 'end' },
    { id: 'bye', type: 'end' },
  ],
};
const counts = {
  calls: 9,
  edges: [
    { from: 'day', to: 'bye', by: 'default', count: 5 },
    { from: 'day', to: 'bye', by: 'failed', count: 3 },
    { from: 'day', to: 'late', by: 'day > x', count: 1 },
  ],
  ends: [{ node: 'bye', count: 8 }],
};

it('gives each edge the calls that took it', () => {
  expect(flow.nodes[0]?.edges?.map((edge) => countOf(counts, 'day', edge))).toEqual([1, 5, 3]);
  expect(countOf(counts, 'late', { to: 'bye' })).toBe(0);
  expect([endsAt(counts, 'bye'), endsAt(counts, 'day')]).toEqual([8, 0]);
});

it('follows a conversation to the last step of this flow', () => {
  expect(reached(flow, [])).toBe('day');
  const moves = [
    { from: 'day', to: 'bye', by: 'default' },
    { from: 'other', to: 'elsewhere', by: 'default' },
  ];
  expect(reached(flow, moves)).toBe('bye');
  expect(reached({ start: '', nodes: [] }, moves)).toBeNull();
});

it('finds the edge of a move', () => {
  expect(edgeOf(flow, { from: 'day', to: 'bye', by: 'failed' })).toEqual({ step: 0, edge: 2 });
  expect(edgeOf(flow, { from: 'day', to: 'bye', by: 'global' })).toBeNull();
});
