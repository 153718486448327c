import type { CallerLine } from '@callwright/language';
import { hiddenEntry, PENDING_RESULT, type HistoryItem } from '@callwright/turns';
import { judgedSteps, type FlowNode } from '../../voice/flow/document.ts';
import { program, type FlowProgram } from '../../voice/flow/engine/program.ts';
import { NEW_FLOW, type FlowEvent, type FlowState } from '../../voice/flow/engine/state.ts';
import { step } from '../../voice/flow/engine/step.ts';
import { waysFrom } from '../../voice/flow/engine/talk.ts';
import { CAME_BACK, HAND_OVER, hasStatus } from '../../shared/hand-over.ts';
import { SCRIPT_ENGINE } from '../../shared/spoken-by.ts';
import type {
  BrainContext,
  FlowOfAgent,
  LlmProvider,
  LlmSession,
  StepLlms,
  ToolSpec,
} from '../ports/model.ts';
import type { Way } from '../ports/way-judge.ts';
import { isPresence, isUnheard } from './answered.ts';
import { FlowReply, type FlowMemory } from './reply.ts';
import { StepModels } from './step-models.ts';

const isMemory = (memory: unknown): memory is FlowMemory =>
  typeof memory === 'object' && memory !== null && 'flow' in memory && 'callers' in memory;

/**
 * A conversation by the agent's flow, in the model's place: replies are a function of memory, history and `now` (epoch ms),
 * so a reply that was prepared in vain can be made again. The model leads in the nodes that leave it to it.
 */
export function openFlow(
  llm: LlmProvider,
  flow: FlowOfAgent,
  context: Omit<BrainContext, 'flow'>,
  now: () => number,
  ofSteps: StepLlms = new Map(),
): LlmSession {
  const hasModel = llm.name !== SCRIPT_ENGINE;
  const made = program(flow.document, {
    agentName: context.agentName,
    language: context.language,
    zone: flow.zone,
    variables: context.variables,
    tools: new Map(context.tools.map((tool) => [tool.name, parametersOf(tool)])),
    handsOver: context.handsOver === true,
    givesBack: context.returnsTo !== undefined,
    hasModel,
    hidesKeys: context.channel !== 'text',
  });
  const models = new StepModels({ llm, ofSteps }, context, hasModel, judgedSteps(flow.document));
  const judge = hasModel || llm.ways?.understands(context.language) !== true ? null : llm.ways;
  judge?.prepare(made.flow.nodes.flatMap(({ id }) => waysAt(made, id)));
  let { understandsSpeech } = context;
  let replies = 0;
  return {
    reply(request, onEvent) {
      const { history, memory } = request;
      const before = isMemory(memory) ? memory : null;
      replies += 1;
      const seen = {
        callers: callersOf(history).length,
        unclear: countOf(history, 'unclear'),
        results: resultsOf(history).length,
      };
      const earlier = request.earlier ?? 0;
      const event = happened(made, before, history, { at: now(), understandsSpeech, earlier });
      const parts = {
        program: made,
        models,
        request,
        seen,
        model: before?.model ?? null,
        marks: before?.marks ?? [],
        id: `flow-${replies}`,
      };
      const state = before?.flow ?? NEW_FLOW;
      const begin = (known: FlowEvent): void => new FlowReply(parts, state, onEvent).start(known);
      const open = judge === null ? null : openChoice(made, state, event);
      if (judge === null || open === null) return begin(event);
      void judge.choose(open.event.line.text, waysAt(made, open.node)).then((found) => {
        if (request.signal.aborted) return;
        begin(found === null ? event : { ...open.event, meant: { node: open.node, ...found } });
      });
    },
    hears(ears) {
      understandsSpeech = ears.understandsSpeech;
      models.hears(ears);
    },
    close: () => models.close(),
  };
}

/** The ways from a node, with the texts that say when. */
const waysAt = (made: FlowProgram, node: string): Way[] =>
  waysFrom(made, node).map(({ to, when, examples }) => ({ to, texts: [when, ...examples] }));

