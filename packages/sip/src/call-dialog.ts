import type { DtmfDigit } from '@callwright/audio';
import type { ReferOutcome } from './call.ts';
import { type Header, sdpOf, type SipRequest, type SipResponse, textBody } from './message.ts';
import { ACCEPT, ACCEPT_INFO, ALLOW, contact, SDP_TYPE, USER_AGENT } from './headers.ts';
import { keyOf, nextHop, receiveRequest, refreshTarget, requestInDialog, type Dialog } from './dialog.ts';
import { dtmfOfInfo, infoOfDtmf } from './dtmf-info.ts';
import type { ServerTransaction } from './transaction-user.ts';
import { Exchange } from './exchange.ts';
import { usePeersOf } from './dialog-peers.ts';
import { isAboutReferral, Referral, referHeaders } from './referral.ts';
import { responseTo } from './response.ts';
import { sessionEndMs, sessionTimerOf, type SessionTimer } from './session-timer.ts';
import type { Origin, Peer } from './transport.ts';
import type { CallTrunk, UserAgentContext } from './call-context.ts';

/** A 503 in a dialog ends its transaction alone, and the peer waits (RFC 5057). Seconds. */
const RETRY_INFO: Header = { name: 'retry-after', value: '1' };

export interface CallDialogUser {
  onReoffer(sdp: string): string | null;
  /** Undefined when the call has no offer of its own. */
  onOfferRequest(): string | null | undefined;
  onReofferAnswer(sdp: string): void;
  onDtmf(digit: DtmfDigit, at: number): void;
  onRemoteBye(): void;
  /** False when the PRACK matches no provisional response. */
  onPrack(prack: SipRequest): boolean;
  /** The dialog is lost: the peer answered 481 or 408, or did not answer a request or a 2xx at all. */
  onGone(sipCode: number | null): void;
}

interface Answered {
  readonly onAck: (sdp: string | null) => void;
  readonly stop: () => void;
}

/** Requests that we send in a dialog. */
type OwnMethod = 'BYE' | 'INFO' | 'REFER' | 'PRACK';
/** Methods of an answered call: they carry our Contact, and the call ends when the peer does not know the dialog. */
const OF_LIVE_CALL: ReadonlySet<OwnMethod> = new Set(['INFO', 'REFER']);

interface Options {
  readonly dialog: Dialog;
  /** Peer or connection of the message that created the dialog. */
  readonly flow: Peer | Origin;
  readonly trunk: CallTrunk;
  readonly contactUser: string;
  readonly localSdp: string | null;
  readonly user: CallDialogUser;
}

/** Runs one dialog: requests in both directions, 2xx retransmission until the ACK, ACK retransmission for repeated 2xx. */
export class CallDialog {
  readonly #context: UserAgentContext;
  readonly #options: Options;
  #dialog: Dialog;
  #localSdp: string | null;
  #ack: { readonly request: SipRequest; readonly peer: Peer | Origin } | null = null;
  readonly #answered = new Map<number, Answered>();
  /** True once requests other than BYE are refused. */
  #over = false;
  /** True once a BYE was sent or received. */
  #ended = false;
  #stopSession: () => void = () => {};
  #referral: Referral | null = null;
  /** NOTIFYs of a transfer may arrive after its outcome. */
  #hasReferred = false;
  constructor(context: UserAgentContext, options: Options) {
    this.#context = context;
    this.#options = options;
    this.#dialog = options.dialog;
    this.#localSdp = options.localSdp;
    context.dialogs.set(keyOf(this.#dialog), this);
  }
  get dialog(): Dialog {
    return this.#dialog;
  }
  update(change: (dialog: Dialog) => Dialog): void {
    this.#dialog = change(this.#dialog);
  }

  /** Acknowledges a 2xx of our INVITE (RFC 3261 section 13.2.2.4). */
  acknowledge(sequence: number, credentials: readonly Header[]): void {
    const headers = [...credentials, USER_AGENT];
    const { request } = requestInDialog(this.#dialog, 'ACK', { sequence, headers });
    this.#withPeers((peers) => {
      const peer = peers[0] ?? this.#options.flow;
      const sent = this.#mayAuthenticate(peer) ? request : withoutCredentials(request);
      this.#ack = { request: this.#context.endpoint.addressed(sent, peer), peer };
      this.repeatAck();
    });
  }
  /** Retransmits the ACK for a retransmitted 2xx. */
  repeatAck(): void {
    if (this.#ack !== null) this.#context.endpoint.transmit(this.#ack.request, this.#ack.peer);
  }

  /** Acknowledges a reliable provisional response (RFC 3262). A PRACK that fails leaves the call to its INVITE. */
  prack(rack: string): void {
    this.#request('PRACK', { headers: [{ name: 'rack', value: rack }] }, () => {});
  }

  /** Ends the dialog with BYE. `closing` holds it until the BYE transaction ends. */
  bye(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.close();
    const { closing } = this.#context;
    closing.add(this);
    const done = (): void => void closing.delete(this);
    this.#request('BYE', {}, (status, peer) => {
      const { flow, trunk } = this.#options;
      const isChallenged = status === 401 || status === 407;
      if (!isChallenged) return done();
      const { log } = this.#context;
      log.warn({ trunk: trunk.name, trunkId: trunk.id, status, peer: peer?.address }, 'BYE was challenged');
      // Credentials go only to addresses of the trunk: its proxy forwards the BYE to the edge that challenged it.
      if (peer?.address === flow.address || trunk.authenticator === null) return done();
      this.#requestTo([flow], 'BYE', {}, done);
    });
  }

