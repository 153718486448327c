import type { CallFailure } from '../telephony/leg.ts';
import type { NegotiatedMedia } from '../telephony/media.ts';
import type { DtmfDigit } from '../voice/ports.ts';
import type { EndReason } from '../voice/turn/types.ts';
import type { CallMedia, CallMediaEvents } from '../workers/call-media.ts';
import type {
  BridgeEvent,
  CallResult,
  CallSpec,
  LiveEvent,
  Talk,
  ToolAnswer,
  ToolRequest,
} from '../workers/protocol.ts';
import type { CallTools } from '../domain/tools/call-tools.ts';
import type { ToolLogEntry } from '../domain/tools/tool-log.ts';
import type { CallTransferTool } from '../domain/tools/tool-types.ts';
import type { AttemptRef } from '../store/attempts.ts';
import { afterTransfer, type Transferred } from './after-transfer.ts';
import type { AttemptEnding } from './attempt-log.ts';
import type { CallDeps } from './call-deps.ts';
import { JournalWrites } from './journal-writes.ts';
import { settleUntilStored } from './settle-until-stored.ts';
import type { WarmOrder, WarmTransfer } from './warm-transfer.ts';

/** A BYE or CANCEL towards the far side, whatever the direction. */
export interface Hangup {
  (cause: string): void;
}

/** The ways to hand the caller over. */
export interface Transfers {
  /** The far side calls the other one itself. Never rejects. */
  cold(tool: CallTransferTool): Promise<ToolAnswer>;
  /** We call, and stay between the two. */
  warm(order: Pick<WarmOrder, 'tool' | 'media' | 'onLeft'>): WarmTransfer;
}

/** How far past every other limit a call is ended by force, ms. */
const GRACE_MS = 15_000;
const RESULT_TIMEOUT_MS = 8000;

/**
 * One attempt from its first packet to its settlement. It is the single owner of "how did this end": the first
 * cause wins, later ones are echoes. Its own timer ends a call that nothing else ends.
 */
export class LiveCall implements CallMediaEvents {
  readonly ref: AttemptRef;
  readonly #deps: CallDeps;
  readonly #hangup: Hangup;
  #media: CallMedia | null = null;
  #answeredAt: number | null = null;
  #hangupBy: 'caller' | 'agent' | 'system' | null = null;
  #sipCode: number | null = null;
  #sipCallId: string | null = null;
  #failure: CallFailure | null = null;
  #settled = false;
  #tools: CallTools | null = null;
  #transfers: Transfers | null = null;
  /** A caller on the way to somebody, or with them. */
  #warm: WarmTransfer | null = null;
  /** The far side has taken the caller over, by the tool of this name. */
  #transferred: Transferred | null = null;
  readonly #journal: JournalWrites;
  #guard: NodeJS.Timeout | null = null;
  readonly done: Promise<void>;
  #resolveDone: () => void = () => undefined;

