import { array, assert, nat, property } from 'fast-check';
import { expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import type { FlowDocument } from './flow-document.ts';
import { layoutFlow, STEP_SIZE } from './graph-layout.ts';

const flowOf = (targets: readonly (readonly number[])[]): FlowDocument => ({
  start: 's0',
  nodes: targets.map((list, place) => ({
    id: `s${place}`,
    type: 'say',
    edges: list.map((to) => ({ to: `s${to}` })),
  })),
});

it('gives every step a place where no other stands, whatever leads where', () => {
  const graphs = array(array(nat({ max: 45 }), { maxLength: 4 }), { maxLength: 40 });
  assert(
    property(graphs, (targets) => {
      const points = layoutFlow(flowOf(targets));
      expect(points).toHaveLength(targets.length);
      for (const [at, a] of points.entries()) {
        for (const b of points.slice(at + 1)) {
          const isApart = Math.abs(a.x - b.x) >= STEP_SIZE.width || Math.abs(a.y - b.y) >= STEP_SIZE.height;
          expect(isApart).toBe(true);
        }
      }
    }),
  );
});

it('lets the edges of a graph without circles lead down', () => {
  const graphs = array(array(nat({ max: 40 }), { maxLength: 4 }), { maxLength: 40 });
  assert(
    property(graphs, (random) => {
      const targets = random.map((list, place) => list.filter((to) => to > place && to < random.length));
      const points = layoutFlow(flowOf(targets));
      for (const [place, list] of targets.entries()) {
        for (const to of list) expect(points[to]!.y).toBeGreaterThan(points[place]!.y);
      }
    }),
  );
});

it('puts the start of every template first', () => {
  for (const { flow } of FLOW_TEMPLATES) {
    const document = flow as unknown as FlowDocument;
    const start = document.nodes.findIndex(({ id }) => id === document.start);
    expect(layoutFlow(document)[start]?.y).toBe(0);
  }
});

it('puts the tasks of a talk below it, as its targets', () => {
  const points = layoutFlow({
    start: 'help',
    nodes: [
      { id: 'day', type: 'collect' },
      { id: 'help', type: 'talk', tasks: ['day', 'missing'], edges: [{ to: 'bye' }] },
      { id: 'bye', type: 'end' },
    ],
  });
  expect(points[0]!.y).toBeGreaterThan(points[1]!.y);
  expect(points[0]!.y).toBe(points[2]!.y);
});