  sendDtmf(digit: DtmfDigit): void {
    if (!this.#over) this.#request('INFO', infoOfDtmf(digit), () => {});
  }

  /** Sends REFER and resolves with the outcome of the transfer. Never rejects. */
  refer(target: string, timeoutMs: number): Promise<ReferOutcome> {
    return new Promise((resolve) => {
      if (this.#over || !this.#dialog.confirmed || this.#referral !== null) {
        const reason = this.#referral === null ? 'the call is not up' : 'another transfer is in progress';
        resolve({ transferred: false, accepted: false, sipCode: null, reason });
        return;
      }
      const referral = new Referral(
        (outcome) => {
          this.#referral = null;
          resolve(outcome);
        },
        (run) => this.#context.scheduler.after(timeoutMs, run),
      );
      this.#referral = referral;
      this.#hasReferred = true;
      const headers = referHeaders(target, this.#dialog.local.uri);
      this.#request('REFER', { headers }, (status) => referral.answered(status));
    });
  }

  /** Stops timers and the pending transfer. The dialog stays in the table for 64*T1 to answer late requests. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopSession();
    this.#referral?.end({ transferred: false, sipCode: null, reason: 'the call ended' });
    for (const { stop } of this.#answered.values()) stop();
    this.#answered.clear();
    const { scheduler, timing, dialogs } = this.#context;
    scheduler.after(64 * timing.t1Ms, () => {
      if (dialogs.get(keyOf(this.#dialog)) === this) dialogs.delete(keyOf(this.#dialog));
    });
  }

  /** Handles an in-dialog request that passed `checkRequest`. */
  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const received = receiveRequest(this.#dialog, request);
    if (received === null) {
      transaction.respond(responseTo(request, 500));
      return;
    }
    this.#dialog = received;
    switch (request.method) {
      case 'BYE':
        transaction.respond(responseTo(request, 200));
        if (!this.#ended) {
          this.#ended = true;
          this.#referral?.receivedBye();
          this.close();
          this.#options.user.onRemoteBye();
        }
        return;
      case 'INVITE':
        this.#reinvite(transaction);
        return;
      case 'UPDATE':
        this.#updated(transaction);
        return;
      case 'INFO':
        this.#info(transaction);
        return;
      case 'NOTIFY':
        this.#notified(transaction);
        return;
      case 'PRACK':
        transaction.respond(responseTo(request, this.#options.user.onPrack(request) ? 200 : 481));
        return;
      case 'OPTIONS':
        transaction.respond(responseTo(request, 200, { headers: [ALLOW, ACCEPT] }));
        return;
      default:
        transaction.respond(responseTo(request, 405, { headers: [ALLOW] }));
    }
  }

  /** Handles the ACK of a 2xx that we sent. */
  receiveAck(ack: SipRequest): void {
    const answered = this.#answered.get(ack.cseq.sequence);
    if (answered === undefined) return;
    this.#answered.delete(ack.cseq.sequence);
    answered.stop();
    answered.onAck(sdpOf(ack));
  }

  /**
   * Answers an INVITE with 200 and retransmits it until the ACK (RFC 3261 section 13.3.1.4). Calls `onLost` after
   * 64*T1 without one.
   */
  answer(
    transaction: ServerTransaction,
    sdp: string,
    outcome: { onAck: (sdp: string | null) => void; onLost: () => void },
  ): void {
    this.#localSdp = sdp;
    const { scheduler, timing } = this.#context;
    const response = this.#success(transaction, sdp);
    let cancelRepeat = (): void => {};
    const repeat = (intervalMs: number): void => {
      transaction.respond(response);
      const next = Math.min(intervalMs * 2, timing.t2Ms);
      cancelRepeat = scheduler.after(intervalMs, () => repeat(next));
    };
    const cancelLost = scheduler.after(64 * timing.t1Ms, () => {
      cancelRepeat();
      this.#answered.delete(transaction.request.cseq.sequence);
      outcome.onLost();
    });
    const stop = (): void => {
      cancelRepeat();
      cancelLost();
    };
    this.#answered.set(transaction.request.cseq.sequence, { onAck: outcome.onAck, stop });
    repeat(timing.t1Ms);
  }

  /** The 200 of a request that refreshes the session; without SDP for an UPDATE without offer. */
  #success(transaction: ServerTransaction, sdp: string | null): SipResponse {
    const timer = sessionTimerOf(transaction.request);
    this.#watchSession(timer);
    const local = this.#context.endpoint.localFor(transaction.origin);
    return responseTo(transaction.request, 200, {
      toTag: this.#dialog.localTag,
      headers: [
        contact(this.#options.contactUser, local, transaction.origin),
        ALLOW,
        USER_AGENT,
        ...(sdp === null ? [] : [SDP_TYPE]),
        ...(timer?.headers ?? []),
      ],
      ...(sdp === null ? {} : { body: textBody(sdp) }),
    });
  }

  /** Ends the call when the peer stops refreshing its session (RFC 4028 section 10). */
  #watchSession(timer: SessionTimer | null): void {
    this.#stopSession();
    this.#stopSession =
      timer === null ? () => {} : this.#context.scheduler.after(sessionEndMs(timer), () => this.#gone(null));
  }

  #reinvite(transaction: ServerTransaction): void {
    const { request } = transaction;
    const refuse = (status: number, ...headers: Header[]): void => {
      transaction.respond(responseTo(request, status, { headers }));
    };
    if (this.#over) {
      refuse(481);
      return;
    }
    // An INVITE in either direction is still pending (RFC 3261 section 14.2).
    if (!this.#dialog.confirmed || this.#answered.size > 0) {
      refuse(491);
      return;
    }
    const offer = sdpOf(request);
    const { user } = this.#options;
    // Section 14.2: without an offer in the re-INVITE, the 200 carries one as for a new call.
    const requested = offer === null ? user.onOfferRequest() : user.onReoffer(offer);
    const sdp = requested === undefined ? this.#localSdp : requested;
    if (sdp === null) {
      refuse(488);
      return;
    }
    this.#dialog = refreshTarget(this.#dialog, request);
    this.answer(transaction, sdp, {
      // Delayed offer: our 200 carried the offer, the ACK carries the answer.
      onAck: (answer) => {
        if (offer === null && answer !== null) user.onReofferAnswer(answer);
      },
      onLost: () => this.#gone(null),
    });
  }

  /** UPDATE (RFC 3311) refreshes an answered session, with a new offer or without one. */
  #updated(transaction: ServerTransaction): void {
    const { request } = transaction;
    const refuse = (status: number): void => transaction.respond(responseTo(request, status));
    if (this.#over) {
      refuse(481);
      return;
    }
    const offer = sdpOf(request);
    const isPending = !this.#dialog.confirmed || this.#answered.size > 0;
    // Section 5.2: an offer that meets an open offer of the INVITE waits.
    if (offer !== null && isPending) {
      refuse(491);
      return;
    }
    const sdp = offer === null ? null : this.#options.user.onReoffer(offer);
    if (offer !== null && sdp === null) {
      refuse(488);
      return;
    }
    this.#dialog = refreshTarget(this.#dialog, request);
    if (sdp !== null) this.#localSdp = sdp;
    transaction.respond(this.#success(transaction, sdp));
  }

  #info(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (!this.#context.takesInfo(this.#dialog.callId)) {
      transaction.respond(responseTo(request, 503, { headers: [RETRY_INFO] }));
      return;
    }
    const digit = dtmfOfInfo(request);
    const known = digit !== null || request.body.length === 0;
    transaction.respond(
      known ? responseTo(request, 200) : responseTo(request, 415, { headers: [ACCEPT_INFO] }),
    );
    if (digit !== null && !this.#over) this.#options.user.onDtmf(digit, this.#context.scheduler.now());
  }

  /** We subscribe to nothing but our own transfers (RFC 6665 section 4.1.3). */
  #notified(transaction: ServerTransaction): void {
    const { request } = transaction;
    const isOurs = this.#hasReferred && isAboutReferral(request);
    transaction.respond(responseTo(request, isOurs ? 200 : 481));
    if (isOurs) this.#referral?.notified(request);
  }