  constructor(ref: AttemptRef, deps: CallDeps, hangup: Hangup) {
    this.ref = ref;
    this.#deps = deps;
    this.#hangup = hangup;
    this.#journal = new JournalWrites(ref, deps);
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve;
    });
    deps.live.add(ref.workspaceId, ref.callId, () => this.end('USER_TERMINATED'));
  }

  attach(media: CallMedia): void {
    this.#media = media;
  }

  get isAnswered(): boolean {
    return this.#answeredAt !== null;
  }

  /** What the agent may use in this call. */
  useTools(tools: CallTools): void {
    this.#tools = tools;
  }

  /** How this leg can hand its caller over. */
  useTransfer(transfers: Transfers): void {
    this.#transfers = transfers;
  }

  /** The first words are made while the far side rings. */
  prepare(spec: CallSpec): void {
    this.#media?.prepare(spec);
  }

  setMedia(media: NegotiatedMedia): void {
    this.#media?.setMedia(media);
  }

  ringing(at: number, sipCode: number): void {
    this.#status('ongoing', 'RINGING', at);
    this.#journal.ringing({ at, sipCode });
  }

  /** The far side answered and media is agreed: the conversation starts before the journal is written. */
  answered(at: number, sipCallId: string, spec: CallSpec): void {
    if (this.#answeredAt !== null || this.#settled) return;
    this.#answeredAt = at;
    this.#sipCallId = sipCallId;
    this.#media?.answered(spec, at);
    this.#status('ongoing', 'ACCEPTED', at);
    this.#journal.answered(at, () => {
      this.#deps.log.error({ callId: this.ref.callId }, 'a call answered after it was taken from this node');
      this.#media?.end('FAILED', null);
    });
    this.guard(spec.maxCallMs + GRACE_MS);
  }

  /** Ends the attempt by force when nothing else has within `ms`. */
  guard(ms: number): void {
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.#guard = setTimeout(() => {
      this.#deps.log.warn({ callId: this.ref.callId }, 'a call outlived every limit and is ended');
      this.#hangup('guard');
      this.#lost('the call outlived every limit');
    }, ms);
  }

  /** Ends the call for a reason of ours; before an answer this cancels the attempt. */
  end(reason: EndReason, say: string | null = null): void {
    if (this.#settled) return;
    this.#hangupBy ??= 'system';
    if (this.#answeredAt === null) this.#hangup('cancelled');
    else this.#media?.end(reason, say);
  }

  /** The signalling says the far side has hung up (or the dialog broke). */
  remoteEnded(by: 'caller' | 'agent' | 'system', sipCode: number | null, at: number): void {
    this.#hangupBy ??= by;
    this.#sipCode ??= sipCode;
    this.#media?.remoteHangup(at);
    this.#warm?.end(by === 'caller' ? 'caller' : 'system');
    if (this.#answeredAt !== null) this.guard(RESULT_TIMEOUT_MS);
  }

  remoteDtmf(digit: DtmfDigit, at: number): void {
    this.#media?.dtmf(digit, at);
  }

  /** No call came to be. */
  failed(failure: CallFailure): void {
    if (this.#settled) return;
    this.#failure = failure;
    this.#media?.release();
    const toolLog = this.#tools?.log ?? [];
    this.#settle({ kind: 'not_answered', failure, sipCallId: this.#sipCallId, toolLog, at: failure.at });
  }

  /** Nobody was rung, and the attempt went back to the queue: there is nothing to settle. */
  givenBack(): void {
    if (this.#settled) return;
    this.#settled = true;
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.#media?.release();
    void this.#tools?.close();
    const at = this.#deps.clock.now();
    this.#deps.live.remove(this.ref.callId, { type: 'ended', status: 'registered', subStatus: 'QUEUED', at });
    this.#resolveDone();
    this.#deps.onSettled();
  }

  /** Nobody is rung: a tool that the call depends on failed. */
  notDialled(toolLog: readonly ToolLogEntry[]): void {
    if (this.#settled) return;
    this.#media?.release();
    this.#settle({ kind: 'not_dialled', toolLog, at: this.#deps.clock.now() });
  }

  onLive(event: LiveEvent): void {
    this.#deps.live.publish(this.ref.callId, event);
  }

  onTalk(news: Talk): void {
    this.#journal.talk(news);
  }

  onOptOut(): void {
    this.#journal.optOut();
  }

  onTool({ requestId, name, args }: ToolRequest): void {
    void this.#useTool(name, args).then((outcome) => this.#media?.toolResult(requestId, outcome));
  }

  async #useTool(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const tools = this.#tools;
    if (tools === null) return { ok: false, result: { error: 'no such tool' } };
    const transfer = tools.transfer(name);
    if (transfer === null) return this.#run(tools, name, args);
    const ways = this.#transfers;
    if (ways === null) return { ok: false, result: { error: 'this call cannot be transferred' } };
    const isWarm = transfer.mode === 'warm';
    const outcome = await (isWarm ? this.#handOver(ways, transfer) : ways.cold(transfer));
    if (outcome.ends === 'CALL_TRANSFERRED' || (isWarm && outcome.ok)) {
      this.#transferred = { name, answer: outcome };
    }
    return outcome;
  }

  /** A promise holds whatever becomes of this process: it is written as soon as it is made. */
  async #run(tools: CallTools, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const before = tools.callback;
    const outcome = await tools.run(name, args);
    const at = tools.callback?.at;
    if (at !== undefined && tools.callback !== before) {
      this.#journal.callback(at);
    }
    return outcome;
  }

  async #handOver(ways: Transfers, tool: CallTransferTool): Promise<ToolAnswer> {
    const media = this.#media;
    if (media === null || this.#warm !== null || this.#settled) {
      return { ok: false, result: { status: 'failed', reason: 'another transfer is under way' } };
    }
    const warm = ways.warm({ tool, media, onLeft: () => media.end('CALL_TRANSFERRED', null) });
    this.#warm = warm;
    const outcome = await warm.run();
    if (!outcome.ok && this.#warm === warm) this.#warm = null;
    return outcome;
  }

  onBridge(event: BridgeEvent): void {
    this.#warm?.onBridge(event);
  }

  onHangup(_reason: EndReason): void {
    if (this.#hangupBy === null) this.#hangupBy = 'agent';
    this.#warm?.end('system');
    this.#hangup('normal');
    this.guard(RESULT_TIMEOUT_MS);
  }

  onFinished(result: CallResult): void {
    if (this.#answeredAt === null) return;
    this.#settle({
      kind: 'answered',
      result: {
        ...afterTransfer(result, this.#transferred, this.#warm?.summary(result.endedAt) ?? null),
        callback: this.#tools?.callback ?? result.callback,
      },
      callbackAt: null,
      answeredAt: this.#answeredAt,
      hangupBy: this.#hangupBy ?? 'system',
      sipCallId: this.#sipCallId,
      sipCode: this.#sipCode,
      at: result.endedAt,
    });
  }

  onLost(): void {
    this.#hangup('worker lost');
    this.#lost('the call worker ended');
  }

  /** Settles without a result of the conversation: what is known is that it was answered or not. */
  #lost(reason: string): void {
    const at = this.#deps.clock.now();
    if (this.#answeredAt === null) {
      this.failed(this.#failure ?? { failure: 'failed', sipCode: null, reason, neverSent: false, at });
      return;
    }
    this.#settle({
      kind: 'answered',
      result: null,
      callbackAt: this.#tools?.callback?.at ?? null,
      answeredAt: this.#answeredAt,
      hangupBy: 'system',
      sipCallId: this.#sipCallId,
      sipCode: this.#sipCode,
      at,
    });
  }

  #settle(ending: AttemptEnding): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#warm?.end('system');
    if (this.#guard !== null) clearTimeout(this.#guard);
    void this.#tools?.close();
    const settle = () => this.#journal.settle(ending);
    void settleUntilStored(this.#deps, this.ref, settle, ending.at).finally(() => {
      this.#resolveDone();
      this.#deps.onSettled();
    });
  }

  #status(status: string, subStatus: string, at: number): void {
    this.#deps.live.publish(this.ref.callId, { type: 'status', status, subStatus, at });
  }
}
