import { type Authenticator, type Challenge, mayAnswer } from './digest-client.ts';
import type { Endpoint } from './endpoint.ts';
import type { Header, SipRequest, SipResponse } from './message.ts';
import type { InviteGate } from './call.ts';
import type { Scheduler } from './ports.ts';
import { retryAfterMs } from './response.ts';
import type { TcpFallback } from './tcp-fallback.ts';
import type { LocalPoint, Peer } from './transport.ts';

/** Larger requests go over TCP, because the path MTU is unknown (RFC 3261 section 18.1.1). */
const UDP_LIMIT = 1_300;
/** Responses to an INVITE that another peer may serve; they say nothing about the next call. */
const FAULTY: ReadonlySet<number> = new Set([500, 502, 504]);
/** A peer that sends no response in this time, not even 100, is reported. */
const SILENT_MS = 1_500;

export interface ExchangeUser {
  onProvisional(response: SipResponse): void;
  /** The final response; for INVITE every 2xx, including retransmitted and forked ones. */
  onFinal(response: SipResponse): void;
  /** `late`: the dial gate closed before an INVITE left that was more than challenged. */
  onFailure(failure: { kind: 'timeout' | 'transport' | 'late'; neverSent: boolean }): void;
  /** The network took the request. Not called for a first request that expects a challenge. */
  onSent?(): void;
}

export interface ExchangeOptions {
  /** Builds the request without Via and credentials; called once for each peer and each CSeq. */
  readonly build: (local: LocalPoint, peer: Peer) => SipRequest;
  /** Tried in order until one takes the request. Not empty. */
  readonly peers: readonly Peer[];
  /** Sends large requests over TCP where the peer takes it; null: never. */
  readonly tcp: TcpFallback | null;
  /** Size of a large request, in bytes; absent: above 1,300. */
  readonly udpLimit?: number;
  readonly authenticator: Authenticator | null;
  /** False once the request is abandoned: challenges stay unanswered and no other peer is tried. */
  readonly wanted: () => boolean;
  /** Dial gate; absent: no gate. */
  readonly gate?: InviteGate;
  /** A peer timed out or answered 503, perhaps with Retry-After. */
  readonly onPeerFailed?: (peer: Peer, retryAfterMs: number | null) => void;
  /** The network did not take the request for a peer or, with `scheduler`, no response came within 1.5 s. */
  readonly onPeerSilent?: (peer: Peer) => void;
  readonly scheduler?: Scheduler;
  readonly user: ExchangeUser;
}

/** One request until its final response: fails over between peers and answers a digest challenge. */
export class Exchange {
  readonly #endpoint: Endpoint;
  readonly #options: ExchangeOptions;
  #queue: Peer[];
  #credentials: readonly Header[] = [];
  readonly #answered: Challenge[] = [];
  #reportedSent = false;
  #forget: () => void = () => {};
  #unwatch: () => void = () => {};
  /** The request last sent, with Via and credentials, and its peer. */
  current: { readonly request: SipRequest; readonly peer: Peer } | null = null;
  /** True once the current request has a provisional response: from then on CANCEL may be sent. */
  provisional = false;
  #everSent = false;
  constructor(endpoint: Endpoint, options: ExchangeOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#queue = [...options.peers];
  }
  /** Authorization headers of the current request; the ACK of its 2xx repeats them (RFC 3261 section 13.2.2.4). */
  get credentials(): readonly Header[] {
    return this.#credentials;
  }
  start(): void {
    this.#next();
  }
  /** Drops the transaction; no callback follows. */
  abandon(): void {
    this.#queue = [];
    this.#unwatch();
    this.#forget();
  }

