import type { StoredStatus } from '../domain/calls/attempt/transitions.ts';
import { laterVariables } from '../domain/calls/header-variables.ts';
import { writeLadder } from '../domain/calls/sip-ladder.ts';
import type { FailureReason } from '../shared/failure-reason.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { ByeHeaders, CallFailure, OutboundLeg, ReferRequest, SipStep } from '@callwright/sip';
import type { DtmfDigit } from '@callwright/audio';
import type { ConversationProgress, ConversationResult, ToolLogEntry } from '../voice/conversation.ts';
import type { EndReason } from '@callwright/turns';
import type { CallMedia, CallMediaEvents } from '../workers/call-media.ts';
import type {
  BridgeEvent,
  CallSpec,
  LiveEvent,
  SpecialTones,
  ToolAnswer,
  ToolRequest,
} from '../session/protocol.ts';
import { CallHold } from './call-hold.ts';
import {
  PREPARING,
  step,
  type CallEffect,
  type CallEnd,
  type CallEvent,
  type CallState,
  type Side,
} from './call-machine.ts';
import { AttemptJournal, CLAIMED, type JournalDeps } from './journal.ts';
import type { Listening, LiveCalls } from './live-calls.ts';
import { MemberOrders } from './member-orders.ts';
import { ToolUse } from './tool-use.ts';

/** What every direction of a call needs from the process. */
export interface CallDeps extends JournalDeps {
  readonly live: LiveCalls;
  /** Runs when an attempt was settled or released: capacity is free. */
  onSettled(): void;
  /** Who listens to calls; absent: no one can. */
  readonly listening?: Pick<Listening, 'left' | 'ended'>;
}

/** Runs the call machine of one attempt: passes it what signalling and worker report, and runs its effects. */
export class LiveCall implements CallMediaEvents {
  readonly ref: AttemptRef;
  readonly journal: AttemptJournal;
  readonly tools: ToolUse;
  readonly hold: CallHold;
  readonly done: Promise<void>;
  readonly #deps: CallDeps;
  readonly #hangup: (cause: string) => void;
  #state: CallState = PREPARING;
  /** Events that effects caused: a hangup reports its end at once. They run after the effects of their cause. */
  readonly #queue: CallEvent[] = [];
  #isStepping = false;
  #media: CallMedia | null = null;
  #trace: () => readonly SipStep[] = () => [];
  #farSide: () => Pick<OutboundLeg, 'sendInfoDtmf'> | null = () => null;
  /** What the far side's requests say, as variables of the call. */
  #variables: Readonly<Record<string, string>> = {};
  #guard: NodeJS.Timeout | null = null;
  /** Null before the answer. */
  #spec: CallSpec | null = null;
  readonly #orders: MemberOrders;
  #resolveDone: () => void = () => undefined;

