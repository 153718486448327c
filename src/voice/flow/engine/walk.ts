import type { CallerLine } from '@callwright/language';
import {
  captureOf,
  edgesOf,
  linesOf,
  type CaptureKind,
  type FlowEdge,
  type FlowNode,
  type HandoffNode,
  type TalkNode,
  type ToolNode,
} from '../document.ts';
import type { Value } from '../expression.ts';
import type { Captured } from '../capture/capture.ts';
import type { Draft } from './draft.ts';
import { forExpressions } from './program.ts';
import { edgeMeant, exemplified, mayMean, talk } from './talk.ts';
import { ask, earlyAnswer, type Question } from './question.ts';
import { STEP_LIMITS, type Meant } from './state.ts';
import { nextTask, startTask, talkOf } from './tasks.ts';

/** How a node ended. */
export type Outcome =
  | { readonly type: 'done'; readonly answer?: string }
  | { readonly type: 'failed' }
  | { readonly type: 'refused' }
  | { readonly type: 'turns' }
  | { readonly type: 'silence' }
  | { readonly type: 'back' };

/** What a walk knows of the moment: `early` is what the caller said before the next question. */
export interface Walk {
  readonly at: number;
  readonly hears: boolean;
  readonly early: CallerLine | null;
  /** These words have taken an edge of a talk, and take no other one. */
  readonly isJudged: boolean;
  /** The way that the caller's words mean, by a model of meanings. */
  readonly meant: Meant | null;
}

/** Enters nodes from `id` on until the caller has the floor, a tool runs, or the conversation is over. */
export function enter(draft: Draft, id: string, walk: Walk): void {
  let next: string | null = id;
  let { early, isJudged } = walk;
  while (next !== null) {
    const node = draft.program.nodes.get(next);
    if (node === undefined) {
      next = stuck(draft, next);
      continue;
    }
    const isQuestion: boolean = node.type === 'collect' || node.type === 'choose';
    next = pass(draft, node, { ...walk, early, isJudged });
    if (isQuestion) early = null;
    isJudged ||= node.type === 'talk';
  }
}

/** Leaves a node by its edges, and walks on. */
export function leave(draft: Draft, node: FlowNode, outcome: Outcome, walk: Walk): void {
  const next = follow(draft, node, outcome);
  if (next !== null) enter(draft, next, walk);
}

/** Runs one node; the next one, or null where the walk ends. */
function pass(draft: Draft, node: FlowNode, walk: Walk): string | null {
  switch (node.type) {
    case 'talk':
      return lead(draft, node, walk);
    case 'say':
      draft.speak(node.text);
      return follow(draft, node, { type: 'done' });
    case 'set':
      for (const [name, source] of Object.entries(node.set)) {
        const values = forExpressions(draft.program, draft.state.values);
        draft.set(name, draft.program.expressions.evaluate(source, values));
      }
      return follow(draft, node, { type: 'done' });
    case 'collect':
    case 'choose':
      return question(draft, node, walk);
    case 'tool':
      return useTool(draft, node, argumentsOf(draft, node));
    case 'transfer':
      if (draft.program.tools.has(node.tool)) draft.speak(node.say);
      return useTool(draft, node, {});
    case 'handoff':
      return handOver(draft, node);
    case 'end':
      break;
  }
  if (node.say !== undefined) draft.speak(node.say);
  else if (!draft.program.givesBack) draft.say(draft.program.wording.goodbye);
  finish(draft, node.id);
  return null;
}

/** The model leads, unless what the caller said already takes an edge by its examples. */
function lead(draft: Draft, node: TalkNode, { early, isJudged, meant }: Walk): string | null {
  draft.change({ at: node.id, tries: 0, verifying: null });
  if (early !== null && !isJudged) {
    const said = exemplified(draft, node, early);
    const edge = said ?? edgeMeant(node, meant);
    const alike = said === undefined ? meant?.alike : undefined;
    if (edge !== undefined) return isSpent(draft) ? stuck(draft, node.id) : take(draft, node, edge, alike);
    if (mayMean(draft, early)) draft.unsure = node.id;
  }
  if (draft.isTaskDone) {
    draft.isTaskDone = false;
    const sure = edgesOf(node).find((each) => each.if !== undefined && fits(draft, each, { type: 'done' }));
    const task = nextTask(draft, node);
    if (isSpent(draft)) return stuck(draft, node.id);
    if (sure !== undefined) return take(draft, node, sure);
    if (task !== undefined) return startTask(draft, node, task);
  }
  talk(draft, node);
  return null;
}

/** Ends the conversation after what has been said. */
export function finish(draft: Draft, at: string | null, isByCaller = false): void {
  draft.effects.push({ type: 'end', ...(isByCaller ? { isByCaller } : {}) });
  draft.change({ at, isOver: true, verifying: null, back: [] });
}

function question(draft: Draft, node: Question, { at, hears, early }: Walk): string | null {
  draft.change({ at: node.id, tries: 0, verifying: null });
  const { program } = draft;
  const isHidden = node.type === 'collect' && program.variables.get(node.variable)?.sensitive === true;
  if (isHidden && !program.hidesKeys) return follow(draft, node, { type: 'failed' });
  const moment = { now: at, zone: program.zone };
  const known: Captured = early === null ? { type: 'nothing' } : earlyAnswer(draft, node, early, moment);
  if (known.type === 'value' && early !== null) {
    if (!needsReadBack(draft, node, early, hears)) return follow(draft, node, keep(draft, node, known.value));
    draft.change({ verifying: { value: known.value, spoken: known.spoken, said: early.text } });
  }
  ask(draft, node, hears);
  return null;
}

/** Kinds that are not read back: what was heard shows in what follows. */
const UNHEARD: ReadonlySet<CaptureKind> = new Set(['yes_no', 'consent', 'choice', 'free']);

