import { randomToken } from './random-token.ts';
import type { DtmfDigit } from '@callwright/audio';
import type {
  CallFailure,
  FailureClass,
  OutboundLeg,
  OutboundRequest,
  ReferOutcome,
  Reoffer,
  SignallingEvents,
} from './call.ts';
import type { ByeHeaders } from './call-headers.ts';
import { sdpOf, type SipRequest, type SipResponse, tagOf } from './message.ts';
import { CallDialog } from './call-dialog.ts';
import type { CallTrunk, UserAgentContext } from './call-context.ts';
import { Forks } from './forks.ts';
import { addedHeaders, inviteOf } from './invite.ts';
import { failureClass, retryAfterMs } from './response.ts';
import { dialogAsCaller } from './dialog.ts';
import { Referred } from './referred.ts';
import { replacingUri } from './replaces.ts';
import { endReason, MOVED, reasonOf, TAKEN_ELSEWHERE } from './end-reason.ts';
import { Exchange } from './exchange.ts';
import { faultOf, type GivenUp, isRingTimeout, limitRinging, LOST } from './outbound-failure.ts';
import { referTarget } from './referral.ts';
import { Redirects } from './redirects.ts';
import { minimumOf, SESSION_SECONDS } from './session-timer.ts';
import { cancelOf } from './transaction/invite-client.ts';
import type { LocalPoint, Peer } from './transport.ts';
import { escapeUser, formatHost } from './uri.ts';

