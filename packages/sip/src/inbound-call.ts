import type { DtmfDigit } from '@callwright/audio';
import type { FailureClass, InboundEvents, InboundLeg, ReferOutcome, Reoffer } from './call.ts';
import { sdpOf, type Header, type SipRequest, tagOf, textBody } from './message.ts';
import { CallDialog } from './call-dialog.ts';
import { type CallTrunk, guardedInbound, type UserAgentContext } from './call-context.ts';
import { contact, SDP_TYPE, USER_AGENT } from './headers.ts';
import { answerOf, hasReserved, REQUIRE_PRECONDITION, waitsForCaller } from './preconditions.ts';
import { failureClass, responseTo } from './response.ts';
import { Referred } from './referred.ts';
import { endReason, MOVED } from './end-reason.ts';
import { confirmAsCallee, dialogAsCallee } from './dialog.ts';
import type { ServerTransaction } from './transaction-user.ts';
import { hasControl } from './grammar.ts';
import { addedHeaders } from './invite.ts';
import { nameWarning } from './media-names.ts';
import { ReliableProvisional, requiresReliability } from './reliable-provisional.ts';
import { referTarget } from './referral.ts';
import { type ByeHeaders, type CallHeaders, callHeadersOf } from './call-headers.ts';
import { callerOf } from './caller.ts';
import { parseUri, userOf } from './uri.ts';