  #next(): void {
    const peer = this.#queue.shift();
    // The next peer has a challenge of its own: a nonce of the last one would only be refused.
    this.#credentials = [];
    this.#answered.length = 0;
    if (peer === undefined) this.#options.user.onFailure({ kind: 'transport', neverSent: !this.#everSent });
    else this.#try(peer);
  }

  #try(peer: Peer): void {
    const request = this.#prepare(peer);
    const { tcp, udpLimit = UDP_LIMIT } = this.#options;
    const isLarge = peer.transport === 'udp' && this.#endpoint.sizeOf(request) > udpLimit;
    const overTcp = isLarge ? (tcp?.of(peer) ?? null) : null;
    if (overTcp === null) this.#send(peer, request, () => this.#next());
    else this.#send(overTcp, this.#prepare(overTcp), () => this.#overUdp(peer), peer);
  }

  /** The peer takes no TCP connection, which says nothing about its UDP. */
  #overUdp(peer: Peer): void {
    this.#options.tcp?.failed(peer);
    this.#send(peer, this.#prepare(peer), () => this.#next());
  }

  #prepare(peer: Peer): SipRequest {
    const built = this.#options.build(this.#endpoint.localFor(peer), peer);
    const request = { ...built, headers: [...built.headers, ...this.#credentials] };
    return this.#endpoint.addressed(request, peer);
  }

  /** `known` is the peer of the options when a large request goes to its TCP: reports name it. */
  #send(peer: Peer, request: SipRequest, unsent: () => void, known: Peer = peer): void {
    const { user, gate, authenticator } = this.#options;
    const isSwitch = known !== peer;
    this.provisional = false;
    if (gate !== undefined && !gate.isOpen()) {
      this.current = null;
      void this.#reopen(gate, () => this.#send(peer, request, unsent, known));
      return;
    }
    this.current = { request, peer };
    this.#watch(peer, isSwitch);
    this.#forget = this.#endpoint.send(request, peer, {
      onResponse: (response) => this.#receive(response, request, peer, known),
      onTimeout: () => {
        this.#unwatch();
        this.#everSent = true;
        this.#options.onPeerFailed?.(known, null);
        // Never an INVITE: the silent peer may have made the phone ring.
        if (request.method !== 'INVITE' && this.#queue.length > 0 && this.#options.wanted()) this.#next();
        else user.onFailure({ kind: 'timeout', neverSent: false });
      },
      ...(gate === undefined ? {} : { mayLeave: () => this.#options.wanted() && gate.isOpen() }),
      onSent: () => {
        if (this.#reportedSent || (authenticator !== null && this.#answered.length === 0)) return;
        this.#reportedSent = true;
        user.onSent?.();
      },
      onTransportError: (neverSent, tooLate) => {
        this.#unwatch();
        if (!neverSent) this.#everSent = true;
        if (!tooLate && !(isSwitch && neverSent)) this.#options.onPeerSilent?.(known);
        if (tooLate && this.#options.wanted()) this.#send(peer, request, unsent, known);
        else if (neverSent && this.#options.wanted()) unsent();
        else user.onFailure({ kind: 'transport', neverSent: !this.#everSent });
      },
    });
  }

  /** Not for a switch to TCP, whose connection has its own time limit. */
  #watch(peer: Peer, isSwitch: boolean): void {
    const { scheduler, onPeerSilent } = this.#options;
    this.#unwatch();
    if (scheduler === undefined || isSwitch) return;
    this.#unwatch = scheduler.after(SILENT_MS, () => onPeerSilent?.(peer));
  }

  /** Sends if the dial gate issues a new permit. */
  async #reopen(gate: InviteGate, send: () => void): Promise<void> {
    const isOpen = (await gate.reopen()) && gate.isOpen();
    if (isOpen && this.#options.wanted()) send();
    else this.#options.user.onFailure({ kind: 'late', neverSent: true });
  }

  #receive(response: SipResponse, request: SipRequest, peer: Peer, known: Peer): void {
    this.#unwatch();
    this.#everSent = true;
    const { status } = response;
    if (status >= 180 && status !== 401 && status !== 403 && status !== 407) {
      this.#options.authenticator?.accept(this.#answered, response.cseq.method, peer.address);
    }
    if (status < 200) {
      this.provisional = true;
      if (status > 100) this.#queue = [];
      this.#options.user.onProvisional(response);
      return;
    }
    const { authenticator } = this.#options;
    if ((status === 401 || status === 407) && authenticator !== null && this.#options.wanted()) {
      const challenge = authenticator.challenge(response, peer.address);
      if (challenge !== null && mayAnswer(challenge, this.#answered)) {
        this.#answered.push(challenge);
        const answer = authenticator.answer(challenge, request);
        this.#credentials = [...this.#credentials.filter((h) => h.name !== answer.name), answer];
        this.#try(peer);
        return;
      }
    }
    // RFC 3263 section 4.3. A peer that refuses before it reported ringing cannot have made the phone ring.
    const isFaulty = request.method === 'INVITE' && FAULTY.has(status);
    if (status === 503 || isFaulty) {
      if (status === 503) this.#options.onPeerFailed?.(known, retryAfterMs(response));
      if (this.#queue.length > 0 && this.#options.wanted()) {
        this.#next();
        return;
      }
    }
    this.#options.user.onFinal(response);
  }
}
