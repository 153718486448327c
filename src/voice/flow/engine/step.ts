import { asideIn, intentOf, normal, type CallerLine } from '@callwright/language';
import {
  edgesOf,
  leavesFlow,
  tasksOf,
  type CaptureKind,
  type FlowNode,
  type GlobalNode,
  type TalkNode,
} from '../document.ts';
import type { Captured } from '../capture/capture.ts';
import { Draft } from './draft.ts';
import { firstValues, wantedOf, type FlowProgram } from './program.ts';
import { answerIn, ask, confirmation, expect, mended, type Question } from './question.ts';
import { STEP_LIMITS, type FlowEffect, type FlowEvent, type FlowState } from './state.ts';
import { edgeMeant, exemplified, isSaid, mayMean, talk } from './talk.ts';
import { nextTask, startTask } from './tasks.ts';
import { enter, finish, fits, isSpent, keep, leave, leaveBy, needsReadBack, type Walk } from './walk.ts';

/** Questions of a node that does not say how many. */
const TRIES = 3;

/**
 * One step of a flow: what happened in, the new state and what the agent does out. Pure, and total for any state of a flow.
 * `unsure`: the node at which the caller's words took no way that their meaning (`meant`) could take; null: none.
 */
export function step(
  program: FlowProgram,
  before: FlowState,
  event: FlowEvent,
): { readonly state: FlowState; readonly effects: readonly FlowEffect[]; readonly unsure: string | null } {
  const draft = new Draft(program, before);
  const meant = event.type === 'start' || event.type === 'caller' ? (event.meant ?? null) : null;
  const walk: Walk = { at: event.at, hears: event.hears, early: null, isJudged: false, meant };
  if (before.at === null) start(draft, event, walk);
  else if (before.isOver) after(draft, event);
  else happen(draft, before.at, event, walk);
  return { state: draft.state, effects: draft.effects, unsure: draft.unsure };
}

function start(draft: Draft, event: FlowEvent, walk: Walk): void {
  const line = event.type === 'start' || event.type === 'caller' ? event.line : null;
  draft.change({ values: firstValues(draft.program) });
  for (const [name, value] of Object.entries(event.variables)) draft.set(name, value);
  if (line !== null && optsOut(draft, line)) return;
  enter(draft, draft.program.flow.start, { ...walk, early: line });
}

/** The caller goes on after the goodbye. */
function after(draft: Draft, event: FlowEvent): void {
  if (event.type === 'caller' && optsOut(draft, event.line)) return;
  draft.say(draft.program.wording.goodbye);
  finish(draft, draft.state.at);
}

function happen(draft: Draft, at: string, event: FlowEvent, walk: Walk): void {
  const node = draft.program.nodes.get(at);
  if (node === undefined) return enter(draft, at, walk);
  for (const [name, value] of Object.entries(event.variables)) draft.set(name, value);
  if (event.type === 'caller') {
    if (optsOut(draft, event.line)) return;
    draft.change({ tools: 0, silences: 0 });
  }
  if (event.type === 'unclear') draft.change({ silences: 0 });
  if (event.type === 'silence' && answersSilence(draft.program, draft.state)) {
    draft.change({ silences: draft.state.silences + 1 });
    return leave(draft, node, { type: 'silence' }, walk);
  }
  if (node.type === 'talk') return talkOn(draft, node, event, walk);
  if (node.type === 'collect' || node.type === 'choose') return reply(draft, node, event, walk);
  if (event.type !== 'tool') return draft.say(draft.program.wording.table.conversation.phrases.oneMoment);
  if (event.isBack === true) return leave(draft, node, { type: 'back' }, walk);
  // The other side has the conversation.
  if (leavesFlow(node) && event.isOk) return finish(draft, node.id);
  leave(draft, node, { type: event.isOk ? 'done' : 'failed' }, walk);
}

/** Whether a silence of the caller takes an edge. After some in a row it does not, so that the call may end. */
export function answersSilence({ nodes }: FlowProgram, { at, isOver, silences }: FlowState): boolean {
  const node = isOver || at === null ? undefined : nodes.get(at);
  return (
    node !== undefined && silences < STEP_LIMITS.silences && edgesOf(node).some(({ on }) => on === 'silence')
  );
}

/** More agents than these are not prepared ahead. */
const MOST_NEXT = 3;

/** The agents to which an edge of the present node leads; none where it leads to many. */
export function agentsAhead({ nodes }: FlowProgram, { at, isOver }: FlowState): readonly string[] {
  const node = isOver || at === null ? undefined : nodes.get(at);
  const next = (node === undefined ? [] : edgesOf(node)).flatMap(({ to }) => {
    const target = nodes.get(to);
    return target?.type === 'handoff' ? [target.agent_id.toLowerCase()] : [];
  });
  const agents = [...new Set(next)];
  return agents.length > MOST_NEXT ? [] : agents;
}

function reply(draft: Draft, node: Question, event: FlowEvent, walk: Walk): void {
  if (event.type === 'caller') answer(draft, node, event.line, walk);
  else if (event.type === 'unclear') missed(draft, node, walk);
  else ask(draft, node, walk.hears);
}

