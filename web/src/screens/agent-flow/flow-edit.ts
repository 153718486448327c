import {
  answersIn,
  edgesIn,
  stepsIn,
  type Edge,
  type FlowDocument,
  type Step,
  type StepKind,
  type Variable,
} from './flow-document.ts';

/** One change of a flow. `step` and `edge` are places: a step's among all steps, an edge's in its step. */
export type FlowEdit =
  | { readonly does: 'add'; readonly kind: StepKind; readonly after: number | null }
  | { readonly does: 'rename'; readonly step: number; readonly id: string }
  | { readonly does: 'delete'; readonly step: number }
  | { readonly does: 'move'; readonly step: number; readonly by: 1 | -1 }
  | { readonly does: 'retype'; readonly step: number; readonly kind: StepKind }
  | { readonly does: 'set'; readonly step: number; readonly field: string; readonly value: unknown }
  | { readonly does: 'globalise'; readonly step: number }
  | { readonly does: 'start'; readonly step: number }
  | { readonly does: 'stuck'; readonly id: string | null }
  | { readonly does: 'variables'; readonly variables: readonly Variable[] }
  | { readonly does: 'add_edge'; readonly step: number; readonly to: string }
  | { readonly does: 'set_edge'; readonly step: number; readonly edge: number; readonly value: Edge }
  | { readonly does: 'delete_edge'; readonly step: number; readonly edge: number }
  | { readonly does: 'move_edge'; readonly step: number; readonly edge: number; readonly by: 1 | -1 };

export const EMPTY_FLOW: FlowDocument = { start: '', nodes: [] };

/** The fields that a new step of a kind begins with. */
const BLANK: Readonly<Record<StepKind, Readonly<Record<string, unknown>>>> = {
  talk: { prompt: '' },
  say: { text: '' },
  collect: { variable: '', ask: '' },
  choose: { ask: '', answers: [{ name: 'yes' }, { name: 'no' }] },
  tool: { tool: '' },
  set: { set: {} },
  transfer: { tool: '' },
  handoff: { agent_id: '' },
  end: {},
};
/** Fields that hold the words of a step, by kind. */
const WORDS: Readonly<Record<StepKind, string | null>> = {
  talk: 'prompt',
  say: 'text',
  collect: 'ask',
  choose: 'ask',
  tool: null,
  set: null,
  transfer: 'say',
  handoff: 'say',
  end: 'say',
};

/** The flow after the change; the same object where the change does not apply, as with a place that has no step. */
export function editFlow(flow: FlowDocument, edit: FlowEdit): FlowDocument {
  switch (edit.does) {
    case 'add':
      return addStep(flow, edit.kind, edit.after);
    case 'rename':
      return renameStep(flow, edit.step, edit.id);
    case 'delete':
      return deleteStep(flow, edit.step);
    case 'move':
      return moveStep(flow, edit.step, edit.by);
    case 'retype':
      return changeStep(flow, edit.step, (step) => retyped(step, edit.kind));
    case 'set':
      return changeStep(flow, edit.step, (step) => withField(step, edit.field, edit.value));
    case 'globalise':
      return globaliseStep(flow, edit.step);
    case 'start': {
      const id = stepsIn(flow)[edit.step]?.id;
      return id === undefined || id === flow.start ? flow : { ...flow, start: id };
    }
    case 'stuck': {
      const { stuck: _, ...rest } = flow;
      return edit.id === null ? rest : { ...flow, stuck: edit.id };
    }
    case 'variables': {
      const { variables: _, ...rest } = flow;
      return edit.variables.length === 0 ? rest : { ...flow, variables: edit.variables };
    }
    case 'add_edge':
      return changeEdges(flow, edit.step, (edges) => [...edges, { to: edit.to }]);
    case 'set_edge':
      return changeEdges(flow, edit.step, (edges) =>
        edges[edit.edge] === undefined ? edges : edges.with(edit.edge, edit.value),
      );
    case 'delete_edge':
      return changeEdges(flow, edit.step, (edges) =>
        edges[edit.edge] === undefined ? edges : edges.toSpliced(edit.edge, 1),
      );
    case 'move_edge':
  }
  return changeEdges(flow, edit.step, (edges) => swapped(edges, edit.edge, edit.by));
}

