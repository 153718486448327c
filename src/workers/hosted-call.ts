import { relative } from 'node:path';
import { earlyMedia } from '../session/early-media.ts';
import type { CallSession } from '../session/call-session.ts';
import type { Person } from '../session/person.ts';
import { Listeners } from '../session/taps.ts';
import type { ConversationOrder } from '../shared/call-order.ts';
import { failureReason } from '../shared/failure-reason.ts';
import type { Serves } from '../shared/threads/remote.ts';
import { type NegotiatedMedia, sends } from '@callwright/rtp';
import type { ListenerSocket } from '../telephony/web/listener-socket.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { EndReason } from '@callwright/turns';
import type { Chosen } from '../providers/choose/open.ts';
import type { AnyLeg, CallHostDeps, HostedLeg } from './call-host.ts';
import type { Allocation, HostedCallApi, RtpTerms } from './call-media.ts';
import { processorBudget } from './processor-shares.ts';
import { openSession } from './open-session.ts';
import type { CallSpec, InvitedGuest, NextAgent, ToolAnswer } from '../session/protocol.ts';
import type { SessionProviders } from './session-providers.ts';

/** What a call needs of its host. */
export interface CallHome {
  readonly deps: CallHostDeps;
  readonly providers: SessionProviders;
  /** Opens a leg; `take` returns why it is not wanted any more. */
  allocate(terms: RtpTerms, take: (leg: HostedLeg) => string | null): Promise<Allocation>;
  refuse(refusal: string): Allocation;
  /** The call is over and its legs are closed. */
  gone(callId: string): void;
}

type Order = (session: CallSession) => void;

/** One call of a worker: turns the main thread's messages into acts of its legs and its session. */
export class HostedCall implements Serves<HostedCallApi> {
  readonly callId: string;
  readonly leg: AnyLeg;
  readonly listeners = new Listeners();
  readonly listening = new Map<string, ListenerSocket>();
  /** Providers that agent or workspace chose; null: none yet, or those of the installation. */
  chosen: Chosen | null = null;
  /** Providers of agents that took the call over. */
  readonly others: Chosen[] = [];
  finishing = false;
  readonly #processor = processorBudget();
  readonly #home: CallHome;
  readonly #terms: RtpTerms | undefined;
  #session: CallSession | null = null;
  /** Orders for the session of an answered call whose providers still load; null: it does not wait for any. */
  #early: Order[] | null = null;
  /** The network's sounds while it rings are listened to. */
  #hearsEarlyMedia = false;
  /** Identifies the request for the transfer leg; null: none is wanted. */
  #bridge: object | null = null;
  #target: HostedLeg | null = null;

  /** `terms`: those of its RTP; absent: its audio travels otherwise. */
  constructor(callId: string, leg: AnyLeg, home: CallHome, terms?: RtpTerms) {
    this.callId = callId;
    this.leg = leg;
    this.#home = home;
    this.#terms = terms;
    if ('update' in leg) leg.signalKeysBy((digits) => home.deps.main.of(callId).send.onKeys(digits));
  }

  /** What persons of the workspace do in the conversation; null: it has not begun. */
  get person(): Person | null {
    return this.#session?.person ?? null;
  }

  setMedia(media: NegotiatedMedia): void {
    const { scheduler } = this.#home.deps;
    if ('update' in this.leg) this.#update(this.leg, media);
    // While it is on hold of ours, the far side holds us, too, if it takes no music.
    const isHeld = media.isOnHold === true ? !sends(media.direction) : media.direction !== 'sendrecv';
    this.#order((session) => session.suspension.holdUs(isHeld, scheduler.now()));
  }

  prepare(spec: CallSpec): void {
    this.#home.providers.warm(this, spec);
  }

  answered(spec: CallSpec, at: number): void {
    if (this.#isAnswered) return;
    const loaded = this.#home.providers.load(spec);
    if (loaded === null) return this.#begin(spec, at);
    this.#early = [];
    void loaded.then(
      () => this.#begin(spec, at),
      (error: unknown) => this.#failed(error),
    );
    return undefined;
  }

  remoteHangup(at: number): void {
    if (this.#isAnswered) this.#order((session) => session.remoteHangup(at));
    else void this.finish();
  }

  end(reason: EndReason, say: string | null): void {
    this.#order((session) => session.requestEnd(reason, say));
  }

  dtmf(digit: DtmfDigit, at: number): void {
    this.#order(() => {
      if ('update' in this.leg) this.leg.signalledDigit(digit, at);
    });
  }

  keysInAudio(digits: readonly DtmfDigit[]): void {
    if ('update' in this.leg) this.leg.sendInAudio(digits);
  }

  holdFarSide(isHeld: boolean): void {
    this.#order((session) => session.suspension.holdFarSide(isHeld, this.#home.deps.scheduler.now()));
  }

  control(order: ConversationOrder): void {
    this.#order((session) => session.person.control(order));
  }

