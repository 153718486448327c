import type { Ears, HistoryItem } from '@callwright/turns';
import { SCRIPT_ENGINE } from '../../shared/spoken-by.ts';
import {
  CAME_BACK,
  HAND_OVER,
  HANDED_OVER,
  hasStatus,
  isSummaryNote,
  stepNote,
  summaryNote,
  withoutParts,
  type GiveBackArgs,
  type HandOverArgs,
} from '../../shared/hand-over.ts';
import type { LlmEvent, LlmRequest, LlmSession, Replier } from './model.ts';
import { RunningSummary } from './running-summary.ts';

/** An agent that may go on with a conversation. */
export interface NextBrain {
  readonly session: LlmSession;
  /** Its first message, variables rendered; empty: none. */
  readonly introMessage: string;
  /** By its flow, right after the first message. */
  readonly goesOn: boolean;
  /** The agent, and the model that it asks first. */
  readonly by: Replier;
}

/** Between two replies of an agent that took over: how and since where, and its own memory. */
interface AgentMemory {
  /** Null: the first agent has the conversation again. */
  readonly taken: HandOverArgs | null;
  /** What a model wrote about the conversation before it; absent: `taken` has what rules give. */
  readonly summary?: string;
  readonly from: number;
  /** Up to here every handover of the history is carried out. */
  readonly until: number;
  readonly own: unknown;
  /** The memory of the agent to which the conversation goes back. Absent: it ends with this one. */
  readonly before?: unknown;
}
/** Of an agent that took over. */
type TakenMemory = AgentMemory & { readonly taken: HandOverArgs };
const isOfNext = (memory: unknown): memory is AgentMemory =>
  typeof memory === 'object' && memory !== null && 'taken' in memory && 'own' in memory;

/** What a handover leads to: an agent that is new in the conversation, or one that has it again. */
type Moved =
  | { readonly isNew: true; readonly memory: TakenMemory }
  | { readonly isNew: false; readonly memory: AgentMemory };
const isTaken = (memory: AgentMemory): memory is TakenMemory => memory.taken !== null;

/** The handover to the agent that has a conversation with this memory; null: its first agent has it. */
export const takenBy = (memory: unknown): HandOverArgs | null => (isOfNext(memory) ? memory.taken : null);

/** The handover to the agent to which a conversation with this memory goes back; null: to its first agent. */
export const takenBefore = (memory: unknown): HandOverArgs | null =>
  isOfNext(memory) ? takenBy(memory.before) : null;

/** How often a conversation was handed over. */
export const handoversIn = (history: readonly HistoryItem[]): number =>
  history.filter((item) => handoverOf(item) !== null).length;

/**
 * The brains of a conversation: that of its first agent, until a tool has handed the conversation over to another one.
 * Which agent replies is a function of history and memory.
 */
export class AgentBrains implements LlmSession {
  readonly expectsFirst?: NonNullable<LlmSession['expectsFirst']>;
  readonly introduces?: string;
  readonly checksIn?: true;
  readonly #first: LlmSession;
  readonly #next = new Map<string, NextBrain>();
  readonly #onSummary: (text: string) => void;
  /** Of the latest handover whose next agent reads a summary; null: none. */
  #summary: RunningSummary | null = null;

  /** `onSummary`: what a model wrote about the conversation before a handover, for its history. */
  constructor(first: LlmSession, onSummary: (text: string) => void = () => undefined) {
    this.#first = first;
    this.#onSummary = onSummary;
    const { expectsFirst, introduces, checksIn } = first;
    if (expectsFirst !== undefined) this.expectsFirst = expectsFirst;
    if (introduces !== undefined) this.introduces = introduces;
    if (checksIn !== undefined) this.checksIn = checksIn;
  }

  /** The agent with this id may go on. */
  add(id: string, brain: NextBrain): void {
    this.#next.get(id)?.session.close();
    this.#next.set(id, brain);
  }