/** Both lists of steps changed at once. */
function withSteps(flow: FlowDocument, nodes: readonly Step[], global: readonly Step[]): FlowDocument {
  const { global: _, ...rest } = flow;
  return global.length === 0 ? { ...rest, nodes } : { ...rest, nodes, global };
}

function changeStep(flow: FlowDocument, place: number, change: (step: Step) => Step): FlowDocument {
  const steps = stepsIn(flow);
  const step = steps[place];
  const changed = step === undefined ? undefined : change(step);
  if (changed === undefined || changed === step) return flow;
  return splitAt(flow, steps.with(place, changed), flow.nodes.length);
}
const splitAt = (flow: FlowDocument, steps: readonly Step[], count: number): FlowDocument =>
  withSteps(flow, steps.slice(0, count), steps.slice(count));

const changeEdges = (
  flow: FlowDocument,
  place: number,
  change: (edges: readonly Edge[]) => readonly Edge[],
): FlowDocument =>
  changeStep(flow, place, (step) => {
    const before = edgesIn(step);
    const edges = change(before);
    return edges === before ? step : withEdges(step, edges);
  });
function withEdges(step: Step, edges: readonly Edge[]): Step {
  const { edges: _, ...rest } = step;
  return edges.length === 0 ? rest : { ...step, edges };
}

function withField(step: Step, field: string, value: unknown): Step {
  if (step[field] === value || field === 'id' || field === 'edges') return step;
  const { [field]: _, ...rest } = step;
  return value === undefined ? (rest as Step) : { ...step, [field]: value };
}

function swapped<T>(list: readonly T[], at: number, by: 1 | -1): readonly T[] {
  const [here, there] = [list[at], list[at + by]];
  return here === undefined || there === undefined ? list : list.with(at, there).with(at + by, here);
}

/** A new step behind another, with an edge to it where the other has none for what comes next. */
function addStep(flow: FlowDocument, kind: StepKind, after: number | null): FlowDocument {
  const steps = stepsIn(flow);
  const source = after === null ? undefined : steps[after];
  const id = freeId(steps, kind);
  const link = source === undefined ? null : linkTo(source, id, kind);
  const carried = link?.carried ?? null;
  const added: Step = { id, type: kind, ...BLANK[kind], ...(carried === null ? {} : { edges: [carried] }) };
  const at = Math.min(
    after === null || source === undefined ? flow.nodes.length : after + 1,
    flow.nodes.length,
  );
  const linked = link === null ? steps : steps.map((step) => (step === source ? link.source : step));
  const start = steps.some((step) => step.id === flow.start) ? flow.start : id;
  return splitAt({ ...flow, start }, linked.toSpliced(at, 0, added), flow.nodes.length + 1);
}

/** The first name that no step has: `say_1`, `say_2`, … */
function freeId(steps: readonly Step[], kind: StepKind): string {
  const taken = new Set(steps.map(({ id }) => id));
  let count = 1;
  while (taken.has(`${kind}_${count}`)) count += 1;
  return `${kind}_${count}`;
}

const isDefault = (edge: Edge): boolean =>
  ['if', 'on', 'answer', 'when'].every((condition) => edge[condition] === undefined);

/** The source with an edge to the new step; `carried`: the edge that the new step takes over from it. */
function linkTo(
  source: Step,
  to: string,
  kind: StepKind,
): { readonly source: Step; readonly carried: Edge | null } | null {
  const edges = edgesIn(source);
  const linked = (list: readonly Edge[], carried: Edge | null = null) => ({
    source: withEdges(source, list),
    carried,
  });
  if (source.type === 'end') return null;
  if (source.type === 'transfer' || source.type === 'handoff')
    return edges.some(({ on }) => on === 'failed') ? null : linked([...edges, { to, on: 'failed' }]);
  const at = edges.findIndex(isDefault);
  const answer = answersIn(source).find((name) => !edges.some((edge) => edge['answer'] === name));
  if (answer !== undefined) return linked(edges.toSpliced(at === -1 ? edges.length : at, 0, { to, answer }));
  if (at === -1) return answersIn(source).length > 0 ? null : linked([...edges, { to }]);
  const goesOn = kind !== 'end' && kind !== 'transfer' && kind !== 'handoff';
  return goesOn ? linked(edges.with(at, { ...edges[at], to }), { to: edges[at]!.to }) : null;
}

