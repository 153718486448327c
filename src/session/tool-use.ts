import { maskedArgs } from '../shared/masked-args.ts';
import type { DtmfDigit, ToolSpec } from '../voice/ports.ts';
import type { TurnEffect, TurnEvent } from '../voice/turn/types.ts';
import type { ToolAnswer, ToolRequest, ToolUse } from '../workers/protocol.ts';
import { LOOKUP_KNOWLEDGE } from './lookup-knowledge.ts';

type Asked = Extract<TurnEffect, { type: 'tool' }>;
type Told = Extract<TurnEffect, { type: 'tool_over' }>;

export interface ToolDeeds {
  now(): number;
  /** Words of the agent are still to be heard. */
  isSpeaking(): boolean;
  /** Looks something up in what the call has with it. */
  lookUp(args: Record<string, unknown>): unknown;
  sendKeys(digits: readonly DtmfDigit[]): void;
  onOptOut(): void;
  /** A tool that works outside this call's media. */
  onTool(request: ToolRequest): void;
  /** A result that is not the conversation's own. */
  answer(event: Extract<TurnEvent, { type: 'tool_result' }>): void;
  /** A tool has ended the call. */
  end(reason: NonNullable<ToolAnswer['ends']>): void;
}

interface Running {
  readonly asked: Asked;
  readonly at: number;
  readonly requestId: number;
  /** Not before the agent has spoken: a transfer. */
  readonly waits: boolean;
  begun: boolean;
}

const RECORDED = { ok: true, result: { status: 'recorded' } };
const KEY = /^[0-9A-D*#]$/;
const MOST_KEYS = 32;

/** The tools of one call at work, and the log of what they did. */
export class ToolUses {
  readonly log: ToolUse[];
  readonly #deeds: ToolDeeds;
  readonly #specs: ReadonlyMap<string, ToolSpec>;
  readonly #running: Running[] = [];
  #requests = 0;

  constructor(specs: readonly ToolSpec[], before: readonly ToolUse[], deeds: ToolDeeds) {
    this.log = [...before];
    this.#deeds = deeds;
    this.#specs = new Map(specs.map((spec) => [spec.name, spec]));
  }

  run(asked: Asked, at: number): void {
    const { name, args } = asked;
    const spec = this.#specs.get(name);
    if (name === 'opt_out') return this.optOut(args, at);
    if (name === 'end_call') return this.#note(asked, at, RECORDED);
    if (spec?.kind === 'send_keys') return this.#answer(asked, at, this.#sendKeys(spec, args));
    this.#running.push({
      asked,
      at,
      requestId: ++this.#requests,
      waits: spec?.kind === 'transfer',
      // The conversation itself waits for keys, and tells when it has them.
      begun: spec?.kind === 'wait_for_keys',
    });
    this.begin();
    return undefined;
  }

  get hasOptedOut(): boolean {
    return this.log.some(({ name }) => name === 'opt_out');
  }

  /** The caller wants no more calls: told and noted once, however often and by whomever it is understood. */
  optOut(args: Record<string, unknown>, at: number): void {
    if (this.hasOptedOut) return;
    this.#deeds.onOptOut();
    this.#note({ name: 'opt_out', args }, at, RECORDED);
  }

  /** Begins what may begin now; a transfer waits for the agent's last word. */
  begin(): void {
    for (const running of this.#running) {
      if (running.begun || (running.waits && this.#deeds.isSpeaking())) continue;
      running.begun = true;
      const { requestId, asked } = running;
      this.#deeds.onTool({ requestId, name: asked.name, args: asked.args });
    }
  }

  /** The answer of a tool that works elsewhere. */
  answered(requestId: number, outcome: ToolAnswer): void {
    const running = this.#running.find((entry) => entry.requestId === requestId);
    if (running === undefined) return;
    this.#forget(running);
    this.#answer(running.asked, running.at, this.#known(running.asked, outcome));
    if (outcome.ends !== undefined) this.#deeds.end(outcome.ends);
  }

  /** Where knowledge cannot be searched as a whole, what the call has with it is. */
  #known({ name, args }: Asked, outcome: ToolAnswer): ToolAnswer {
    const isMissing = name === LOOKUP_KNOWLEDGE.name && !outcome.ok;
    return isMissing ? { ok: true, result: this.#deeds.lookUp(args) } : outcome;
  }

  /** The conversation has given the tool up, or had its result itself. */
  over(told: Told): void {
    const running = this.#running.find(({ asked }) => asked.id === told.id && asked.replyId === told.replyId);
    if (running === undefined) return;
    this.#forget(running);
    this.#note(running.asked, running.at, told);
  }

  /** What was asked for by a reply that the caller cut off does not begin any more. */
  cancel(replyId: number): void {
    const given = this.#running.filter(({ asked, begun }) => asked.replyId === replyId && !begun);
    for (const running of given) {
      this.#forget(running);
      this.#answer(running.asked, running.at, { ok: false, result: { error: 'the caller interrupted' } });
    }
  }

  /** Notes what the end of the call left without an answer. */
  finish(): void {
    for (const { asked, at } of this.#running.splice(0)) {
      this.#note(asked, at, { ok: false, result: { error: 'the call ended' } });
    }
  }

  #sendKeys(spec: ToolSpec, args: Record<string, unknown>): ToolAnswer {
    const wanted = spec.digits ?? (typeof args['digits'] === 'string' ? args['digits'] : '');
    const digits = wanted
      .toUpperCase()
      .replaceAll(/[\s,-]/g, '')
      .split('');
    if (digits.length === 0 || digits.length > MOST_KEYS || !digits.every((digit) => KEY.test(digit))) {
      return { ok: false, result: { error: `digits must be 1 to ${MOST_KEYS} keys out of 0-9, * and #` } };
    }
    this.#deeds.sendKeys(digits as DtmfDigit[]);
    return { ok: true, result: { status: 'sent' } };
  }

  #answer(asked: Asked, at: number, outcome: ToolAnswer): void {
    this.#note(asked, at, outcome);
    const { replyId, id, name } = asked;
    this.#deeds.answer({
      type: 'tool_result',
      replyId,
      id,
      name,
      result: outcome.result,
      ...(outcome.variables === undefined ? {} : { variables: outcome.variables }),
      at: this.#deeds.now(),
    });
  }

  #note(
    asked: Pick<Asked, 'name' | 'args'>,
    at: number,
    outcome: Pick<ToolAnswer, 'ok' | 'result' | 'variables'>,
  ): void {
    this.log.push({
      name: asked.name,
      args: maskedArgs(asked.args),
      result: outcome.result,
      at,
      ms: Math.max(0, this.#deeds.now() - at),
      ok: outcome.ok,
      phase: 'on_call',
      ...(outcome.variables === undefined ? {} : { variables: outcome.variables }),
    });
  }

  #forget(running: Running): void {
    this.#running.splice(this.#running.indexOf(running), 1);
  }
}