/** The caller's words and the node where their meaning may choose a way; null: what they say is clear, or no way is there. */
function openChoice(made: FlowProgram, state: FlowState, event: FlowEvent) {
  if ((event.type !== 'start' && event.type !== 'caller') || event.line === null) return null;
  const { unsure } = step(made, state, event);
  if (unsure === null || waysFrom(made, unsure).length === 0) return null;
  return { node: unsure, event: { ...event, line: event.line } };
}

/** The parameters of a tool with their types. */
function parametersOf({ parameters }: ToolSpec): Record<string, string> {
  const properties = (parameters['properties'] ?? {}) as Record<string, { type?: unknown } | undefined>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      typeof schema?.type === 'string' ? schema.type : '',
    ]),
  );
}

type CallerItem = Extract<HistoryItem, { role: 'caller' }>;
type ResultItem = Extract<HistoryItem, { role: 'tool' }>;
const callersOf = (history: readonly HistoryItem[]): CallerItem[] =>
  history.filter((item): item is CallerItem => item.role === 'caller');
/** Results of tools that have ended. */
const resultsOf = (history: readonly HistoryItem[]): ResultItem[] =>
  history.filter((item): item is ResultItem => item.role === 'tool' && !isPending(item.result));
const isPending = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  'status' in result &&
  result.status === PENDING_RESULT.status;
const countOf = (history: readonly HistoryItem[], role: HistoryItem['role']): number =>
  history.filter((item) => item.role === role).length;

/** The tool whose result a node waits for; null: none. */
function toolOf(node: FlowNode): string | null {
  if (node.type === 'handoff') return HAND_OVER;
  return node.type === 'tool' || node.type === 'transfer' ? node.tool : null;
}

/** What has happened since the last reply. The result that a node waits for comes before words of the caller. */
function happened(
  { nodes, wording }: FlowProgram,
  before: FlowMemory | null,
  history: readonly HistoryItem[],
  { at, understandsSpeech, earlier }: { at: number; understandsSpeech: boolean; earlier: number },
): FlowEvent {
  const callers = callersOf(history);
  const known = before?.callers ?? callersOf(history.slice(0, earlier)).length;
  const line = joined(callers.slice(known));
  const hears = understandsSpeech || callers.some(({ by }) => by === 'text');
  const results = resultsOf(history).slice(before?.results ?? 0);
  const variables = Object.fromEntries(results.flatMap((result) => Object.entries(result.variables ?? {})));
  const base = { at, hears, variables };
  if (before === null) return { type: 'start', line, ...base };
  const node = nodes.get(before.flow.at ?? '');
  const tool = node === undefined ? null : toolOf(node);
  // A handoff that comes back has two results.
  const result =
    tool === HAND_OVER
      ? results.findLast(({ name }) => name === tool)
      : results.find(({ name }) => name === tool);
  if (result !== undefined) {
    const isBack = tool === HAND_OVER && hasStatus(result.result, CAME_BACK);
    return {
      type: 'tool',
      isOk: !hasFailed(result.result),
      ...(isBack ? { isBack: true as const } : {}),
      ...base,
    };
  }
  if (line !== null) {
    const isAnswer =
      !isPresence(wording.table, history, line) && !isUnheard(wording.table, before.asked, history, line);
    return isAnswer ? { type: 'caller', line, ...base } : { type: 'again', ...base };
  }
  if (history.at(-1)?.role === 'silence') return { type: 'silence', ...base };
  const isUnclear = countOf(history, 'unclear') > before.unclear;
  return { type: isUnclear ? 'unclear' : 'again', ...base };
}

/** Whether a tool's result reports a failure. */
const hasFailed = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  ('error' in result || ('status' in result && (result.status === 'failed' || result.status === 'refused')));

const LONGEST_LINE = 1000;

/** The caller's lines since the last reply as one; keys and words stay apart. */
function joined(lines: readonly CallerItem[]): CallerLine | null {
  const last = lines.at(-1);
  if (last === undefined) return null;
  if (hiddenEntry(last.text) !== null) return { text: last.text, by: last.by };
  const same = lines.filter(({ by }) => (by === 'keypad') === (last.by === 'keypad'));
  const text = same.map((line) => line.text).join(last.by === 'keypad' ? '' : ' ');
  return { text: text.slice(0, LONGEST_LINE), by: last.by };
}
