import type { ToolUse } from '../store/json/chat.ts';
import { isOptOutWord, type OptOutSense } from '@callwright/language';
import { maskedArgs } from '../shared/masked-args.ts';
import type { ToolLogEntry } from '../voice/conversation.ts';
import type { Expected, HistoryItem } from '@callwright/turns';
import type { LlmSession, ModelUsage } from '../providers/ports/model.ts';
import { engineOf, NO_ENGINE, SCRIPT_ENGINE, type ReplyFault, type SpokenBy } from '../shared/spoken-by.ts';
import { stepNote } from '../shared/hand-over.ts';
import { oneReply, type ChatReply, type ReplyResult } from './one-reply.ts';
import type { TurnProcessor } from './turn-processor.ts';

/** The agent's side of a chat between two turns, as the chat's row keeps it. */
export interface Talk {
  readonly history: readonly HistoryItem[];
  /** Of the brain; opaque. */
  readonly memory: unknown;
  /** The likely next answer of the customer: its choices become buttons. */
  readonly expected: Expected | null;
  /** Consecutive turns in which no model answered. */
  readonly failures: number;
}
export const NEW_TALK: Talk = { history: [], memory: null, expected: null, failures: 0 };

export type TalkEnd =
  | 'AGENT_ENDED'
  | 'CALL_TRANSFERRED'
  | 'OPTED_OUT'
  | 'FAILED'
  /** The chat used more processor time than one may. */
  | 'PROCESSOR_TIME_EXCEEDED';

export interface ToolResult {
  readonly ok: boolean;
  readonly result: unknown;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The tools of a turn as a test shows them. */
export const toolUses = (log: readonly ToolLogEntry[]): ToolUse[] =>
  log.map(({ name, args, result, ok = false, ms = 0 }) => ({ name, args, result, ok, ms }));

/** What a turn needs from outside. */
export interface TurnParts {
  readonly llm: LlmSession;
  readonly optOut: OptOutSense;
  /** Runs a custom tool; built-in tools are handled here. Never rejects. */
  runTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** True for a tool that transfers the person and so ends the conversation. Absent: none does. */
  isTransfer?(name: string): boolean;
  /** Arguments of a tool that stay out of the log. */
  sensitive?(name: string): readonly string[] | undefined;
  readonly phrases: { readonly apology: string; readonly technicalGoodbye: string };
  /** Epoch ms. */
  now(): number;
  /** When no model answers: the agent apologises; `stop`: the turn ends as failed without a word, as in tests. */
  readonly onModelFailure?: 'stop';
  /** Replies that may be paid for; absent: as many as a turn may take. */
  readonly maxRounds?: number;
  /** Aborted when the turn takes too long. */
  readonly signal: AbortSignal;
  /** Counts the processor time of the turn. Absent: it is not counted. */
  readonly processor?: TurnProcessor;
}

export interface Turn {
  readonly talk: Talk;
  /** The agent's messages, in order. */
  readonly said: readonly string[];
  readonly toolLog: readonly ToolLogEntry[];
  readonly usage: readonly ModelUsage[];
  /** Moves of a flow, in order. */
  readonly steps: readonly string[];
  /** Replies that the model gave. */
  readonly rounds: number;
  readonly optedOut: boolean;
  readonly spokenBy: SpokenBy;
  /** Why the chat ends with this turn; null: it continues. */
  readonly end: TalkEnd | null;
}

/** Limit of consecutive replies that call tools, as on the phone. */
export const MAX_ROUNDS = 6;
const RECORDED = { ok: true, result: { status: 'recorded' } };

/**
 * One turn of a chat: the customer's messages in, the agent's messages out. The same rules as in a call: tool results
 * follow the reply that called the tool and cause another reply, unless the reply left the floor to the customer.
 * Keeps no state and sends nothing, so a turn whose result was lost can be taken again.
 */
export async function takeTurn(parts: TurnParts, talk: Talk, messages: readonly string[]): Promise<Turn> {
  const turn = new RunningTurn(parts, talk);
  turn.counted(() => turn.hear(messages));
  await turn.answer();
  return turn.result;
}

class RunningTurn {
  readonly #parts: TurnParts;
  readonly #history: HistoryItem[];
  readonly #said: string[] = [];
  readonly #log: ToolLogEntry[] = [];
  readonly #usage: ModelUsage[] = [];
  readonly #steps: string[] = [];
  #memory: unknown;
  #expected: Expected | null;
  #failures: number;
  #rounds = 0;
  #optedOut = false;
  #spokenBy: SpokenBy = NO_ENGINE;
  #end: TalkEnd | null = null;

  constructor(parts: TurnParts, talk: Talk) {
    this.#parts = parts;
    this.#history = [...talk.history];
    this.#memory = talk.memory;
    this.#expected = talk.expected;
    this.#failures = talk.failures;
  }

  get result(): Turn {
    return {
      talk: {
        history: this.#history,
        memory: this.#memory,
        expected: this.#expected,
        failures: this.#failures,
      },
      said: this.#said,
      toolLog: this.#log,
      usage: this.#usage,
      steps: this.#steps,
      rounds: this.#rounds,
      optedOut: this.#optedOut,
      spokenBy: this.#spokenBy,
      end: this.#end,
    };
  }