/** What happens while the model leads. */
function talkOn(draft: Draft, node: TalkNode, event: FlowEvent, walk: Walk): void {
  if (event.type === 'spoke') return spoke(draft, node, event, walk);
  const sure = edgesOf(node).find((edge) => edge.if !== undefined && fits(draft, edge, { type: 'done' }));
  if (sure !== undefined) return leaveBy(draft, node, sure, walk);
  if (event.type === 'caller') {
    const global = globalFor(draft, node, event.line);
    if (global !== null) return interrupt(draft, node, global, walk);
    const edge = exemplified(draft, node, event.line);
    const onward = { ...walk, early: event.line, isJudged: true };
    if (edge !== undefined) return leaveBy(draft, node, edge, onward);
    if (mayMean(draft, event.line)) {
      const means = edgeMeant(node, walk.meant);
      const other = globalMeant(draft, node, walk);
      if (means !== undefined) return leaveBy(draft, node, means, onward, walk.meant?.alike);
      if (other !== null) return interrupt(draft, node, other, walk, walk.meant?.alike);
      draft.unsure = node.id;
    }
    const task = nextTask(draft, node);
    if (task !== undefined) return begin(draft, node, task, { ...walk, early: event.line });
    const turns = draft.state.tries + 1;
    draft.change({ tries: turns });
    const isLimited = edgesOf(node).some(({ on }) => on === 'turns');
    if (isLimited && turns >= (node.turns ?? Infinity)) return leave(draft, node, { type: 'turns' }, walk);
  }
  talk(draft, node);
}

/** The model chose a target, has no more to say, or gave the caller the floor. */
function spoke(
  draft: Draft,
  node: TalkNode,
  { to, isOver, line }: Extract<FlowEvent, { type: 'spoke' }>,
  walk: Walk,
): void {
  const edge = edgesOf(node).find((each) => each.when !== undefined && each.to === to);
  const global = draft.program.global.find(({ id }) => id === to);
  if (edge !== undefined) return leaveBy(draft, node, edge, walk);
  if (global !== undefined) return interrupt(draft, node, global, walk);
  if (to !== null && tasksOf(node).includes(to))
    return begin(draft, node, to, { ...walk, early: line ?? null });
  if (!isOver) return;
  const onward = edgesOf(node).some((each) => fits(draft, each, { type: 'done' }));
  if (onward) leave(draft, node, { type: 'done' }, walk);
  else finish(draft, node.id);
}

/** Starts a task of a talk. `early` of the walk may have its value. */
function begin(draft: Draft, node: TalkNode, task: string, walk: Walk): void {
  if (isSpent(draft)) return leave(draft, node, { type: 'failed' }, walk);
  enter(draft, startTask(draft, node, task), walk);
}

/** The caller wants no more calls. */
function optsOut(draft: Draft, line: CallerLine): boolean {
  const { table, optOut } = draft.program.wording;
  if (line.by === 'keypad' || intentOf(line.text, table) !== 'stop_calling') return false;
  draft.say(optOut);
  draft.effects.push({ type: 'opt_out' });
  draft.change({ isOver: true, at: draft.state.at ?? draft.program.flow.start, verifying: null });
  return true;
}

function answer(draft: Draft, node: Question, line: CallerLine, walk: Walk): void {
  const global = globalFor(draft, node, line);
  if (global !== null) return interrupt(draft, node, global, walk);
  const { program, state } = draft;
  if (asksBack(draft, node, line)) return void aside(draft, node, line, walk);
  const moment = { now: walk.at, zone: program.zone };
  const found = mended(draft, node, line, moment) ?? answerIn(draft, node, line, moment);
  if (state.verifying !== null) return confirm(draft, node, line, found, walk);
  if (found.type === 'value') {
    if (needsReadBack(draft, node, line, walk.hears)) return verify(draft, node, found, line, walk);
    return leave(draft, node, keep(draft, node, found.value), {
      ...walk,
      early: partner(node, draft) ? line : null,
    });
  }
  if (found.type === 'refused' && node.type === 'collect')
    return leave(draft, node, { type: 'refused' }, walk);
  if (aside(draft, node, line, walk)) return;
  if (mayMean(draft, line)) {
    const other = globalMeant(draft, node, walk);
    if (other !== null) return interrupt(draft, node, other, walk, walk.meant?.alike);
    draft.unsure = node.id;
  }
  missed(draft, node, walk);
}

/** The answer to a read-back: yes, another value in place of the one read back, or no. */
function confirm(draft: Draft, node: Question, line: CallerLine, found: Captured, walk: Walk): void {
  const { value, said } = draft.state.verifying!;
  const confirmed = confirmation(draft, line);
  if (found.type === 'value' && found.value !== value && confirmed !== 'yes') {
    if (line.by !== 'keypad') return verify(draft, node, found, line, walk);
    if (confirmed === null) return leave(draft, node, keep(draft, node, found.value), walk);
  }
  if (confirmed === 'yes' || (found.type === 'value' && found.value === value)) {
    const early = partner(node, draft) ? ({ text: said, by: 'speech' } as const) : null;
    return leave(draft, node, keep(draft, node, value), { ...walk, early });
  }
  if (confirmed === 'no') draft.change({ verifying: null });
  missed(draft, node, walk);
}