  #request(
    method: OwnMethod,
    content: { headers?: readonly Header[]; body?: Buffer },
    done: (status: number | null, peer: Peer | null) => void,
  ): void {
    this.#withPeers((peers) => {
      this.#requestTo(peers.length === 0 ? [this.#options.flow] : peers, method, content, done);
    });
  }

  #requestTo(
    reached: readonly (Peer | Origin)[],
    method: OwnMethod,
    content: { headers?: readonly Header[]; body?: Buffer },
    done: (status: number | null, peer: Peer | null) => void,
  ): void {
    const { trunk } = this.#options;
    const { endpoint } = this.#context;
    const exchange: Exchange = new Exchange(endpoint, {
      build: (local, peer) => {
        const headers = [
          contact(this.#options.contactUser, local, peer),
          USER_AGENT,
          ...(content.headers ?? []),
        ];
        const built = requestInDialog(this.#dialog, method, {
          headers: OF_LIVE_CALL.has(method) ? headers : headers.slice(1),
          ...(content.body === undefined ? {} : { body: content.body }),
        });
        this.#dialog = built.dialog;
        return built.request;
      },
      peers: reached,
      tcp: trunk.transport === 'auto' ? this.#context.tcp : null,
      authenticator: reached.every((peer) => this.#mayAuthenticate(peer)) ? trunk.authenticator : null,
      wanted: () => true,
      user: {
        onProvisional: () => {},
        onFinal: ({ status }) => {
          if (OF_LIVE_CALL.has(method) && (status === 481 || status === 408)) this.#gone(status);
          done(status, exchange.current?.peer ?? null);
        },
        onFailure: ({ kind }) => {
          // A message that the network refused says nothing about the peer's dialog.
          if (OF_LIVE_CALL.has(method) && kind === 'timeout') this.#gone(null);
          done(null, null);
        },
      },
    });
    exchange.start();
  }

  /** Contact and Record-Route of the peer may name any host: only the trunk's own addresses get credentials. */
  #mayAuthenticate(peer: Peer): boolean {
    return this.#options.trunk.owns(peer.address);
  }

  /** RFC 3261 section 12.2.1.2: 481, 408 or a timeout inside a dialog ends it. */
  #gone(sipCode: number | null): void {
    if (this.#over) return;
    this.bye();
    this.#options.user.onGone(sipCode);
  }

  /** Peers for an in-dialog request. */
  #withPeers(use: (peers: readonly (Peer | Origin)[]) => void): void {
    const { flow, trunk } = this.#options;
    usePeersOf(nextHop(this.#dialog), { flow, trunk, hops: this.#context.hops }, use);
  }
}

const withoutCredentials = (request: SipRequest): SipRequest => ({
  ...request,
  headers: request.headers.filter(({ name }) => name !== 'authorization' && name !== 'proxy-authorization'),
});
