import type { DtmfDigit } from '../../voice/ports.ts';
import type { ReferOutcome } from '../leg.ts';
import type { Authenticator } from './authenticator.ts';
import { sdpOf, textBody } from './body.ts';
import { ACCEPT, ACCEPT_INFO, ALLOW, SDP_TYPE, USER_AGENT } from './capabilities.ts';
import { contact } from './contact.ts';
import { keyOf, nextHop, receiveRequest, refreshTarget, requestInDialog, type Dialog } from './dialog.ts';
import { dtmfOfInfo, infoOfDtmf } from './dtmf-info.ts';
import type { ServerTransaction } from './endpoint-user.ts';
import { Exchange } from './exchange.ts';
import type { Header, SipRequest, SipResponse } from './message.ts';
import { literalPeer, type TransportChoice } from './resolver.ts';
import { isAboutReferral, Referral, referHeaders } from './referral.ts';
import { responseTo } from './response.ts';
import type { Origin, Peer } from './transport.ts';
import type { UserAgentContext } from './user-agent-context.ts';

export interface CallDialogUser {
  onReoffer(sdp: string): string | null;
  onDtmf(digit: DtmfDigit, at: number): void;
  onRemoteBye(): void;
  /** The far side no longer knows the dialog, or does not answer inside it. */
  onGone(sipCode: number | null): void;
}

interface Answered {
  readonly onAck: (sdp: string | null) => void;
  readonly stop: () => void;
}

interface Options {
  readonly dialog: Dialog;
  /** Where the dialog-forming message went to or came from. */
  readonly flow: Peer | Origin;
  readonly transport: TransportChoice;
  readonly authenticator: Authenticator | null;
  readonly contactUser: string;
  readonly localSdp: string | null;
  readonly user: CallDialogUser;
}

