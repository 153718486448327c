import { maskedArgs } from '../shared/masked-args.ts';
import type { ToolLogEntry } from '../voice/conversation.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { Language } from '@callwright/language';
import type { ToolSpec } from '../providers/ports/model.ts';
import type { TurnEffect, TurnEvent } from '@callwright/turns';
import type { ToolAnswer, ToolRequest } from './protocol.ts';
import type { HiddenKeys } from './hidden-keys.ts';
import { toolRules } from './settings.ts';
import { LOOKUP_KNOWLEDGE } from '../providers/ports/brain-context.ts';

/** The conversation starts a tool, or settles one without the session. */
type ToolCall = Extract<TurnEffect, { type: 'tool' }>;
type ToolCancellation = Extract<TurnEffect, { type: 'tool_over' }>;

export interface ToolCallbacks {
  now(): number;
  /** The agent's released speech is not over. */
  isSpeaking(): boolean;
  /** Searches the knowledge that the call carries. */
  lookUp(args: Record<string, unknown>): unknown;
  sendKeys(digits: readonly DtmfDigit[]): void;
  onOptOut(): void;
  /** Pauses or resumes the recording; false: the call is not recorded. */
  pauseRecording(isPaused: boolean): boolean;
  /** Runs a tool on the main thread; `answered` takes its result. */
  onTool(request: ToolRequest): void;
  /** Returns a result, or the rules of other tools, to the conversation. */
  answer(event: Extract<TurnEvent, { type: 'tool_result' | 'tools_changed' | 'languages_changed' }>): void;
  /** A tool ended the call. */
  end(reason: NonNullable<ToolAnswer['ends']>): void;
}

interface PendingCall {
  readonly call: ToolCall;
  readonly at: number;
  readonly requestId: number;
  /** True for a transfer: it starts after the agent's last words. */
  readonly waits: boolean;
  begun: boolean;
}

