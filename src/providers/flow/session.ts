import type { CallerLine } from '@callwright/language';
import { hiddenEntry, PENDING_RESULT, type HistoryItem } from '@callwright/turns';
import { program, type FlowProgram } from '../../voice/flow/engine/program.ts';
import { NEW_FLOW, type FlowEffect, type FlowEvent, type FlowState } from '../../voice/flow/engine/state.ts';
import { step } from '../../voice/flow/engine/step.ts';
import type { BrainContext, FlowOfAgent, LlmEvent, LlmSession, ToolSpec } from '../ports/model.ts';

/** Between two replies: where the flow stands, and how much of the history it has seen. */
interface FlowMemory {
  readonly flow: FlowState;
  readonly callers: number;
  readonly unclear: number;
  readonly results: number;
}
const isMemory = (memory: unknown): memory is FlowMemory =>
  typeof memory === 'object' && memory !== null && 'flow' in memory && 'callers' in memory;

/**
 * A conversation by the agent's flow, in a model's place: replies are a function of memory, history and `now` (epoch ms),
 * so a reply that was prepared in vain can be made again.
 */
export function openFlow(flow: FlowOfAgent, context: BrainContext, now: () => number): LlmSession {
  const made = program(flow.document, {
    language: context.language,
    zone: flow.zone,
    variables: context.variables,
    tools: new Map(context.tools.map((tool) => [tool.name, parametersOf(tool)])),
    hidesKeys: context.channel !== 'text',
  });
  let { understandsSpeech } = context;
  let replies = 0;
  return {
    reply({ history, memory, signal }, onEvent) {
      const before = isMemory(memory) ? memory : null;
      const event = happened(made, before, history, { at: now(), understandsSpeech });
      const { state, effects } = step(made, before?.flow ?? NEW_FLOW, event);
      const after: FlowMemory = {
        flow: state,
        callers: callersOf(history).length,
        unclear: countOf(history, 'unclear'),
        results: resultsOf(history).length,
      };
      replies += 1;
      for (const each of eventsOf(effects, after, `flow-${replies}`)) {
        if (signal.aborted) return;
        onEvent(each);
      }
    },
    hears(ears) {
      understandsSpeech = ears.understandsSpeech;
    },
    close: () => undefined,
  };
}

/** The parameters of a tool with their types. */
function parametersOf({ parameters }: ToolSpec): Record<string, string> {
  const properties = (parameters['properties'] ?? {}) as Record<string, { type?: unknown } | undefined>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, typeof schema?.type === 'string' ? schema.type : '']),
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
  typeof result === 'object' && result !== null && 'status' in result && result.status === PENDING_RESULT.status;
const countOf = (history: readonly HistoryItem[], role: HistoryItem['role']): number =>
  history.filter((item) => item.role === role).length;

/** What has happened since the last reply. The result that a node waits for comes before words of the caller. */
function happened(
  { nodes }: FlowProgram,
  before: FlowMemory | null,
  history: readonly HistoryItem[],
  { at, understandsSpeech }: { at: number; understandsSpeech: boolean },
): FlowEvent {
  const callers = callersOf(history);
  const line = joined(callers.slice(before?.callers ?? 0));
  const hears = understandsSpeech || callers.some(({ by }) => by === 'text');
  if (before === null) return { type: 'start', line, at, hears };
  const node = nodes.get(before.flow.at ?? '');
  const tool = node?.type === 'tool' || node?.type === 'transfer' ? node.tool : null;
  const result = resultsOf(history)
    .slice(before.results)
    .find(({ name }) => name === tool);
  if (result !== undefined)
    return { type: 'tool', isOk: !hasFailed(result.result), variables: result.variables ?? {}, at, hears };
  if (line !== null) return { type: 'caller', line, at, hears };
  const isUnclear = countOf(history, 'unclear') > before.unclear;
  return { type: isUnclear ? 'unclear' : 'again', at, hears };
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

/** The effects of a step as a reply. */
function eventsOf(effects: readonly FlowEffect[], memory: FlowMemory, id: string): LlmEvent[] {
  const events: LlmEvent[] = [];
  const tool = (name: string, args: Record<string, unknown>): void => {
    events.push({ type: 'tool', id: `${id}-${events.length}`, name, args });
  };
  let hasSpoken = false;
  for (const effect of effects) {
    if (effect.type === 'say') {
      events.push({ type: 'delta', text: hasSpoken ? ` ${effect.text}` : effect.text });
      hasSpoken = true;
    } else if (effect.type === 'tool') tool(effect.name, { ...effect.args });
    else if (effect.type === 'opt_out') tool('opt_out', {});
    else if (effect.type === 'end') tool('end_call', {});
  }
  const asked = effects.find((effect) => effect.type === 'expect');
  events.push({ type: 'done', memory, expected: asked?.expected ?? null });
  return events;
}