/** Whether the whole line asks back, where the answer may be any words. */
function asksBack({ program }: Draft, node: Question, line: CallerLine): boolean {
  const isOpen = OPEN.has(wantedOf(program, node)!.kind);
  return isOpen && line.by !== 'keypad' && asideIn(line.text, program.wording.table) !== null;
}
/** Kinds whose value may be any words. */
const OPEN: ReadonlySet<CaptureKind> = new Set(['free', 'name', 'address']);

/** Whether words that name this value may name the next one too: a day and its time. */
function partner(node: Question, { program }: Draft): boolean {
  const { kind } = wantedOf(program, node)!;
  return kind === 'date' || kind === 'time';
}

/**
 * The caller greets, asks back or takes leave: no answer, and no failed one. Returns whether it was so.
 */
function aside(draft: Draft, node: Question, line: CallerLine, walk: Walk): boolean {
  const { wording, agentName } = draft.program;
  if (line.by === 'keypad') {
    if (!line.text.trim().endsWith('*')) return false;
    ask(draft, node, walk.hears);
    return true;
  }
  switch (asideIn(line.text, wording.table) ?? intentOf(line.text, wording.table)) {
    case 'robot':
      draft.say(wording.robot);
      break;
    case 'who':
      draft.say(wording.who.replace('{name}', () => agentName));
      break;
    case 'hold':
      draft.say(wording.hold);
      expect(draft, node);
      return true;
    case 'goodbye':
      draft.say(wording.goodbye);
      finish(draft, node.id, true);
      return true;
    case 'not_interested':
      if (!edgesOf(node).some(({ on }) => on === 'refused')) return false;
      leave(draft, node, { type: 'refused' }, walk);
      return true;
    case 'repeat':
    case 'what':
    case 'hello':
    case 'why_asked':
      break;
    case 'stop_calling':
    case 'human':
    case 'later':
    case 'thanks':
    case 'why':
    case 'wrong_person':
    case null:
      return false;
  }
  ask(draft, node, walk.hears);
  return true;
}

function verify(
  draft: Draft,
  node: Question,
  { value, spoken }: Extract<Captured, { type: 'value' }>,
  line: CallerLine,
  walk: Walk,
): void {
  const tries = draft.state.verifying === null ? draft.state.tries : draft.state.tries + 1;
  draft.change({ verifying: { value, spoken, said: line.text }, tries });
  if (tries >= (node.tries ?? TRIES)) leave(draft, node, { type: 'failed' }, walk);
  else ask(draft, node, walk.hears);
}

/** The answer was not understood: asks again, or leaves by `failed`. */
function missed(draft: Draft, node: Question, walk: Walk): void {
  const tries = draft.state.tries + 1;
  draft.change({ tries });
  if (tries >= (node.tries ?? TRIES)) return leave(draft, node, { type: 'failed' }, walk);
  draft.say(draft.program.wording.table.conversation.phrases.didNotCatch);
  ask(draft, node, walk.hears);
}

/** The global node that the caller's words want. A key is none: 0 wants a person where no number is asked for. */
function globalFor({ program }: Draft, node: FlowNode, line: CallerLine): GlobalNode | null {
  const { table } = program.wording;
  if (line.by === 'keypad') {
    const kind = wantedOf(program, node)?.kind;
    const takesKeys = kind === 'digits' || kind === 'number' || kind === 'time' || kind === 'date';
    if (line.text.trim() !== '0' || takesKeys) return null;
    return program.global.find(({ type }) => type === 'transfer') ?? null;
  }
  const said = normal(line.text);
  const named = program.global.find(({ examples }) => examples.some((example) => isSaid(said, example)));
  if (named !== undefined) return named;
  const wantsPerson = intentOf(line.text, table) === 'human';
  return wantsPerson ? (program.global.find(({ type }) => type === 'transfer') ?? null) : null;
}

/** The global node that the caller's words mean, where they neither answer nor name one. */
const globalMeant = ({ program }: Draft, node: FlowNode, { meant }: Walk): GlobalNode | null =>
  meant?.node === node.id ? (program.global.find(({ id }) => id === meant.to) ?? null) : null;

/** `alike`: a model of meanings chose it. */
function interrupt(draft: Draft, node: FlowNode, global: GlobalNode, walk: Walk, alike?: number): void {
  if (isSpent(draft)) return leave(draft, node, { type: 'failed' }, walk);
  const kept = draft.state.back.slice(1 - STEP_LIMITS.back);
  draft.change({ back: global.back === true ? [...kept, node.id] : [], verifying: null });
  draft.moved(node.id, global.id, 'global', alike);
  enter(draft, global.id, walk);
}