/** An outbound call from its INVITE to its end (RFC 3261 sections 13.2 and 15). */
export class OutboundCall implements OutboundLeg {
  readonly sipCallId: string;
  readonly #context: UserAgentContext;
  readonly #trunk: CallTrunk;
  readonly #request: OutboundRequest;
  readonly #events: SignallingEvents;
  readonly #onOver: () => void;
  readonly #localTag = randomToken(12);
  #sequence = 0;
  /** Session-Expires of the INVITE; a 422 raises it. */
  #sessionSeconds = SESSION_SECONDS;
  readonly #redirects: Redirects;
  #redirectedTo: string | null = null;
  #exchange: Exchange | null = null;
  readonly #forks: Forks;
  readonly #referred: Referred;
  #winner: CallDialog | null = null;
  /** Set once the call is abandoned before its answer. */
  #givenUp: GivenUp | null = null;
  #cancelSent = false;
  #lastRinging = '';
  #over = false;
  #stopTimer: () => void = () => {};
  constructor(
    context: UserAgentContext,
    options: {
      trunk: CallTrunk;
      request: OutboundRequest;
      events: SignallingEvents;
      callIdHost: string;
      /** Called once, when the call has ended or failed. */
      onOver: () => void;
    },
  ) {
    this.#context = context;
    this.#trunk = options.trunk;
    this.#request = options.request;
    this.#events = options.events;
    this.#onOver = options.onOver;
    this.#redirects = new Redirects(options.trunk, options.request);
    this.#forks = new Forks((response) => this.#open(response));
    this.#referred = new Referred(context, {
      trunk: options.trunk,
      from: options.request.from,
      events: () => (this.#winner === null || this.#over ? null : this.#events),
      notify: (...report) => this.#winner?.notify(...report),
      moved: () => this.#winner?.bye(MOVED),
      ended: ({ by, cause, sipCode, bye }) => this.#end(by, cause, sipCode, bye),
    });
    this.sipCallId = `${escapeUser(options.request.attemptId)}@${formatHost(options.callIdHost)}`;
  }

  start(): void {
    const fault = faultOf(this.#request);
    if (fault !== null) {
      this.#context.scheduler.after(0, () => this.#fail(fault.failure, null, fault.reason, true));
      return;
    }
    this.#stopTimer = limitRinging(this.#context.scheduler, this.#request, (isClosed) =>
      this.#giveUp({ failure: 'no_answer', reason: isClosed ? 'window closed' : 'ring timeout', isClosed }),
    );
    this.#dial();
  }

  #dial(): void {
    const known = this.#trunk.known();
    if (known !== null && known.length > 0) {
      this.#invite(known);
      return;
    }
    this.#trunk
      .lookUp()
      .then((peers) => this.#invite(peers))
      .catch((error: unknown) => {
        this.#context.log.error({ err: error }, 'Trunk look-up failed');
        this.#lost('unknown', this.#sequence === 0);
      });
  }

  hangup(cause: string): void {
    if (this.#over) return;
    if (this.#winner === null) {
      this.#giveUp({ failure: 'cancelled', reason: cause });
      return;
    }
    this.#winner.bye(endReason(cause));
    this.#referred.hangup(cause);
    this.#end(cause.startsWith('agent') ? 'agent' : 'system', cause, null);
  }

  get replacingUri(): string | null {
    const { leg } = this.#referred;
    if (leg !== null) return leg.replacingUri ?? null;
    return this.#winner === null ? null : replacingUri(this.#winner.dialog);
  }

  get peerAddress(): string | null {
    return this.#exchange?.current?.peer.address ?? null;
  }

  sendInfoDtmf(digit: DtmfDigit, onRefused?: (digit: DtmfDigit) => void): void {
    const { leg } = this.#referred;
    if (leg === null) this.#winner?.sendDtmf(digit, onRefused);
    else leg.sendInfoDtmf(digit, onRefused);
  }

  readonly reoffer: Reoffer = (offer, done) => {
    const reoffer = this.#referred.leg?.reoffer ?? this.#winner?.reoffer;
    if (reoffer === undefined) done({ refusedBy: null });
    else reoffer(offer, done);
  };

  refer(to: string, timeoutMs: number, variables = this.#request.variables): Promise<ReferOutcome> {
    const { leg } = this.#referred;
    if (leg !== null) return leg.refer(to, timeoutMs, variables);
    const { domain, rules } = this.#trunk;
    const target = referTarget(rules?.writeCallee?.(to) ?? to, domain);
    return (
      this.#winner?.refer(target, timeoutMs, addedHeaders(rules ?? {}, variables)) ??
      Promise.resolve({
        transferred: false,
        accepted: false,
        sipCode: null,
        reason: 'the call is not up',
      })
    );
  }

  #invite(peers: readonly Peer[]): void {
    if (this.#over) return;
    if (peers.length === 0) {
      this.#lost('unknown', this.#sequence === 0);
      return;
    }
    const udpLimit = this.#trunk.rules?.udpLimit;
    this.#exchange = new Exchange(this.#context.endpoint, {
      build: (local, peer) => this.#build(local, peer),
      peers,
      tcp: this.#trunk.transport === 'auto' || udpLimit !== undefined ? this.#context.tcp : null,
      ...(udpLimit === undefined ? {} : { udpLimit }),
      authenticator: this.#trunk.authenticator,
      onPeerFailed: (peer, ms) => this.#trunk.demote(peer, ms),
      onPeerSilent: (peer) => this.#trunk.suspect(peer),
      scheduler: this.#context.scheduler,
      wanted: () => this.#givenUp === null && !this.#over,
      ...(this.#request.gate === undefined ? {} : { gate: this.#request.gate }),
      user: {
        onSent: () => this.#events.onSent?.(),
        onProvisional: (response) => this.#progress(response),
        onFinal: (response) => (response.status < 300 ? this.#success(response) : this.#refused(response)),
        onFailure: ({ kind, neverSent }) => this.#lost(kind, neverSent),
      },
    });
    this.#exchange.start();
  }

  #build(local: LocalPoint, peer: Peer): SipRequest {
    const parts = {
      trunk: this.#trunk,
      request: this.#request,
      tag: this.#localTag,
      callId: this.sipCallId,
      sequence: ++this.#sequence,
      redirectedTo: this.#redirectedTo,
      sessionSeconds: this.#sessionSeconds,
    };
    return inviteOf(parts, local, peer);
  }

  #progress(response: SipResponse): void {
    if (this.#givenUp !== null) {
      this.#sendCancel();
      return;
    }
    if (response.status === 100 || this.#over || this.#winner !== null) return;
    const earlySdp = sdpOf(response);
    const tag = tagOf(response.to);
    if (tag !== null && !this.#forks.progress(response, tag, earlySdp)) return;
    const seen = `${response.status}|${tag ?? ''}|${earlySdp ?? ''}`;
    if (seen === this.#lastRinging) return;
    this.#lastRinging = seen;
    const ring = (sdp: string | null): void => {
      if (this.#over || this.#winner !== null) return;
      this.#events.onRinging({
        sipCode: response.status,
        earlySdp: sdp,
        at: this.#context.scheduler.now(),
      });
    };
    if (earlySdp === null) ring(null);
    else this.#context.names.resolve(earlySdp, ring);
  }

  #open(response: SipResponse): CallDialog | null {
    const current = this.#exchange?.current ?? null;
    const dialog = current === null ? null : dialogAsCaller(current.request, response);
    if (current === null || dialog === null) return null;
    let callDialog: CallDialog = new CallDialog(this.#context, {
      dialog,
      flow: current.peer,
      trunk: this.#trunk,
      contactUser: this.#trunk.contactUser === '' ? this.#request.from : this.#trunk.contactUser,
      isCaller: true,
      localSdp: this.#request.sdpOffer,
      byeHeaders: () => addedHeaders(this.#trunk.rules ?? {}, this.#request.variables),
      user: {
        onReoffer: (sdp) => this.#events.onReoffer(sdp),
        onOfferRequest: () => this.#events.onOfferRequest?.(),
        onReofferAnswer: (sdp) => this.#events.onReofferAnswer?.(sdp),
        onDtmf: (digit, at) => this.#events.onDtmf(digit, at),
        onPrack: () => false,
        onRefer: (asked) => this.#referred.receive(asked),
        onReplaced: (next) => {
          if (this.#winner !== callDialog) return;
          callDialog = next;
          this.#winner = next;
        },
        onRemoteBye: (bye) => {
          if (this.#winner !== callDialog || this.#referred.peerLeft(bye)) return;
          this.#end('caller', 'remote hangup', null, bye);
        },
        onGone: (sipCode) => {
          if (this.#winner === callDialog) this.#end('system', 'dialog lost', sipCode);
        },
      },
    });
    return callDialog;
  }

  #success(response: SipResponse): void {
    const fork = this.#forks.of(response, null);
    if (fork === null) return;
    // Until its names are looked up the 2xx counts as not received: hanging up and its repetitions find an unanswered call.
    const answer = sdpOf(response) ?? fork.earlySdp;
    if (answer === null) this.#answered(response, null);
    else this.#context.names.resolve(answer, (sdp) => this.#answered(response, sdp));
  }

  #answered(response: SipResponse, sdp: string | null): void {
    const fork = this.#forks.of(response, null);
    const exchange = this.#exchange;
    if (fork === null || exchange === null) return;
    if (fork.confirmed) {
      fork.dialog.acknowledge(response, exchange.credentials);
      return;
    }
    this.#forks.confirmed(response, fork);
    fork.dialog.confirm(response, exchange.credentials);
    if (this.#over || this.#winner !== null || this.#givenUp !== null || sdp === null) {
      // The answer of a second fork, or one that came after hang-up: acknowledged above, ended here.
      const why = this.#givenUp?.reason ?? (sdp === null ? 'incompatible media' : null);
      fork.dialog.bye(why === null ? TAKEN_ELSEWHERE : endReason(why));
      if (this.#givenUp !== null) this.#fail(this.#givenUp.failure, null, this.#givenUp.reason, false);
      else if (this.#winner === null) this.#fail('failed', response.status, 'answered without SDP', false);
      return;
    }
    this.#winner = fork.dialog;
    this.#stopTimer();
    this.#events.onAnswered({ sdp, at: this.#context.scheduler.now() });
  }

  #refused(response: SipResponse): void {
    if (this.#mayLengthen(response)) return;
    const targets = this.#givenUp === null ? this.#redirects.targets(response) : [];
    if (targets.length > 0) void this.#redirect(targets, response);
    else this.#failed(response);
  }

  /** Goes on to the first target that the user of the call permits. */
  async #redirect(targets: readonly string[], response: SipResponse): Promise<void> {
    // No INVITE is pending: hanging up needs no CANCEL.
    this.#exchange = null;
    const target = await this.#redirects.choose(targets);
    if (this.#over) return;
    if (target === null) {
      this.#failed(response);
      return;
    }
    this.#redirectedTo = target;
    this.#forks.reset();
    this.#lastRinging = '';
    this.#dial();
  }

  #failed(response: SipResponse): void {
    const { status, reason } = response;
    const retryAfter = retryAfterMs(response);
    const because = reasonOf(response);
    const text = `${status} ${reason.slice(0, 100)}${because === null ? '' : `; ${because}`}${retryAfter === null ? '' : ` (retry after ${retryAfter / 1000} s)`}`;
    if (this.#givenUp?.failure === 'no_answer') this.#fail('no_answer', null, this.#givenUp.reason, false);
    else if (this.#givenUp !== null) this.#fail(this.#givenUp.failure, status, this.#givenUp.reason, false);
    else this.#fail(failureClass(status), status, text, false, { retryAfterMs: retryAfter });
  }

  /** Sends the INVITE again when the peer demands a longer session (RFC 4028 section 7.3), once for each length. */
  #mayLengthen(response: SipResponse): boolean {
    const minSeconds = response.status === 422 ? minimumOf(response) : null;
    const peer = this.#exchange?.current?.peer;
    if (minSeconds === null || minSeconds <= this.#sessionSeconds || peer === undefined) return false;
    if (this.#givenUp !== null || this.#lastRinging !== '') return false;
    this.#sessionSeconds = minSeconds;
    this.#invite([peer]);
    return true;
  }

  #lost(kind: keyof typeof LOST, neverSent: boolean): void {
    const why = this.#givenUp;
    // A phone may have rung before the carrier redirected the call.
    const isUnsent = neverSent && this.#redirectedTo === null;
    if (why === null)
      this.#fail('failed', null, LOST[kind], isUnsent, { tooLate: isUnsent && kind === 'late' });
    // The ring timeout expired without any response: a trunk failure, not an unanswered phone.
    else if (isRingTimeout(why) && this.#exchange?.provisional !== true)
      this.#fail('failed', null, LOST[kind], isUnsent);
    else this.#fail(why.failure, null, why.reason, isUnsent);
  }

  #giveUp(why: GivenUp): void {
    if (this.#over || this.#winner !== null || this.#givenUp !== null) return;
    this.#givenUp = why;
    this.#stopTimer();
    if (this.#exchange === null) this.#lost('unknown', this.#sequence === 0);
    // CANCEL may follow only after a provisional response (RFC 3261 section 9.1).
    else if (this.#exchange.provisional) this.#sendCancel();
    else if (this.#exchange.current !== null)
      this.#context.endpoint.stopRetransmitting(this.#exchange.current.request);
  }

  #sendCancel(): void {
    const current = this.#exchange?.current;
    if (this.#cancelSent || current == null || this.#over) return;
    this.#cancelSent = true;
    const { endpoint, scheduler, timing } = this.#context;
    const ignore = (): void => {};
    const reason = this.#givenUp === null ? [] : [endReason(this.#givenUp.reason)];
    endpoint.send(cancelOf(current.request, reason), current.peer, {
      onResponse: ignore,
      onTimeout: ignore,
      onTransportError: ignore,
    });
    // Without a final response the INVITE is considered cancelled after 64*T1 (9.1).
    this.#stopTimer = scheduler.after(64 * timing.t1Ms, () => {
      this.#exchange?.abandon();
      if (this.#givenUp !== null) this.#fail(this.#givenUp.failure, null, this.#givenUp.reason, false);
    });
  }

  #fail(
    failure: FailureClass,
    sipCode: number | null,
    reason: string,
    neverSent: boolean,
    more: Pick<CallFailure, 'tooLate' | 'retryAfterMs'> = {},
  ): void {
    if (this.#over) return;
    this.#finish();
    const at = this.#context.scheduler.now();
    const tooLate = neverSent && this.#givenUp?.isClosed === true;
    this.#events.onFailed({ failure, sipCode, reason, neverSent, tooLate, ...more, at });
  }

  #end(by: 'caller' | 'agent' | 'system', cause: string, sipCode: number | null, bye?: ByeHeaders): void {
    if (this.#over) return;
    this.#finish();
    const at = this.#context.scheduler.now();
    this.#events.onEnded({ by, cause, sipCode, at, ...(bye === undefined ? {} : { bye }) });
  }

  #finish(): void {
    this.#over = true;
    this.#stopTimer();
    this.#forks.close();
    this.#onOver();
  }
}