  reply(request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    const { history, memory } = request;
    const before = isOfNext(memory) ? memory : null;
    const moved = this.#moved(history, memory, before);
    if (moved?.isNew === true) return this.#begin(moved.memory, request, onEvent);
    const now = moved?.memory ?? before;
    if (now === null) return this.#ask(this.#first, request, onEvent);
    if (!isTaken(now)) return this.#askAgain(now, request, onEvent);
    const brain = this.#next.get(now.taken.agent_id);
    if (brain === undefined)
      return onEvent({
        type: 'failed',
        message: 'the agent of this conversation is not open',
        retryable: false,
      });
    return this.#askNext(brain, now, request, onEvent);
  }

  /** The summary that a model writes for a handover or a step; null: none, or it failed. */
  summary(): Promise<string | null> {
    return this.#summary?.settled ?? Promise.resolve(null);
  }

  hears(ears: Ears): void {
    this.#first.hears?.(ears);
    for (const { session } of this.#next.values()) session.hears?.(ears);
  }

  close(): void {
    this.#summary?.stop();
    this.#first.close();
    for (const { session } of this.#next.values()) session.close();
  }

  /** Whom the latest handover since `before` gave the conversation to, if that agent is open; null: there was none. */
  #moved(history: readonly HistoryItem[], memory: unknown, before: AgentMemory | null): Moved | null {
    for (let at = history.length - 1; at >= (before?.until ?? 0); at -= 1) {
      const item = history[at]!;
      const until = at + 1;
      if (before !== null && 'before' in before && hasComeBack(item)) {
        const earlier = before.before;
        const back: AgentMemory = isOfNext(earlier)
          ? { ...earlier, until }
          : { taken: null, from: 0, until, own: earlier };
        return { isNew: false, memory: back };
      }
      const handover = handoverOf(item);
      if (handover === null || !this.#next.has(handover.taken.agent_id)) continue;
      const back = handover.taken.back === true ? { before: memory } : {};
      return { isNew: true, memory: { ...handover, from: until, until, own: null, ...back } };
    }
    return null;
  }

  /** The first agent goes on. */
  #askAgain(memory: AgentMemory, request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    this.#ask(this.#first, { ...request, memory: memory.own }, (event) =>
      onEvent(event.type === 'done' ? { ...event, memory: { ...memory, own: event.memory } } : event),
    );
  }

  /** The first reply of an agent: its first message, then what its flow or model says. */
  #begin(memory: TakenMemory, request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    const brain = this.#next.get(memory.taken.agent_id)!;
    if (memory.taken.summary !== undefined) this.#summary?.taken();
    const { introMessage, goesOn, session } = brain;
    // The first message is no reply of a model.
    const by = { ...brain.by, vendor: SCRIPT_ENGINE, model: null };
    if (memory.taken.silent === true || introMessage === '')
      return this.#askNext(brain, memory, request, onEvent);
    onEvent({ type: 'delta', text: introMessage, by });
    if (goesOn) return this.#askNext(brain, memory, request, onEvent, true);
    return onEvent({ type: 'done', memory, expected: session.expectsFirst ?? null, by });
  }

  /** Asks an agent for its reply. Where it hands over with a summary, or enters a step with one, its model begins to write it. */
  #ask(session: LlmSession, request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    session.reply(request, (event) => {
      if (event.type === 'tool' && event.name === HAND_OVER && event.args['summary'] !== undefined)
        this.#summarise(
          session,
          { ...request, history: withoutParts(request.history, leftOutIn(event.args)) },
          summaryNote,
        );
      if (event.type === 'done' && event.summarises !== undefined) {
        this.#summarise(session, { ...request, history: event.summarises }, stepNote);
        this.#summary?.taken();
      }
      onEvent(event);
    });
  }

  #summarise(session: LlmSession, request: LlmRequest, noteOf: (text: string) => string): void {
    this.#summary?.stop();
    const summarise = session.summarise?.bind(session);
    this.#summary =
      summarise === undefined
        ? null
        : new RunningSummary(summarise, request, (text) => this.#onSummary(noteOf(text)));
  }

  /** Asks an agent for its reply to what it may read. `hasSpoken`: words of the reply came before. */
  #askNext(
    { session, by: first }: NextBrain,
    memory: TakenMemory,
    request: LlmRequest,
    onEvent: (event: LlmEvent) => void,
    hasSpoken = false,
  ): void {
    const named = (by: Replier = first): Replier => ({ ...by, ...(first.agent && { agent: first.agent }) });
    const known = knownOf(memory, request.history);
    const history = [...known, ...request.history.slice(memory.from)];
    let isFirst = hasSpoken;
    let givesBack = false;
    this.#ask(session, { ...request, history, memory: memory.own, earlier: known.length }, (event) => {
      if (event.type === 'delta') {
        const text = isFirst ? ` ${event.text}` : event.text;
        isFirst = false;
        return onEvent({ ...event, text, by: named(event.by) });
      }
      if (event.type === 'tool' && endsHere(event) && mayGiveBack(memory, request.history)) {
        givesBack = true;
        return onEvent({ ...event, name: HAND_OVER, args: { ...giveBackArgs(memory) } });
      }
      if (event.type === 'tool' && event.name === HAND_OVER && leftOutIn(event.args).length > 0) {
        // Its parts are of what this agent reads, and the history has more.
        const shift = memory.from - known.length;
        const left = leftOutIn(event.args).map(([from, until]) => [from + shift, until + shift]);
        return onEvent({ ...event, args: { ...event.args, left_out: left } });
      }
      if (event.type !== 'done') return onEvent(event);
      const expected = givesBack ? null : event.expected;
      return onEvent({ ...event, expected, memory: { ...memory, own: event.memory }, by: named(event.by) });
    });
  }
}