export function needsReadBack(draft: Draft, node: Question, line: CallerLine, hears: boolean): boolean {
  if (node.type === 'choose' || line.by !== 'speech' || !hears) return false;
  return !UNHEARD.has(captureOf(node, draft.program.variables.get(node.variable)));
}

/** Keeps the answer to a question. */
export function keep(draft: Draft, node: Question, value: Value): Outcome {
  if (node.type === 'choose') return { type: 'done', answer: String(value) };
  draft.set(node.variable, value);
  return { type: 'done' };
}

function argumentsOf(draft: Draft, node: ToolNode): Record<string, Value> {
  const { program, state } = draft;
  const values = forExpressions(program, state.values);
  const parameters = program.tools.get(node.tool) ?? {};
  const args: Record<string, Value> = {};
  for (const [name, type] of Object.entries(parameters)) {
    const source = node.arguments?.[name];
    const value = source === undefined ? values[name] : program.expressions.evaluate(source, values);
    if (value === undefined || value === null || value === '') continue;
    args[name] = ofType(type, value);
  }
  return args;
}

function ofType(type: string, value: Value): Value {
  if (type === 'integer' && typeof value === 'number') return Math.trunc(value);
  if ((type === 'integer' || type === 'number') && Number.isFinite(Number(value))) return Number(value);
  return type === 'string' ? String(value) : value;
}

function useTool(
  draft: Draft,
  node: FlowNode & { tool: string },
  args: Record<string, Value>,
): string | null {
  const { tools } = draft.state;
  if (!draft.program.tools.has(node.tool) || tools >= STEP_LIMITS.tools)
    return follow(draft, node, { type: 'failed' });
  draft.effects.push({ type: 'tool', name: node.tool, args });
  draft.change({ at: node.id, tools: tools + 1, tries: 0, verifying: null });
  return null;
}

function handOver(draft: Draft, node: HandoffNode): string | null {
  const { program, state } = draft;
  if (!program.handsOver || state.tools >= STEP_LIMITS.tools) return follow(draft, node, { type: 'failed' });
  draft.speak(node.say);
  const passed = (node.pass ?? []).flatMap((name) => {
    const value = program.variables.get(name)?.sensitive === true ? undefined : state.values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  draft.effects.push({
    type: 'hand_over',
    agentId: node.agent_id.toLowerCase(),
    earlier: linesOf(node.context),
    isSummary: node.context === 'summary',
    isSilent: node.silent === true,
    comesBack: node.back === true,
    forget: node.forget ?? [],
    values: Object.fromEntries(passed),
  });
  draft.change({ at: node.id, tools: state.tools + 1, tries: 0, verifying: null });
  return null;
}

/** Takes the edge that fits an outcome; the next node, or null where the conversation is over. */
function follow(draft: Draft, node: FlowNode, outcome: Outcome): string | null {
  const { state } = draft;
  if (isSpent(draft)) return stuck(draft, node.id);
  const edge = edgesOf(node).find((each) => fits(draft, each, outcome));
  const talk = talkOf(draft, node);
  if (edge !== undefined) {
    if (talk !== undefined) draft.change({ back: state.back.slice(0, -1) });
    return take(draft, node, edge);
  }
  draft.isTaskDone = talk !== undefined;
  const back = talk ?? ('back' in node && node.back ? state.back.at(-1) : undefined);
  if (back === undefined) return stuck(draft, node.id);
  draft.change({ back: state.back.slice(0, -1) });
  draft.moved(node.id, back, 'back');
  return back;
}

/** Whether the transitions without a word, or those of the conversation, are used up. */
export const isSpent = ({ silent, state }: Draft): boolean =>
  silent >= STEP_LIMITS.silent || state.moves >= STEP_LIMITS.moves;

/** Goes along an edge; its target. `alike`: a model of meanings chose it. */
function take(draft: Draft, node: FlowNode, edge: FlowEdge, alike?: number): string {
  const { to, context, forget } = edge;
  draft.moved(node.id, to, edge.if ?? edge.answer ?? edge.on ?? edge.when ?? 'default', alike);
  const isOwn = context === undefined && forget === undefined;
  draft.change({ reads: isOwn ? null : { to, ...(context && { context }), ...(forget && { forget }) } });
  draft.speak(edge.say);
  return edge.to;
}

/** Leaves a node by one of its edges, and walks on. */
export function leaveBy(draft: Draft, node: FlowNode, edge: FlowEdge, walk: Walk, alike?: number): void {
  if (isSpent(draft)) leave(draft, node, { type: 'failed' }, walk);
  else enter(draft, take(draft, node, edge, alike), walk);
}

export function fits(draft: Draft, { if: condition, on, answer, when }: FlowEdge, outcome: Outcome): boolean {
  if (outcome.type !== 'done') return on === outcome.type;
  if (when !== undefined) return false;
  if (on !== undefined) return on === 'ok';
  if (answer !== undefined) return answer === outcome.answer;
  if (condition === undefined) return true;
  const values = forExpressions(draft.program, draft.state.values);
  return draft.program.expressions.evaluate(condition, values) === true;
}

/** No edge fits, or a limit is reached: goes on at `stuck`, or says that there is a problem and ends. */
function stuck(draft: Draft, from: string): string | null {
  const { program, state } = draft;
  const to = program.flow.stuck;
  if (to !== undefined && program.nodes.has(to) && state.stucks < STEP_LIMITS.stucks) {
    draft.change({ stucks: state.stucks + 1, back: [] });
    draft.moved(from, to, 'stuck');
    return to;
  }
  draft.say(program.wording.table.conversation.phrases.technicalGoodbye);
  finish(draft, from);
  return null;
}
