import { edgesIn, stepsIn, tasksIn, type FlowDocument, type Step } from './flow-document.ts';

/** Pixels of a step in the graph, and from the corner of one to the next. */
export const STEP_SIZE = { width: 200, height: 72 } as const;
const ACROSS = STEP_SIZE.width + 60;
const DOWN = STEP_SIZE.height + 68;
const SWEEPS = 4;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The place of each step by its id; of the first, where several have one. */
export const placesById = (steps: readonly Step[]): ReadonlyMap<string, number> =>
  new Map([...steps.entries()].toReversed().map(([place, { id }]) => [id, place]));

/** The targets and tasks of each step by place, without missing ones. */
function targetsOf(flow: FlowDocument): readonly (readonly number[])[] {
  const steps = stepsIn(flow);
  const places = placesById(steps);
  return steps.map((step) => {
    const led = [...edgesIn(step).map(({ to }) => to), ...tasksIn(step)];
    return [...new Set(led.flatMap((id) => places.get(id) ?? []))];
  });
}

/** The targets without the edges that close a circle, and an order in which each step comes before its targets. */
function withoutCircles(
  targets: readonly (readonly number[])[],
  roots: readonly number[],
): { readonly forward: readonly (readonly number[])[]; readonly order: readonly number[] } {
  const forward: number[][] = targets.map(() => []);
  const state = new Map<number, 'open' | 'done'>();
  const order: number[] = [];
  for (const root of roots) {
    if (state.has(root)) continue;
    state.set(root, 'open');
    const path = [{ place: root, next: 0 }];
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const target = targets[here.place]?.[here.next];
      here.next += 1;
      if (target === undefined) {
        state.set(here.place, 'done');
        order.push(here.place);
        path.pop();
      } else if (state.get(target) !== 'open') {
        forward[here.place]?.push(target);
        if (!state.has(target)) {
          state.set(target, 'open');
          path.push({ place: target, next: 0 });
        }
      }
    }
  }
  return { forward, order: order.toReversed() };
}

/**
 * Where each step stands, by place: layers from the start downwards, so that edges lead down unless they close a circle.
 * The order in a layer keeps steps near those that lead to them.
 */
export function layoutFlow(flow: FlowDocument): readonly Point[] {
  const steps = stepsIn(flow);
  const start = steps.findIndex(({ id }) => id === flow.start);
  const roots = [...(start === -1 ? [] : [start]), ...steps.keys()];
  const { forward, order } = withoutCircles(targetsOf(flow), roots);
  const depth = steps.map(() => 0);
  for (const place of order) {
    for (const target of forward[place] ?? []) {
      depth[target] = Math.max(depth[target] ?? 0, (depth[place] ?? 0) + 1);
    }
  }
  const layers: number[][] = [];
  for (const place of order) (layers[depth[place] ?? 0] ??= []).push(place);
  const sources: number[][] = steps.map(() => []);
  for (const [place, list] of forward.entries()) for (const target of list) sources[target]?.push(place);
  sortLayers(layers, sources, forward);
  const points: Point[] = steps.map(() => ({ x: 0, y: 0 }));
  for (const [at, layer] of layers.entries()) {
    for (const [index, place] of layer.entries()) {
      points[place] = { x: (index - (layer.length - 1) / 2) * ACROSS, y: at * DOWN };
    }
  }
  return points;
}

/** Sorts each layer by the mean position of the neighbours above, then of those below, a few times. */
function sortLayers(
  layers: number[][],
  sources: readonly (readonly number[])[],
  targets: readonly (readonly number[])[],
): void {
  const position = new Map<number, number>();
  const keep = (layer: readonly number[]): void => {
    for (const [index, place] of layer.entries()) position.set(place, index - (layer.length - 1) / 2);
  };
  for (const layer of layers) keep(layer);
  const sort = (layer: number[], neighbours: readonly (readonly number[])[]): void => {
    const mean = (place: number): number => {
      const near = neighbours[place] ?? [];
      const own = position.get(place) ?? 0;
      return near.length === 0
        ? own
        : near.reduce((sum, each) => sum + (position.get(each) ?? 0), 0) / near.length;
    };
    const means = new Map(layer.map((place) => [place, mean(place)]));
    layer.sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0));
    keep(layer);
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    if (sweep % 2 === 0) for (const layer of layers) sort(layer, sources);
    else for (const layer of layers.toReversed()) sort(layer, targets);
  }
}
