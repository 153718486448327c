import { failureOf, outcomeOf, type Ending } from '../domain/calls/attempt/next-step.ts';
import type { StoredStatus } from '../domain/calls/attempt/transitions.ts';
import type { Clock } from '../shared/clock.ts';
import { failureReason, type FailureCode, type FailureReason } from '../shared/failure-reason.ts';
import type { Log } from '../shared/log.ts';
import { writeLadder } from '../domain/calls/sip-ladder.ts';
import type { CallFailure, SipStep } from '@callwright/sip';
import type { DtmfDigit } from '@callwright/audio';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { EndReason } from '@callwright/turns';
import type { CallMedia, CallMediaEvents } from '../workers/call-media.ts';
import type {
  BridgeEvent,
  CallSpec,
  LiveEvent,
  SpecialTones,
  ToolAnswer,
  ToolRequest,
} from '../workers/protocol.ts';
import type { ConversationProgress, ConversationResult, ToolLogEntry } from '../voice/conversation.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import { AttemptJournal, type AttemptWrites } from './journal.ts';
import type { Listening, Cut, LiveCalls } from './live-calls.ts';
import { ToolUse } from './tool-use.ts';

/** What both directions of a call need from the process. */
export interface CallDeps {
  readonly writes: AttemptWrites;
  readonly live: LiveCalls;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs when an attempt was settled or released: capacity is free. */
  onSettled(): void;
  /** Who listens to calls; absent: no one can. */
  readonly listening?: Pick<Listening, 'left' | 'ended'>;
}

/** Sends BYE or CANCEL to the far side, whatever the direction. */
export interface Hangup {
  (cause: string): void;
}

/** How long after the call's own limit the guard ends it by force. */
const GRACE_MS = 15_000;
/** How long the call worker may take for its result after a hangup. */
const RESULT_TIMEOUT_MS = 8000;
/** A call as the claim stored it. */
const CLAIMED: StoredStatus = { status: 'ongoing', subStatus: 'QUEUED' };