/** An inbound call from its INVITE to its end (RFC 3261 sections 13.3 and 15). */
export class InboundCall implements InboundLeg {
  readonly sipCallId: string;
  readonly fromTag: string;
  readonly peerAddress: string;
  readonly trunkIds: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  readonly headers: CallHeaders;
  sdpOffer: string | null;
  readonly #context: UserAgentContext;
  readonly #transaction: ServerTransaction;
  readonly #contactUser: string;
  readonly #trunk: CallTrunk;
  #dialog: CallDialog;
  readonly #referred: Referred;
  readonly #onOver: () => void;
  #listener: InboundEvents | null = null;
  #provisional: ReliableProvisional | null = null;
  #variables: Readonly<Record<string, string>> = {};
  /** Our SDP answer of a reliable 183: the caller reserves its side before the 200. */
  #reserved: string | null = null;
  #stopReserving = (): void => {};
  #phase: 'ringing' | 'answered' | 'confirmed' | 'over' = 'ringing';
  /** Why we hung up before the ACK: BYE must wait for it (RFC 3261 section 15). */
  #byeOnAck: Header | null = null;
  constructor(
    context: UserAgentContext,
    options: {
      trunk: CallTrunk;
      alternatives: readonly string[];
      transaction: ServerTransaction;
      onOver: () => void;
    },
  ) {
    const { request, origin } = options.transaction;
    this.#context = context;
    this.#transaction = options.transaction;
    this.#contactUser = options.trunk.contactUser;
    this.#trunk = options.trunk;
    this.#onOver = options.onOver;
    this.sipCallId = request.callId;
    this.fromTag = tagOf(request.from) ?? '';
    this.peerAddress = origin.address;
    this.trunkIds = [options.trunk.id, ...options.alternatives];
    const caller = callerOf(request);
    this.from = caller.user;
    this.displayName = caller.displayName;
    this.headers = callHeadersOf(request, options.trunk.headerNames);
    const dialled = userOf(parseUri(request.uri));
    // A registrar rewrites the Request-URI to our Contact: only To has the dialled number then.
    const isContact = dialled === '' || dialled === options.trunk.contactUser;
    this.to = isContact ? userOf(parseUri(request.to.uri)) || dialled : dialled;
    this.sdpOffer = sdpOf(request);
    this.#dialog = new CallDialog(context, {
      dialog: dialogAsCallee(request, context.endpoint.tagFor(request)),
      flow: origin,
      trunk: options.trunk,
      contactUser: this.#contactUser,
      isCaller: false,
      localSdp: null,
      byeHeaders: () => addedHeaders(this.#trunk.rules ?? {}, this.#variables),
      user: {
        onReoffer: (sdp) => this.#listener?.onReoffer(sdp) ?? null,
        onOfferRequest: () => this.#listener?.onOfferRequest?.(),
        onReofferAnswer: (sdp) => this.#listener?.onReofferAnswer?.(sdp),
        onDtmf: (digit, at) => this.#listener?.onDtmf(digit, at),
        onPrack: (prack) => this.#acknowledgedEarly(prack),
        onUpdated: (offer) => this.#updated(offer),
        onReplaced: (next) => {
          this.#dialog = next;
        },
        onRefer: (asked) => this.#referred.receive(asked),
        onRemoteBye: (bye) => this.#remoteBye(bye),
        onGone: (sipCode) => this.#end('system', 'dialog lost', sipCode),
      },
    });
    this.#referred = new Referred(context, {
      trunk: options.trunk,
      from: this.to,
      events: () => (this.#phase === 'confirmed' ? this.#listener : null),
      notify: (...report) => this.#dialog.notify(...report),
      moved: () => this.#dialog.bye(MOVED),
      ended: ({ by, cause, sipCode, bye }) => this.#end(by, cause, sipCode, bye),
    });
    options.transaction.respond(responseTo(request, 100));
  }

  listen(events: InboundEvents): void {
    this.#listener = guardedInbound(events, this.#context.log);
  }

  /** Calls `use` once the host names in the caller's offer are looked up, unless the call has ended by then. */
  whenNamed(use: () => void): void {
    if (this.sdpOffer === null) return use();
    return this.#context.names.resolve(this.sdpOffer, (sdp) => {
      this.sdpOffer = sdp;
      if (this.#phase !== 'over') use();
    });
  }

  ringing(): void {
    const { request } = this.#transaction;
    // A phone must not ring before its caller has the network for the call (RFC 3312 section 6).
    if (this.#phase !== 'ringing' || this.#provisional !== null || waitsForCaller(request)) return;
    if (requiresReliability(request)) this.#respondReliably(180);
    else this.#respond(180);
  }

  answer(sdp: string, variables: Readonly<Record<string, string>> = {}): void {
    if (this.#phase !== 'ringing' || this.#reserved !== null) return;
    this.#variables = variables;
    const { request } = this.#transaction;
    if (!waitsForCaller(request)) {
      this.#accept(sdp);
      return;
    }
    this.#reserved = sdp;
    const body = textBody(answerOf(request, sdp));
    this.#respondReliably(183, { headers: [REQUIRE_PRECONDITION, SDP_TYPE], body });
  }

  reject(sipCode: number, reason?: string): void {
    if (this.#phase !== 'ringing') return;
    const status = sipCode >= 400 && sipCode <= 699 ? sipCode : 480;
    const text = reason !== undefined && hasControl(reason) ? undefined : reason;
    this.#respond(status, { reason: text, headers: status === 488 ? nameWarning(this.sdpOffer) : [] });
    this.#fail(failureClass(status), status, text ?? 'rejected');
  }

  hangup(cause: string): void {
    if (this.#phase === 'over') return;
    if (this.#phase === 'ringing') {
      this.#respond(480);
      this.#fail('cancelled', 480, cause);
      return;
    }
    if (this.#phase === 'answered') this.#byeOnAck = endReason(cause);
    else this.#dialog.bye(endReason(cause));
    this.#referred.hangup(cause);
    this.#end(cause.startsWith('agent') ? 'agent' : 'system', cause, null);
  }

  sendInfoDtmf(digit: DtmfDigit, onRefused?: (digit: DtmfDigit) => void): void {
    const { leg } = this.#referred;
    if (leg !== null) leg.sendInfoDtmf(digit, onRefused);
    else if (this.#phase === 'confirmed') this.#dialog.sendDtmf(digit, onRefused);
  }

  readonly reoffer: Reoffer = (offer, done) => {
    const reoffer = this.#referred.leg?.reoffer ?? this.#dialog.reoffer;
    reoffer(offer, done);
  };

  refer(to: string, timeoutMs: number, variables?: Readonly<Record<string, string>>): Promise<ReferOutcome> {
    const { leg } = this.#referred;
    if (leg !== null) return leg.refer(to, timeoutMs, variables ?? this.#variables);
    const { domain, rules = {} } = this.#trunk;
    const target = referTarget(rules.writeCallee?.(to) ?? to, domain);
    return this.#dialog.refer(target, timeoutMs, addedHeaders(rules, variables));
  }

  /** Handles the caller's CANCEL. */
  cancelled(): void {
    if (this.#phase !== 'ringing') return;
    this.#respond(487);
    this.#fail('cancelled', 487, 'cancelled by the caller');
  }

  /** `sdp` null: the 183 carried our answer. */
  #accept(sdp: string | null): void {
    this.#phase = 'answered';
    this.#provisional?.stop();
    this.#stopReserving();
    this.#dialog.answer(this.#transaction, sdp, {
      onAck: (answer) => {
        if (answer === null) this.#acknowledged(null);
        else this.#context.names.resolve(answer, (sdp) => this.#acknowledged(sdp));
      },
      onLost: () => {
        this.#dialog.bye(endReason('no ACK'));
        this.#end('system', 'no ACK', null);
      },
    });
  }

  #acknowledgedEarly(prack: SipRequest): boolean {
    if (this.#provisional?.acknowledge(prack) !== true) return false;
    if (this.#reserved === null) return true;
    this.#dialog.answeredEarly(this.#reserved);
    const { scheduler, timing } = this.#context;
    this.#stopReserving = scheduler.after(64 * timing.t1Ms, () => this.reject(580));
    return true;
  }

  #updated(offer: string | null): void {
    if (this.#phase === 'ringing' && this.#reserved !== null && hasReserved(offer)) this.#accept(null);
  }

  #respondReliably(status: number, content: { headers?: readonly Header[]; body?: Buffer } = {}): void {
    const { scheduler, timing } = this.#context;
    const provisional = new ReliableProvisional(this.#transaction.request);
    this.#provisional = provisional;
    const headers = [...provisional.headers, ...(content.headers ?? [])];
    provisional.start(
      scheduler,
      timing,
      () => this.#respond(status, { ...content, headers }),
      () => this.reject(500, 'No PRACK'),
    );
  }

  #respond(
    status: number,
    content: { reason?: string | undefined; headers?: readonly Header[]; body?: Buffer } = {},
  ): void {
    if (status >= 200) {
      this.#provisional?.stop();
      this.#stopReserving();
    }
    const { request, origin } = this.#transaction;
    const { endpoint } = this.#context;
    const more = status < 300 ? [contact(this.#contactUser, endpoint.localFor(origin), origin)] : [];
    const headers = [...more, USER_AGENT, ...(content.headers ?? [])];
    const { reason, body } = content;
    this.#transaction.respond(
      responseTo(request, status, {
        toTag: this.#dialog.dialog.localTag,
        headers,
        ...(reason === undefined ? {} : { reason }),
        ...(body === undefined ? {} : { body }),
      }),
    );
  }

  #acknowledged(answer: string | null): void {
    this.#dialog.update(confirmAsCallee);
    if (this.#byeOnAck !== null) {
      this.#dialog.bye(this.#byeOnAck);
      return;
    }
    if (this.#phase !== 'answered') return;
    if (this.sdpOffer === null && answer === null) {
      // Delayed offer, but the ACK carries no answer: the call has no media.
      this.#dialog.bye(endReason('incompatible media'));
      this.#end('system', 'no SDP answer', null);
      return;
    }
    this.#phase = 'confirmed';
    if (this.sdpOffer === null && answer !== null) {
      this.#listener?.onAnswered({ sdp: answer, at: this.#context.scheduler.now() });
    } else this.#listener?.onAcknowledged?.({ at: this.#context.scheduler.now() });
  }

  #remoteBye(bye: ByeHeaders): void {
    if (this.#phase === 'ringing') {
      this.#respond(487);
      this.#fail('cancelled', 487, 'ended by the caller');
    } else if (!this.#referred.peerLeft(bye)) this.#end('caller', 'remote hangup', null, bye);
  }

  #fail(failure: FailureClass, sipCode: number, reason: string): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#dialog.close();
    this.#onOver();
    this.#listener?.onFailed({
      failure,
      sipCode,
      reason,
      neverSent: false,
      at: this.#context.scheduler.now(),
    });
  }

  #end(by: 'caller' | 'agent' | 'system', cause: string, sipCode: number | null, bye?: ByeHeaders): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#onOver();
    const at = this.#context.scheduler.now();
    this.#listener?.onEnded({ by, cause, sipCode, at, ...(bye === undefined ? {} : { bye }) });
  }
}