const leftOutIn = (args: Readonly<Record<string, unknown>>): NonNullable<HandOverArgs['left_out']> =>
  (args as Partial<HandOverArgs>).left_out ?? [];

const endsHere = ({ name, isByCaller }: Extract<LlmEvent, { type: 'tool' }>): boolean =>
  name === 'end_call' && isByCaller !== true;

/** Whether the end of an agent's part gives the conversation back. Where that has failed, the conversation ends. */
const mayGiveBack = (memory: TakenMemory, history: readonly HistoryItem[]): boolean =>
  'before' in memory &&
  !history
    .slice(memory.until)
    .some((item) => item.role === 'tool' && item.name === HAND_OVER && item.args?.['comes_back'] === true);

const giveBackArgs = (memory: TakenMemory): GiveBackArgs => {
  const to = takenBefore(memory);
  if (to === null) return { comes_back: true };
  const { agent_id, variables } = to;
  return { comes_back: true, agent_id, ...(variables === undefined ? {} : { variables }) };
};

const hasComeBack = (item: HistoryItem): boolean =>
  item.role === 'tool' && item.name === HAND_OVER && hasStatus(item.result, CAME_BACK);

/** What an agent reads from before it took the conversation over. */
function knownOf({ from, taken, summary }: TakenMemory, history: readonly HistoryItem[]): HistoryItem[] {
  if (taken.summary !== undefined) {
    const isWritten = history.slice(from).some((item) => item.role === 'note' && isSummaryNote(item.text));
    return isWritten ? [] : [{ role: 'note', text: summaryNote(summary ?? taken.summary) }];
  }
  const read = withoutParts(history.slice(0, from), taken.left_out);
  const before = read.filter((item) => handoverOf(item) === null);
  return taken.earlier === undefined ? before : before.slice(Math.max(0, before.length - taken.earlier));
}

/** The arguments of a handover that another agent took, and the summary in its result; null: the item is none. */
function handoverOf(item: HistoryItem): { taken: HandOverArgs; summary?: string } | null {
  if (item.role !== 'tool' || item.name !== HAND_OVER || item.args === undefined) return null;
  const { result } = item;
  if (!hasStatus(result, HANDED_OVER)) return null;
  const { summary } = result as { summary?: unknown };
  const written = typeof summary === 'string' ? { summary } : {};
  return { taken: item.args as unknown as HandOverArgs, ...written };
}