  toolResult(requestId: number, outcome: ToolAnswer): void {
    const { next } = outcome;
    if (next === undefined) return this.#session?.toolResult(requestId, outcome);
    void this.#home.providers.next(this, next.spec).then(
      (providers) => {
        // An ended session would never close what the agent opens.
        if (!this.finishing) this.#session?.toolResult(requestId, outcome, providers);
      },
      (error: unknown) => {
        this.#home.deps.log.warn({ err: error, callId: this.callId }, 'an agent could not take a call over');
        this.#session?.toolResult(requestId, {
          ok: false,
          result: { error: 'the agent has no model or voice' },
        });
      },
    );
    return undefined;
  }

  prepareNext(next: NextAgent): void {
    if (!this.finishing) this.#home.providers.prepareNext(this, next.spec);
  }

  /** The transfer leg lives on the caller's thread, so that frames pass from one to the other without a copy. */
  async openBridge(briefing: string, guest: InvitedGuest | null): Promise<Allocation> {
    const session = this.#session;
    if (this.finishing || session === null || this.#bridge !== null) {
      return this.#home.refuse('the call takes no second leg now');
    }
    const bridge = {};
    this.#bridge = bridge;
    // At the rate of the caller's leg, so that frames of a browser or of a wideband trunk pass.
    const { sampleRate } = this.leg;
    const allocation = await this.#home.allocate({ ...this.#terms, sampleRate }, (target) => {
      if (this.#bridge !== bridge || this.finishing) return 'the second leg is not wanted any more';
      this.#target = target;
      target.signalKeysBy((digits) => this.#home.deps.main.of(this.callId).send.onBridgeKeys(digits));
      session.openBridge(target, briefing, guest);
      return null;
    });
    if ('refusal' in allocation && this.#bridge === bridge) this.closeBridge();
    return allocation;
  }

  setBridgeMedia(media: NegotiatedMedia): void {
    this.#target?.update(media);
  }

  bridgeAnswered(at: number): void {
    this.#session?.bridgeAnswered(at);
  }

  connectGuest(): void {
    this.#session?.transfer.connectGuest(this.#home.deps.scheduler.now());
  }

  bridgeDtmf(digit: DtmfDigit, at: number): void {
    this.#target?.signalledDigit(digit, at);
  }

  bridgeKeysInAudio(digits: readonly DtmfDigit[]): void {
    this.#target?.sendInAudio(digits);
  }

  closeBridge(): void {
    this.#bridge = null;
    this.#session?.closeBridge();
    void this.#target?.close();
    this.#target = null;
  }

  release(): void {
    if (this.#session === null) void this.finish();
  }

  /** How long the call had the thread since the last question, ms. */
  takeHeldMs(): number {
    return this.#session?.processor.take() ?? 0;
  }

  /** Charges processor time; a call that used too much ends. */
  charge(ms: number): void {
    const { clock, log } = this.#home.deps;
    if (this.#processor.charge(ms, clock.monotonic()) || this.finishing) return;
    log.error({ callId: this.callId }, 'a call used too much processor time; it ends');
    this.#session?.exceedProcessorTime();
  }

  /** The browser of the call is away, or back. */
  hold(isAway: boolean, at: number): void {
    this.#session?.suspension.holdUs(isAway, at);
  }

  unlisten(listenerId: string): void {
    this.listening.get(listenerId)?.revoke();
  }

  stop(): Promise<void> {
    this.#session?.requestEnd('USER_TERMINATED', null);
    return this.finish();
  }

  /** Closes the session and its legs, then reports. Runs once a call, and never rejects: that would end the thread. */
  async finish(): Promise<void> {
    if (this.finishing) return;
    this.finishing = true;
    const { callId } = this;
    const { log, main, recordingsDir } = this.#home.deps;
    for (const listening of this.listening.values()) listening.close();
    // The event that ended the call is still being handled: let it complete first.
    await Promise.resolve();
    const failed = (error: unknown): void =>
      log.error({ err: error, callId }, 'a call could not be closed completely');
    const result = await this.#session?.finish().catch(failed);
    for (const chosen of [this.chosen, ...this.others]) chosen?.release();
    await Promise.all([this.leg.close(), this.#target?.close()]).catch(failed);
    this.#home.gone(callId);
    if (result === undefined) return;
    const { recording } = result;
    const stored =
      recording === null ? null : { ...recording, path: relative(recordingsDir, recording.path) };
    main.send.finished(callId, { ...result, recording: stored });
  }

  get #isAnswered(): boolean {
    return this.#session !== null || this.#early !== null;
  }

  /** Carries out an order now, or once the session of an answered call exists; before the answer it has no meaning. */
  #order(run: Order): void {
    if (this.#session !== null) run(this.#session);
    else this.#early?.push(run);
  }

  #update(leg: HostedLeg, media: NegotiatedMedia): void {
    leg.update(media);
    if (this.#session !== null || this.#hearsEarlyMedia) return;
    this.#hearsEarlyMedia = true;
    const { send } = this.#home.deps.main.of(this.callId);
    leg.start(earlyMedia(leg.sampleRate, (tones) => send.onSpecialTones(tones)));
  }

  #begin(spec: CallSpec, at: number): void {
    if (this.finishing) return;
    try {
      const { deps, providers } = this.#home;
      const session = openSession(deps, this, spec, providers.of(this, spec), () => void this.finish());
      this.#session = session;
      session.start(at);
      if (spec.announcement !== undefined) session.requestEnd('FAILED', spec.announcement);
      for (const early of this.#early?.splice(0) ?? []) early(session);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const { callId } = this;
    const { log, main } = this.#home.deps;
    log.error({ err: error, callId }, 'a conversation could not begin');
    main.of(callId).send.onHangup('FAILED', failureReason('CONVERSATION_NOT_STARTED'));
    void this.finish();
  }
}