  counted<T>(work: () => T): T {
    const { processor } = this.#parts;
    return processor === undefined ? work() : processor.run(work);
  }

  hear(messages: readonly string[]): void {
    for (const text of messages) {
      if (isOptOutWord(text) || this.#parts.optOut.words(text)) this.#optOut({});
      this.#history.push({ role: 'caller', text, by: 'text' });
    }
  }

  async answer(): Promise<void> {
    const most = this.#parts.maxRounds ?? MAX_ROUNDS;
    for (let round = 0; round < most && this.#end === null; round += 1) {
      const reply = await this.#reply();
      if (reply === null) return this.#fail();
      this.#rounds += 1;
      this.#failures = 0;
      if (reply.text !== '') this.#say(reply.text);
      if (reply.isSummarised) await this.#summarise();
      this.#memory = reply.memory;
      this.#steps.push(...reply.steps);
      this.#expected = reply.expected;
      if (reply.usage !== null) this.#usage.push(reply.usage);
      const ran = await this.#runTools(reply.tools);
      if (ran === 0 || reply.expected !== null) break;
    }
    if (this.#said.length === 0 && this.#end === null) this.#fail();
  }

  /** The summary that the model writes for a step of its flow; a step without one reads the last lines. */
  async #summarise(): Promise<void> {
    const summary = await this.#parts.llm.summary?.();
    if (summary != null) this.#history.push({ role: 'note', text: stepNote(summary) });
  }

  /** A failed request is sent once more. */
  async #reply(): Promise<ChatReply | null> {
    const { llm, signal } = this.#parts;
    // A summary for a handover is charged beside the reply.
    const onCancelled = (usage: ModelUsage): void => void this.#usage.push(usage);
    const request = { history: this.#history, memory: this.#memory, onCancelled };
    const first = await this.counted(() => oneReply(llm, request, signal));
    this.#note(first);
    if (first.ok) return first.reply;
    if (!first.retryable) return null;
    const second = await this.counted(() => oneReply(llm, request, signal));
    this.#note(second);
    return second.ok ? second.reply : null;
  }

  /** Records the engine of the reply and the faults before it. */
  #note(result: ReplyResult): void {
    const before = this.#spokenBy;
    const at = this.#parts.now();
    const faults = result.troubles.map(({ fault, effect }): ReplyFault => {
      const { vendor, kind, status, message } = fault;
      return { vendor, kind, status, message, effect, at };
    });
    this.#spokenBy = { ...before, faults: [...before.faults, ...faults] };
    if (!result.ok) return;
    const { by, usage } = result.reply;
    const { vendor, model } = by ?? usage ?? { vendor: SCRIPT_ENGINE, model: null };
    const engine = engineOf(vendor);
    this.#spokenBy = {
      ...this.#spokenBy,
      engine,
      vendor: engine === 'model' ? vendor : null,
      model,
      isFallback: before.isFallback || by?.isFirst === false,
    };
  }

  /** Returns how many results joined the history. */
  async #runTools(tools: ChatReply['tools']): Promise<number> {
    let ran = 0;
    for (const { name, args } of tools) {
      if (name === 'end_call') {
        this.#log.push({ name, args: {}, at: this.#parts.now(), phase: 'on_call', ...RECORDED });
        this.#end ??= 'AGENT_ENDED';
        continue;
      }
      if (name === 'opt_out') {
        this.#optOut(args);
        this.#end = 'OPTED_OUT';
        continue;
      }
      const at = this.#parts.now();
      const outcome = await this.counted(() => this.#parts.runTool(name, args));
      const logged = maskedArgs(args, this.#parts.sensitive?.(name));
      const ms = Math.max(0, this.#parts.now() - at);
      this.#log.push({ name, args: logged, at, ms, phase: 'on_call', ...outcome });
      this.#history.push({
        role: 'tool',
        name,
        ...(Object.keys(args).length === 0 ? {} : { args }),
        result: outcome.result,
        ...(outcome.variables === undefined ? {} : { variables: outcome.variables }),
      });
      ran += 1;
      if (outcome.ok && this.#parts.isTransfer?.(name) === true) this.#end ??= 'CALL_TRANSFERRED';
    }
    return ran;
  }

  #optOut(args: Record<string, unknown>): void {
    if (this.#optedOut) return;
    this.#optedOut = true;
    this.#log.push({ name: 'opt_out', args, at: this.#parts.now(), phase: 'on_call', ...RECORDED });
  }

  #say(text: string): void {
    this.#said.push(text);
    this.#history.push({ role: 'agent', text, interrupted: false });
  }

  /** No model answered: apologises, and ends the chat after two failures in a row; a test fails at once. */
  #fail(): void {
    const { phrases, onModelFailure } = this.#parts;
    if (onModelFailure === 'stop') {
      this.#failures += 1;
      this.#end ??= 'FAILED';
      return;
    }
    if (this.#said.length > 0) return;
    this.#failures += 1;
    const { faults } = this.#spokenBy;
    this.#spokenBy = { engine: 'apology', vendor: null, model: null, isFallback: true, faults };
    this.#say(this.#failures > 1 ? phrases.technicalGoodbye : phrases.apology);
    this.#expected = null;
    if (this.#failures > 1) this.#end ??= 'FAILED';
  }
}
