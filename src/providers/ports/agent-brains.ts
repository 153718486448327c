import type { Ears, HistoryItem } from '@callwright/turns';
import { SCRIPT_ENGINE } from '../../shared/spoken-by.ts';
import {
  HAND_OVER,
  HANDED_OVER,
  isSummaryNote,
  summaryNote,
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
  readonly taken: HandOverArgs;
  /** What a model wrote about the conversation before it; absent: `taken` has what rules give. */
  readonly summary?: string;
  /** Handovers of the conversation so far. */
  readonly handovers: number;
  readonly from: number;
  readonly own: unknown;
}
const isOfNext = (memory: unknown): memory is AgentMemory =>
  typeof memory === 'object' && memory !== null && 'taken' in memory && 'own' in memory;

/** The agent that has a conversation with this memory, and how often it was handed over; null: its first agent. */
export const takenBy = (memory: unknown): Pick<AgentMemory, 'taken' | 'handovers'> | null =>
  isOfNext(memory) ? memory : null;

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
    const taken = this.#taken(history, before);
    if (taken !== null) return this.#begin(taken, request, onEvent);
    if (before === null) return this.#ask(this.#first, request, onEvent);
    const brain = this.#next.get(before.taken.agent_id);
    if (brain === undefined)
      return onEvent({
        type: 'failed',
        message: 'the agent of this conversation is not open',
        retryable: false,
      });
    return this.#askNext(brain, before, request, onEvent);
  }

  /** The summary that a model writes for a handover; null: none, or it failed. */
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

  /** The latest handover since `before` to an agent that is open; null: none. */
  #taken(history: readonly HistoryItem[], before: AgentMemory | null): AgentMemory | null {
    for (let at = history.length - 1; at >= (before?.from ?? 0); at -= 1) {
      const handover = handoverOf(history[at]!);
      if (handover === null || !this.#next.has(handover.taken.agent_id)) continue;
      return { ...handover, handovers: (before?.handovers ?? 0) + 1, from: at + 1, own: null };
    }
    return null;
  }

  /** The first reply of an agent: its first message, then what its flow or model says. */
  #begin(memory: AgentMemory, request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
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

  /** Asks an agent for its reply; where it hands over with a summary, its model begins to write it at once. */
  #ask(session: LlmSession, request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    session.reply(request, (event) => {
      if (event.type === 'tool' && event.name === HAND_OVER && event.args['summary'] !== undefined)
        this.#summarise(session, request);
      onEvent(event);
    });
  }

  #summarise(session: LlmSession, request: LlmRequest): void {
    this.#summary?.stop();
    const summarise = session.summarise?.bind(session);
    this.#summary =
      summarise === undefined
        ? null
        : new RunningSummary(summarise, request, (text) => this.#onSummary(summaryNote(text)));
  }

  /** Asks an agent for its reply to what it may read. `hasSpoken`: words of the reply came before. */
  #askNext(
    { session, by: first }: NextBrain,
    memory: AgentMemory,
    request: LlmRequest,
    onEvent: (event: LlmEvent) => void,
    hasSpoken = false,
  ): void {
    const named = (by: Replier = first): Replier => ({ ...by, ...(first.agent && { agent: first.agent }) });
    const known = knownOf(memory, request.history);
    const history = [...known, ...request.history.slice(memory.from)];
    let isFirst = hasSpoken;
    this.#ask(session, { ...request, history, memory: memory.own, earlier: known.length }, (event) => {
      if (event.type === 'delta') {
        const text = isFirst ? ` ${event.text}` : event.text;
        isFirst = false;
        return onEvent({ ...event, text, by: named(event.by) });
      }
      if (event.type !== 'done') return onEvent(event);
      return onEvent({ ...event, memory: { ...memory, own: event.memory }, by: named(event.by) });
    });
  }
}

/** What an agent reads from before it took the conversation over. */
function knownOf({ from, taken, summary }: AgentMemory, history: readonly HistoryItem[]): HistoryItem[] {
  if (taken.summary !== undefined) {
    const isWritten = history.slice(from).some((item) => item.role === 'note' && isSummaryNote(item.text));
    return isWritten ? [] : [{ role: 'note', text: summaryNote(summary ?? taken.summary) }];
  }
  const before = history.slice(0, from).filter((item) => handoverOf(item) === null);
  return taken.earlier === undefined ? before : before.slice(Math.max(0, before.length - taken.earlier));
}

/** The arguments of a handover that another agent took, and the summary in its result; null: the item is none. */
function handoverOf(item: HistoryItem): { taken: HandOverArgs; summary?: string } | null {
  if (item.role !== 'tool' || item.name !== HAND_OVER || item.args === undefined) return null;
  const { result } = item;
  const isTaken =
    typeof result === 'object' && result !== null && 'status' in result && result.status === HANDED_OVER;
  if (!isTaken) return null;
  const written =
    'summary' in result && typeof result.summary === 'string' ? { summary: result.summary } : {};
  return { taken: item.args as unknown as HandOverArgs, ...written };
}