/** One dialog at work: requests in both directions, 2xx until acknowledged, ACK repeated for repeated 2xx. */
export class CallDialog {
  readonly #context: UserAgentContext;
  readonly #options: Options;
  #dialog: Dialog;
  #localSdp: string | null;
  #ack: { readonly request: SipRequest; readonly peer: Peer | Origin } | null = null;
  readonly #answered = new Map<number, Answered>();
  /** Nothing is accepted any more. */
  #over = false;
  /** A BYE went out or came in. */
  #ended = false;
  #referral: Referral | null = null;
  /** Reports of a transfer may come after its outcome. */
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
      this.#ack = { request: this.#context.endpoint.addressed(request, peer), peer };
      this.repeatAck();
    });
  }
  /** The same ACK again, for a 2xx that came again. */
  repeatAck(): void {
    if (this.#ack !== null) this.#context.endpoint.transmit(this.#ack.request, this.#ack.peer);
  }

  /** Ends the dialog: BYE until it is answered or given up. */
  bye(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.close();
    const { closing } = this.#context;
    closing.add(this);
    this.#request('BYE', {}, () => closing.delete(this));
  }

  sendDtmf(digit: DtmfDigit): void {
    if (!this.#over) this.#request('INFO', infoOfDtmf(digit), () => {});
  }

  /** Asks the far side to call `target`, and tells how that ended. Never rejects. */
  refer(target: string, timeoutMs: number): Promise<ReferOutcome> {
    return new Promise((resolve) => {
      if (this.#over || !this.#dialog.confirmed || this.#referral !== null) {
        const reason = this.#referral === null ? 'the call is not up' : 'a transfer is under way';
        resolve({ transferred: false, sipCode: null, reason });
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

  /** Stops what is pending. The dialog stays known for a while, so that late requests get a proper answer. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#referral?.end({ transferred: false, sipCode: null, reason: 'the call ended' });
    for (const { stop } of this.#answered.values()) stop();
    this.#answered.clear();
    const { scheduler, timing, dialogs } = this.#context;
    scheduler.after(64 * timing.t1Ms, () => {
      if (dialogs.get(keyOf(this.#dialog)) === this) dialogs.delete(keyOf(this.#dialog));
    });
  }

  /** A request inside the dialog, already checked for method and content. */
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
          this.#referral?.farSideLeft();
          this.close();
          this.#options.user.onRemoteBye();
        }
        return;
      case 'INVITE':
        this.#reinvite(transaction);
        return;
      case 'INFO':
        this.#info(transaction);
        return;
      case 'NOTIFY':
        this.#notified(transaction);
        return;
      case 'OPTIONS':
        transaction.respond(responseTo(request, 200, { headers: [ALLOW, ACCEPT] }));
        return;
      default:
        transaction.respond(responseTo(request, 405, { headers: [ALLOW] }));
    }
  }

  /** The ACK of a 2xx of ours. */
  receiveAck(ack: SipRequest): void {
    const answered = this.#answered.get(ack.cseq.sequence);
    if (answered === undefined) return;
    this.#answered.delete(ack.cseq.sequence);
    answered.stop();
    answered.onAck(sdpOf(ack));
  }

  /**
   * Answers an INVITE with 200 and repeats it until the ACK comes (RFC 3261 section 13.3.1.4). `onLost` is told
   * after 64*T1 without one.
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

  #success(transaction: ServerTransaction, sdp: string): SipResponse {
    const local = this.#context.endpoint.localFor(transaction.origin);
    return responseTo(transaction.request, 200, {
      toTag: this.#dialog.localTag,
      headers: [contact(this.#options.contactUser, local, transaction.origin), ALLOW, USER_AGENT, SDP_TYPE],
      body: textBody(sdp),
    });
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
    // Our own INVITE, or an answer of ours, is still under way (RFC 3261 section 14.2).
    if (!this.#dialog.confirmed || this.#answered.size > 0) {
      refuse(491);
      return;
    }
    const offer = sdpOf(request);
    const sdp = offer === null ? this.#localSdp : this.#options.user.onReoffer(offer);
    if (sdp === null) {
      refuse(488);
      return;
    }
    this.#dialog = refreshTarget(this.#dialog, request);
    this.answer(transaction, sdp, {
      // A re-INVITE without an offer took ours: its answer comes in the ACK.
      onAck: (answer) => {
        if (offer === null && answer !== null) this.#options.user.onReoffer(answer);
      },
      onLost: () => this.#gone(null),
    });
  }

  #info(transaction: ServerTransaction): void {
    const { request } = transaction;
    const digit = dtmfOfInfo(request);
    const known = digit !== null || request.body.length === 0;
    transaction.respond(
      known ? responseTo(request, 200) : responseTo(request, 415, { headers: [ACCEPT_INFO] }),
    );
    if (digit !== null && !this.#over) this.#options.user.onDtmf(digit, this.#context.scheduler.now());
  }

  /** Nobody subscribed to anything else (RFC 6665 section 4.1.3). */
  #notified(transaction: ServerTransaction): void {
    const { request } = transaction;
    const isOurs = this.#hasReferred && isAboutReferral(request);
    transaction.respond(responseTo(request, isOurs ? 200 : 481));
    if (isOurs) this.#referral?.notified(request);
  }

  #request(
    method: 'BYE' | 'INFO' | 'REFER',
    content: { headers?: readonly Header[]; body?: Buffer },
    done: (status: number | null) => void,
  ): void {
    const { endpoint } = this.#context;
    this.#withPeers((peers) => {
      const exchange = new Exchange(endpoint, {
        build: (local, peer) => {
          const headers = [
            contact(this.#options.contactUser, local, peer),
            USER_AGENT,
            ...(content.headers ?? []),
          ];
          const built = requestInDialog(this.#dialog, method, {
            headers: method === 'BYE' ? headers.slice(1) : headers,
            ...(content.body === undefined ? {} : { body: content.body }),
          });
          this.#dialog = built.dialog;
          return built.request;
        },
        peers: peers.length === 0 ? [this.#options.flow] : peers,
        tcpForLarge: this.#options.transport === 'auto',
        authenticator: this.#options.authenticator,
        wanted: () => true,
        user: {
          onProvisional: () => {},
          onFinal: ({ status }) => {
            if (method !== 'BYE' && (status === 481 || status === 408)) this.#gone(status);
            done(status);
          },
          onFailure: () => {
            if (method !== 'BYE') this.#gone(null);
            done(null);
          },
        },
      });
      exchange.start();
    });
  }

  /** RFC 3261 section 12.2.1.2: 481, 408 or silence inside a dialog ends it. */
  #gone(sipCode: number | null): void {
    if (this.#over) return;
    this.bye();
    this.#options.user.onGone(sipCode);
  }

  /** The stream of the flow while it leads to the next hop; else the next hop's own address. */
  #withPeers(use: (peers: readonly (Peer | Origin)[]) => void): void {
    const { flow, transport } = this.#options;
    const uri = nextHop(this.#dialog);
    const choice = transport === 'udp' ? 'auto' : transport;
    const literal = literalPeer(uri, choice);
    if (literal === null) {
      this.#context
        .resolve(uri, choice)
        .then(use)
        .catch((error: unknown) => this.#context.log.error({ err: error }, 'In-dialog request failed'));
      return;
    }
    // A caller behind a stream may listen nowhere: its own stream comes first.
    const streams = 'connection' in flow && flow.connection !== null && literal.transport === 'tcp';
    use(streams && literal.address === flow.address ? [flow, literal] : [literal]);
  }
}