const RECORDED = { ok: true, result: { status: 'recorded' } };
/** Built-in tools of RECORDING_TOOL, and whether they pause. */
const RECORDING_TOOLS = new Map([
  ['pause_recording', true],
  ['resume_recording', false],
]);
const KEY = /^[0-9A-D*#]$/;
const MAX_KEYS = 32;

/** The tool calls of one conversation: those pending, and the log of all. */
export class ToolCalls {
  readonly log: ToolLogEntry[];
  readonly #callbacks: ToolCallbacks;
  #specs: ReadonlyMap<string, ToolSpec>;
  readonly #hidden: HiddenKeys;
  readonly #pending: PendingCall[] = [];
  #requests = 0;

  constructor(
    specs: readonly ToolSpec[],
    before: readonly ToolLogEntry[],
    hidden: HiddenKeys,
    callbacks: ToolCallbacks,
  ) {
    this.log = [...before];
    this.#hidden = hidden;
    this.#callbacks = callbacks;
    this.#specs = new Map(specs.map((spec) => [spec.name, spec]));
  }

  /** The tools of the agent that the call was handed over to. */
  replace(specs: readonly ToolSpec[]): void {
    this.#specs = new Map(specs.map((spec) => [spec.name, spec]));
    this.#callbacks.answer({ type: 'tools_changed', tools: toolRules(specs), at: this.#callbacks.now() });
  }

  /** The languages of that agent. */
  inLanguages(language: Language, secondary: Language | null): void {
    this.#callbacks.answer({ type: 'languages_changed', language, secondary, at: this.#callbacks.now() });
  }

  start(call: ToolCall, at: number): void {
    const { name, args } = call;
    const spec = this.#specs.get(name);
    if (name === 'opt_out') return this.optOut(args, at);
    if (name === 'end_call') return this.#record(call, at, RECORDED);
    const pauses = spec === undefined ? undefined : RECORDING_TOOLS.get(name);
    if (pauses !== undefined) return this.#answer(call, at, this.#pauseRecording(pauses));
    if (spec?.kind === 'send_keys') return this.#answer(call, at, this.#sendKeys(spec, args));
    this.#pending.push({
      call,
      at,
      requestId: ++this.#requests,
      waits: spec?.kind === 'transfer',
      // The conversation collects keys itself and settles the call with `tool_over`.
      begun: spec?.kind === 'wait_for_keys',
    });
    this.begin();
    return undefined;
  }

  get hasOptedOut(): boolean {
    return this.log.some(({ name }) => name === 'opt_out');
  }

  /** Idempotent: the model and the opt-out watch may both detect the same request. */
  optOut(args: Record<string, unknown>, at: number): void {
    if (this.hasOptedOut) return;
    this.#callbacks.onOptOut();
    this.#record({ name: 'opt_out', args }, at, RECORDED);
  }

  /** Sends the pending calls that may start now; a transfer waits for the end of the agent's speech. */
  begin(): void {
    for (const pending of this.#pending) {
      if (pending.begun || (pending.waits && this.#callbacks.isSpeaking())) continue;
      pending.begun = true;
      const { requestId, call } = pending;
      const sensitive = this.#specs.get(call.name)?.sensitive ?? [];
      const args = this.#hidden.reveal(call.args, sensitive);
      this.#callbacks.onTool({ requestId, name: call.name, args, key: call.key });
    }
  }

  /** Whether the conversation still waits for the answer to a request. */
  awaits(requestId: number): boolean {
    return this.#pending.some((entry) => entry.requestId === requestId);
  }

  /** The main thread's answer to a request. */
  answered(requestId: number, outcome: ToolAnswer): void {
    const pending = this.#pending.find((entry) => entry.requestId === requestId);
    if (pending === undefined) return;
    this.#remove(pending);
    this.#answer(pending.call, pending.at, this.#withFallback(pending.call, this.#hidden.redact(outcome)));
    if (outcome.ends !== undefined) this.#callbacks.end(outcome.ends);
  }

  /** When the service cannot search knowledge in time, the call's own copy is searched. */
  #withFallback({ name, args }: ToolCall, outcome: ToolAnswer): ToolAnswer {
    const isMissing = name === LOOKUP_KNOWLEDGE.name && !outcome.ok;
    return isMissing ? { ok: true, result: this.#callbacks.lookUp(args) } : outcome;
  }

  /** The conversation timed the call out, or has its result already: only the log needs it. */
  settle(cancellation: ToolCancellation): void {
    const { id, replyId } = cancellation;
    const pending = this.#pending.find(({ call }) => call.id === id && call.replyId === replyId);
    if (pending === undefined) return;
    this.#remove(pending);
    this.#record(pending.call, pending.at, cancellation);
  }

  /** Drops the calls of an interrupted reply that have not started. */
  cancel(replyId: number): void {
    const dropped = this.#pending.filter(({ call, begun }) => call.replyId === replyId && !begun);
    for (const pending of dropped) {
      this.#remove(pending);
      this.#answer(pending.call, pending.at, { ok: false, result: { error: 'the caller interrupted' } });
    }
  }

  /** Logs the calls that the end of the conversation left pending. */
  finish(): void {
    for (const { call, at } of this.#pending.splice(0)) {
      this.#record(call, at, { ok: false, result: { error: 'the call ended' } });
    }
  }

  #pauseRecording(isPaused: boolean): ToolAnswer {
    const isRecorded = this.#callbacks.pauseRecording(isPaused);
    const status = !isRecorded ? 'this call is not recorded' : isPaused ? 'paused' : 'recording';
    return { ok: true, result: { status } };
  }

  #sendKeys(spec: ToolSpec, args: Record<string, unknown>): ToolAnswer {
    const keys = spec.digits ?? (typeof args['digits'] === 'string' ? args['digits'] : '');
    const digits = keys
      .toUpperCase()
      .replaceAll(/[\s,-]/g, '')
      .split('');
    if (digits.length === 0 || digits.length > MAX_KEYS || !digits.every((digit) => KEY.test(digit))) {
      return { ok: false, result: { error: `digits must be 1 to ${MAX_KEYS} keys out of 0-9, * and #` } };
    }
    this.#callbacks.sendKeys(digits as DtmfDigit[]);
    return { ok: true, result: { status: 'sent' } };
  }

  #answer(call: ToolCall, at: number, outcome: ToolAnswer): void {
    this.#record(call, at, outcome);
    const { replyId, id, name } = call;
    this.#callbacks.answer({
      type: 'tool_result',
      replyId,
      id,
      name,
      result: outcome.result,
      ...(outcome.variables === undefined ? {} : { variables: outcome.variables }),
      at: this.#callbacks.now(),
    });
  }

  #record(
    call: Pick<ToolCall, 'name' | 'args'>,
    at: number,
    outcome: Pick<ToolAnswer, 'ok' | 'result' | 'variables'>,
  ): void {
    this.log.push({
      name: call.name,
      args: maskedArgs(call.args, this.#specs.get(call.name)?.sensitive),
      result: outcome.result,
      at,
      ms: Math.max(0, this.#callbacks.now() - at),
      ok: outcome.ok,
      phase: 'on_call',
      ...(outcome.variables === undefined ? {} : { variables: outcome.variables }),
    });
  }

  #remove(pending: PendingCall): void {
    this.#pending.splice(this.#pending.indexOf(pending), 1);
  }
}