  /** `hangup` sends BYE or CANCEL to the far side. `isClaimed`: the attempt passes the dial gate first. */
  constructor(ref: AttemptRef, deps: CallDeps, hangup: (cause: string) => void, isClaimed = false) {
    this.ref = ref;
    this.#deps = deps;
    this.#hangup = hangup;
    this.journal = new AttemptJournal(ref, deps, isClaimed);
    this.tools = new ToolUse(this.journal);
    this.hold = new CallHold({
      callId: ref.callId,
      log: deps.log,
      tools: this.tools,
      media: () => this.#media,
      isEnding: () => this.isEnding,
      onLive: (event) => this.onLive(event),
    });
    this.tools.setHold((isHeld) => this.hold.forTransfer(isHeld));
    this.#orders = new MemberOrders({
      ref,
      db: deps.db,
      log: deps.log,
      tools: this.tools,
      hold: this.hold,
      media: () => this.#media,
      isOver: () => this.isOver,
      now: () => this.#now,
      language: () => this.#spec?.agent.language ?? '',
      onLive: (event) => this.onLive(event),
    });
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve;
    });
    deps.live.add(ref.workspaceId, ref.callId, {
      hangup: () => this.#take({ type: 'hangup_requested', at: this.#now }),
      cut: (cause) => this.#take({ type: 'cut', at: this.#now, cause }),
      control: (order) => {
        if (this.#media === null || this.#state.name !== 'answered') return false;
        this.#orders.add(order);
        return true;
      },
      listen: (listenerId, name, socket) => {
        if (this.#media === null || this.isOver) return false;
        this.#media.listen(listenerId, name, socket);
        this.#orders.listens(name);
        return true;
      },
      unlisten: (listenerId) => this.#media?.unlisten(listenerId),
    });
  }

  attach(media: CallMedia): void {
    this.#media = media;
  }

  /** Reads the SIP messages of the call, which the settlement stores. */
  setTrace(read: () => readonly SipStep[]): void {
    this.#trace = read;
  }

  /** The leg whose signalling takes keys for the far side. */
  setFarSide(leg: () => Pick<OutboundLeg, 'sendInfoDtmf'> | null): void {
    this.#farSide = leg;
  }

  get isAnswered(): boolean {
    return this.#state.name === 'answered' || (this.#state.name === 'ending' && this.#state.answer !== null);
  }

  get isOver(): boolean {
    return this.#state.name === 'over';
  }

  /** Something has ended the call: nothing may be sent for it any more. */
  get isEnding(): boolean {
    return this.#state.name === 'ending' || this.isOver;
  }

  /** This process ends the call because it stops or was fenced. */
  get isCut(): boolean {
    return this.#state.name === 'ending' && this.#state.cut !== null;
  }

  /** Prepares the conversation while the far side rings: its first sentence is synthesised before the answer. */
  prepare(spec: CallSpec): void {
    this.#media?.prepare(spec);
  }

  setMedia(media: NegotiatedMedia): void {
    this.hold.sees(media);
    this.#media?.setMedia(media);
  }

  /** INVITE, 200 or browser connection are under way; without an answer the guard ends the call after `withinMs`. */
  connecting(withinMs: number): void {
    this.#take({ type: 'connecting', at: this.#now, withinMs });
  }

  ringing(at: number, sipCode: number): void {
    this.#take({ type: 'ringing', at, sipCode });
  }

  answered(at: number, sipCallId: string, spec: CallSpec): void {
    this.#spec = spec;
    this.#take({ type: 'answered', at, sipCallId, spec });
  }

  /** The far side hung up, or the dialog broke; before the answer the caller gave up. */
  remoteEnded(by: Side, sipCode: number | null, at: number, bye?: ByeHeaders): void {
    if (bye !== undefined) this.#learn('bye', bye);
    this.#take({ type: 'remote_ended', at, by, sipCode });
  }

  /**
   * Whether the far side may refer the call to `to`: `permit` decides as for a redirect. The agent goes on with the target.
   * Never rejects.
   */
  async referred({ to, headers }: ReferRequest, permit: (to: string) => Promise<boolean>): Promise<boolean> {
    if (!this.isAnswered || this.isEnding || !(await permit(to)) || this.isEnding) return false;
    this.#learn('refer', headers);
    this.onLive({ type: 'notice', code: 'REFERRED', message: `the far side transfers the call to ${to}` });
    return true;
  }

  #learn(request: 'bye' | 'refer', headers: ByeHeaders): void {
    this.#variables = { ...this.#variables, ...laterVariables(request, headers) };
  }

  /** The attempt ended without an answer. */
  failed(failure: CallFailure): void {
    this.#take({ type: 'failed', at: failure.at, failure });
  }

  /** A pre-call tool that the call depends on failed: the attempt ends without a dial. */
  notDialled(toolLog: readonly ToolLogEntry[]): void {
    this.#take({ type: 'not_dialled', at: this.#now, toolLog });
  }

  /**
   * The attempt needs no settlement: it was released, or the dial gate refused it. `stored` is the call's status in the
   * database. Null: nothing could be written, so the attempt stays claimed until the reaper releases it.
   */
  released(stored: StoredStatus | null): void {
    this.#take({ type: 'released', at: this.#now, stored });
  }

  onDtmf(digit: DtmfDigit, at: number): void {
    this.#media?.dtmf(digit, at);
  }

  onLive(event: LiveEvent): void {
    if (event.type === 'line') this.#orders.spoken();
    this.#deps.live.publish(this.ref.callId, event);
  }

  onProgress(progress: ConversationProgress): void {
    this.journal.talk(progress);
  }

  onOptOut(): void {
    this.journal.optOut();
  }

  onTool({ requestId, name, args, key }: ToolRequest): void {
    const media = this.isOver ? null : this.#media;
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

  onMayHandTo(agentIds: readonly string[]): void {
    for (const id of agentIds)
      void this.tools.ahead(id).then((agent) => {
        if (agent !== null && !this.isOver) this.#media?.prepareNext(agent);
      });
  }

  onBridge(event: BridgeEvent): void {
    this.tools.onBridge(event);
  }

  onKeys(digits: readonly DtmfDigit[]): void {
    for (const digit of digits)
      this.#farSide()?.sendInfoDtmf(digit, (refused) => this.#media?.keysInAudio([refused]));
  }

  onBridgeKeys(digits: readonly DtmfDigit[]): void {
    this.tools.onBridgeKeys(digits);
  }

  onSpecialTones({ isNumber, at }: SpecialTones): void {
    this.#take({ type: 'special_tones', at, isNumber });
  }

  onLeft(by: 'caller' | 'system', at: number): void {
    this.remoteEnded(by, null, at);
  }

  onListenerLeft(listenerId: string): void {
    this.#deps.listening?.left(listenerId);
  }

  onHangup(_reason: EndReason, failure?: FailureReason): void {
    this.#take({ type: 'conversation_ended', at: this.#now, failure: failure ?? null });
  }

  onFinished(result: ConversationResult): void {
    this.#take({ type: 'finished', at: result.endedAt, result: this.tools.complete(result) });
  }

  onLost(why: 'ended' | 'memory'): void {
    this.#take({ type: 'worker_lost', at: this.#now, why });
  }

  get #now(): number {
    return this.#deps.clock.now();
  }

  #take(event: CallEvent): void {
    this.#queue.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, effects } = step(this.#state, next);
        this.#state = state;
        for (const effect of effects) this.#run(effect);
      }
    } finally {
      this.#isStepping = false;
    }
  }

  #run(effect: CallEffect): void {
    switch (effect.type) {
      case 'hangup':
        return this.#hangup(effect.cause);
      case 'guard':
        return this.#setGuard(effect.ms);
      case 'status': {
        const { subStatus, at } = effect;
        return this.#deps.live.publish(this.ref.callId, { type: 'status', status: 'ongoing', subStatus, at });
      }
      case 'journal_ringing':
        return this.journal.ringing({ at: effect.at, sipCode: effect.sipCode });
      case 'journal_answered':
        return this.journal.answered(effect.at, () => this.#disowned());
      case 'start_conversation':
        return this.#media?.answered(effect.spec, effect.at);
      case 'end_conversation':
        return this.#media?.end(effect.reason, null);
      case 'remote_hangup':
        return this.#media?.remoteHangup(effect.at);
      case 'end_transfer':
        return this.tools.end(effect.by);
      case 'free_media':
        return this.#media?.release();
      case 'settle':
        return this.#settle(effect.end);
      case 'leave':
        this.#close();
        return this.#end(effect.stored ?? CLAIMED, effect.at, null);
    }
  }

  #setGuard(ms: number): void {
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.#guard = setTimeout(() => {
      this.#deps.log.warn({ callId: this.ref.callId }, 'a call outlived every limit; it is ended by force');
      this.#take({ type: 'guard', at: this.#now });
    }, ms);
  }

  #disowned(): void {
    this.#deps.log.error(
      { callId: this.ref.callId },
      'a call was answered that this node no longer owns; it is hung up',
    );
    this.#take({ type: 'disowned', at: this.#now });
  }

  #settle(end: CallEnd): void {
    this.tools.end('system');
    this.#close();
    const toolLog = end.toolLog ?? (end.answeredAt === null ? this.tools.log : undefined);
    const ending = {
      ...end,
      ...(toolLog === undefined ? {} : { toolLog }),
      callbackAt: this.tools.callbackAt,
      transferLegs: this.tools.transferLegs,
      sipMessages: writeLadder(this.#trace()),
      variables: this.#variables,
    };
    void this.journal.settle(ending).then((settled) => this.#end(settled, end.endedAt, settled.failure));
  }

  #close(): void {
    if (this.#guard !== null) clearTimeout(this.#guard);
    this.tools.close();
  }

  /**
   * Publishes the last event: the status that the database holds, for a settlement that could not be stored the one that
   * the reaper will store, and for a call that was deleted meanwhile its outcome.
   */
  #end({ status, subStatus }: StoredStatus, at: number, failure: FailureReason | null): void {
    this.#deps.listening?.ended(this.ref.callId);
    this.#deps.live.remove(this.ref.callId, { type: 'ended', status, subStatus, at, failure });
    this.#resolveDone();
    this.#deps.onSettled();
  }
}