/** The flow with every mention of a step by its id changed; null removes the mention. */
function withMentions(flow: FlowDocument, of: string, id: string | null): FlowDocument {
  const renamed = (forget: unknown): readonly unknown[] =>
    (Array.isArray(forget) ? forget : []).flatMap((name) => (name !== of ? [name] : id === null ? [] : [id]));
  const forgets = <T extends Readonly<Record<string, unknown>>>(item: T): T =>
    ['forget', 'tasks'].reduce<T>((changed, key) => {
      const names = changed[key];
      return Array.isArray(names) && names.includes(of) ? { ...changed, [key]: renamed(names) } : changed;
    }, item);
  const steps = stepsIn(flow).map((step) => {
    const edges = edgesIn(step)
      .filter(({ to }) => id !== null || to !== of)
      .map((edge) => forgets(edge.to === of && id !== null ? { ...edge, to: id } : edge));
    const isSame =
      edges.length === edgesIn(step).length && edges.every((edge, at) => edge === step.edges?.[at]);
    return forgets(isSame ? step : withEdges(step, edges));
  });
  const { stuck, ...rest } = splitAt(flow, steps, flow.nodes.length);
  const mentioned = stuck === of ? id : (stuck ?? null);
  const start = rest.start === of ? (id ?? '') : rest.start;
  return { ...rest, start, ...(mentioned === null ? {} : { stuck: mentioned }) };
}

/** Edges and other mentions follow the new name. An empty or taken name changes nothing. */
function renameStep(flow: FlowDocument, place: number, id: string): FlowDocument {
  const steps = stepsIn(flow);
  const step = steps[place];
  if (step === undefined || id === '' || steps.some((each) => each.id === id)) return flow;
  const renamed = splitAt(flow, steps.with(place, { ...step, id }), flow.nodes.length);
  // While two steps have one name, the first keeps what leads to it.
  return steps.some((each) => each !== step && each.id === step.id)
    ? renamed
    : withMentions(renamed, step.id, id);
}

/** Edges to the step go with it; the first step left becomes the start. */
function deleteStep(flow: FlowDocument, place: number): FlowDocument {
  const steps = stepsIn(flow);
  const step = steps[place];
  if (step === undefined) return flow;
  const count = flow.nodes.length - (place < flow.nodes.length ? 1 : 0);
  const rest = splitAt(flow, steps.toSpliced(place, 1), count);
  if (stepsIn(rest).some(({ id }) => id === step.id)) return rest;
  const left = withMentions(rest, step.id, null);
  return left.start === '' ? { ...left, start: left.nodes[0]?.id ?? '' } : left;
}

/** Steps move within their list: the global ones stay behind the others. */
function moveStep(flow: FlowDocument, place: number, by: 1 | -1): FlowDocument {
  const count = flow.nodes.length;
  if (place < count !== place + by < count) return flow;
  const steps = stepsIn(flow);
  const moved = swapped(steps, place, by);
  return moved === steps ? flow : splitAt(flow, moved, count);
}

/** A step that callers reach from everywhere becomes one of the others, or the other way round. */
function globaliseStep(flow: FlowDocument, place: number): FlowDocument {
  const step = stepsIn(flow)[place];
  if (step === undefined) return flow;
  const global = flow.global ?? [];
  if (place < flow.nodes.length) {
    const reached: Step = { when: '', examples: [], ...step };
    return withSteps(flow, flow.nodes.toSpliced(place, 1), [...global, reached]);
  }
  const { when: _when, examples: _examples, back: _back, ...plain } = step;
  return withSteps(flow, [...flow.nodes, plain], global.toSpliced(place - flow.nodes.length, 1));
}

/** The step as one of another kind: its words, edges and way in from everywhere stay. */
function retyped(step: Step, kind: StepKind): Step {
  if (step.type === kind) return step;
  const from = WORDS[step.type as StepKind] ?? null;
  const words = from === null ? undefined : step[from];
  const { id, edges, when, examples, back } = step;
  const kept = Object.entries({ when, examples, back }).filter(([, value]) => value !== undefined);
  return {
    id,
    type: kind,
    ...BLANK[kind],
    ...(WORDS[kind] === null || typeof words !== 'string' || words === '' ? {} : { [WORDS[kind]]: words }),
    ...Object.fromEntries(kept),
    ...(edges === undefined ? {} : { edges }),
  };
}