/**
 * One attempt from its first packet to its settlement, and the single owner of "how did this end": the first cause
 * wins, later ones are echoes. A guard timer ends a call that nothing else ends.
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
  /** Why the conversation failed, as far as its worker could say. */
  #fault: FailureReason | null = null;
  #cut: Cut | null = null;
  #trace: () => readonly SipStep[] = () => [];
  #isOver = false;
  readonly journal: AttemptJournal;
  readonly tools: ToolUse;
  #guard: NodeJS.Timeout | null = null;
  readonly done: Promise<void>;
  #resolveDone: () => void = () => undefined;

  constructor(ref: AttemptRef, deps: CallDeps, hangup: Hangup) {
    this.ref = ref;
    this.#deps = deps;
    this.#hangup = hangup;
    this.journal = new AttemptJournal(ref, deps);
    this.tools = new ToolUse(this.journal);
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve;
    });
    deps.live.add(ref.workspaceId, ref.callId, {
      hangup: () => this.end('USER_TERMINATED'),
      cut: (cause) => this.#cutOff(cause),
      listen: (listenerId, socket) => {
        if (this.#media === null || this.#isOver) return false;
        this.#media.listen(listenerId, socket);
        return true;
      },
    });
  }

  attach(media: CallMedia): void {
    this.#media = media;
  }

  /** Reads the SIP messages of the call, which the settlement stores. */
  setTrace(read: () => readonly SipStep[]): void {
    this.#trace = read;
  }

  get isAnswered(): boolean {
    return this.#answeredAt !== null;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** This process ends the call because it stops or was fenced. */
  get isCut(): boolean {
    return this.#cut !== null;
  }

  /** Prepares the conversation while the far side rings: its first sentence is synthesised before the answer. */
  prepare(spec: CallSpec): void {
    this.#media?.prepare(spec);
  }

  setMedia(media: NegotiatedMedia): void {
    this.#media?.setMedia(media);
  }

  ringing(at: number, sipCode: number): void {
    this.#status('ongoing', 'RINGING', at);
    this.journal.ringing({ at, sipCode });
  }

  /** The far side answered and media is agreed. The conversation does not wait for the journal. */
  answered(at: number, sipCallId: string, spec: CallSpec): void {
    if (this.#answeredAt !== null || this.#isOver) return;
    this.#answeredAt = at;
    this.#sipCallId = sipCallId;
    this.#media?.answered(spec, at);
    this.#status('ongoing', 'ACCEPTED', at);
    this.journal.answered(at, () => {
      this.#deps.log.error(
        { callId: this.ref.callId },
        'a call was answered that this node no longer owns; it is hung up',
      );
      this.#fault = failureReason('NOT_OWNED');
      this.#media?.end('FAILED', null);
    });
    this.guard(spec.maxCallMs + GRACE_MS);
  }

  /** Ends the attempt by force unless something else does within `ms`. */
  guard(ms: number): void {
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.#guard = setTimeout(() => {
      this.#deps.log.warn({ callId: this.ref.callId }, 'a call outlived every limit; it is ended by force');
      this.#hangup('guard');
      this.#lost('the call outlived every limit', 'LIMITS_EXCEEDED');
    }, ms);
  }

  /** Ends the call from our side; before the answer this cancels the attempt. */
  end(reason: EndReason, say: string | null = null): void {
    if (this.#isOver) return;
    this.#hangupBy ??= 'system';
    if (this.#answeredAt === null) this.#hangup('cancelled');
    else this.#media?.end(reason, say);
  }

  #cutOff(cause: Cut): void {
    if (this.#isOver || this.#hangupBy !== null || this.#failure !== null) return;
    this.#cut = cause;
    this.#hangupBy = 'system';
    this.#hangup('the service stops');
    // A browser call has no BYE: its worker closes the connection.
    if (this.#answeredAt !== null) this.#media?.end('USER_TERMINATED', null);
  }

  /** The far side hung up, or the dialog broke. */
  remoteEnded(by: 'caller' | 'agent' | 'system', sipCode: number | null, at: number): void {
    this.#hangupBy ??= by;
    this.#sipCode ??= sipCode;
    this.#media?.remoteHangup(at);
    this.tools.end(by === 'caller' ? 'caller' : 'system');
    if (this.#answeredAt !== null) this.guard(RESULT_TIMEOUT_MS);
  }

  remoteDtmf(digit: DtmfDigit, at: number): void {
    this.#media?.dtmf(digit, at);
  }

  /** The attempt ended without an answer. */
  failed(ended: CallFailure): void {
    if (this.#isOver) return;
    const heard = this.#failure;
    const failure = heard === null ? ended : { ...heard, sipCode: ended.sipCode, at: ended.at };
    this.#failure = failure;
    this.#media?.release();
    this.#settle({
      end: { kind: 'not_answered', failure: failure.failure },
      endedAt: failure.at,
      answeredAt: null,
      hangupBy: null,
      sipCallId: this.#sipCallId,
      sipCode: failure.sipCode,
      reason: failure.reason,
      retryAfterMs: failure.retryAfterMs ?? null,
      toolLog: this.tools.log,
      result: null,
    });
  }

  /** A pre-call tool that the call depends on failed: the attempt ends without a dial. */
  notDialled(toolLog: readonly ToolLogEntry[]): void {
    if (this.#isOver) return;
    this.#media?.release();
    this.#settle({
      end: { kind: 'not_answered', failure: 'pre_call_failed' },
      endedAt: this.#deps.clock.now(),
      answeredAt: null,
      hangupBy: null,
      sipCallId: null,
      sipCode: null,
      reason: 'a tool before the call failed',
      toolLog,
      result: null,
    });
  }

  /**
   * The attempt needs no settlement: it was released, or the dial gate refused it. `stored` is the call's status in the
   * database. Null: nothing could be written, so the attempt stays claimed until the reaper releases it.
   */
  released(stored: StoredStatus | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.#media?.release();
    this.tools.close();
    this.#end(stored ?? CLAIMED, this.#deps.clock.now());
  }

  onLive(event: LiveEvent): void {
    this.#deps.live.publish(this.ref.callId, event);
  }

  onProgress(progress: ConversationProgress): void {
    this.journal.talk(progress);
  }

  onOptOut(): void {
    this.journal.optOut();
  }

  onTool({ requestId, name, args, key }: ToolRequest): void {
    const media = this.#isOver ? null : this.#media;
    const { callId, attempt } = this.ref;
    const use = { name, args, key: `${callId}-${attempt}-${key}` };
    const failed = (error: unknown): ToolAnswer => {
      this.#deps.log.error({ err: error, callId }, 'a tool could not be run');
      return { ok: false, result: { error: 'the tool failed' } };
    };
    void this.tools
      .use(use, media)
      .catch(failed)
      .then((answer) => this.#media?.toolResult(requestId, answer));
  }

  onBridge(event: BridgeEvent): void {
    this.tools.onBridge(event);
  }

  onSpecialTones({ isNumber, at }: SpecialTones): void {
    if (this.#answeredAt !== null || this.#isOver || this.#hangupBy !== null) return;
    const reason = 'special information tones while it rang';
    const failure = isNumber ? 'invalid_number' : 'failed';
    this.#failure = { failure, sipCode: null, reason, neverSent: false, at };
    this.#hangup('special information tones');
  }

  onLeft(by: 'caller' | 'system', at: number): void {
    if (this.#answeredAt !== null) return this.remoteEnded(by, null, at);
    const reason = 'the caller gave up';
    return this.failed({ failure: 'cancelled', sipCode: null, reason, neverSent: false, at });
  }

  onListenerLeft(listenerId: string): void {
    this.#deps.listening?.left(listenerId);
  }

  onHangup(_reason: EndReason, failure?: FailureReason): void {
    this.#fault ??= failure ?? null;
    if (this.#hangupBy === null) this.#hangupBy = 'agent';
    this.tools.end('system');
    this.#hangup('normal');
    this.guard(RESULT_TIMEOUT_MS);
  }

  onFinished(result: ConversationResult): void {
    if (this.#answeredAt === null) return;
    const final = this.tools.complete(result);
    this.#settle({
      end: { kind: 'answered', reason: final.reason },
      endedAt: result.endedAt,
      answeredAt: this.#answeredAt,
      hangupBy: this.#hangupBy ?? 'system',
      sipCallId: this.#sipCallId,
      sipCode: this.#sipCode,
      reason: final.reason,
      failure: final.reason === 'FAILED' ? (this.#fault ?? final.failure ?? null) : null,
      result: final,
    });
  }

  onLost(): void {
    this.#hangup('worker lost');
    this.#lost('the call worker ended', 'WORKER_LOST');
  }

  /** Settles without a conversation result: only whether the call was answered is known. */
  #lost(reason: string, code: FailureCode): void {
    const at = this.#deps.clock.now();
    if (this.#answeredAt === null) {
      this.failed(this.#failure ?? { failure: 'failed', sipCode: null, reason, neverSent: false, at });
      return;
    }
    this.#settle({
      end: { kind: 'answered', reason: 'FAILED' },
      endedAt: at,
      answeredAt: this.#answeredAt,
      hangupBy: 'system',
      sipCallId: this.#sipCallId,
      sipCode: this.#sipCode,
      reason,
      failure: this.#fault ?? failureReason(code),
      result: null,
      callbackAt: this.tools.callbackAt,
    });
  }

  #settle(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.tools.end('system');
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.tools.close();
    const { transferLegs } = this.tools;
    const settled = this.#cut === null ? ending : cutEnding(this.#cut, ending);
    const sipMessages = writeLadder(this.#trace());
    void this.journal
      .settle({ ...settled, transferLegs, sipMessages })
      .then((stored) => this.#end(stored, settled.endedAt, failureOf(settled, outcomeOf(settled.end))));
  }

  /** Publishes exactly the status that the database holds, as the last event. */
  #end({ status, subStatus }: StoredStatus, at: number, failure: FailureReason | null = null): void {
    this.#deps.listening?.ended(this.ref.callId);
    this.#deps.live.remove(this.ref.callId, { type: 'ended', status, subStatus, at, failure });
    this.#resolveDone();
    this.#deps.onSettled();
  }

  #status(status: string, subStatus: string, at: number): void {
    this.#deps.live.publish(this.ref.callId, { type: 'status', status, subStatus, at });
  }
}

/** The end of a call that this process cut, unless the far side ended it at the same moment, such as by a busy response. */
function cutEnding(cut: Cut, ending: Ending): Ending {
  const { end } = ending;
  if (end.kind === 'not_answered' && end.failure !== 'cancelled') return ending;
  const reason = cut === 'stopped' ? 'the service stopped' : 'node lost';
  return { ...ending, end: { kind: cut }, hangupBy: 'system', reason };
}
