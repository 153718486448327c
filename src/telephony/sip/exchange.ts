import type { Authenticator } from './authenticator.ts';
import { mayAnswer } from './digest-client.ts';
import type { Endpoint } from './endpoint.ts';
import type { Header, SipRequest, SipResponse } from './message.ts';
import type { InviteGate } from '../leg.ts';
import type { LocalPoint, Peer } from './transport.ts';

/** Larger requests go over TCP when the peer takes it: the path MTU is unknown (RFC 3261 section 18.1.1). */
const MAX_UDP_BYTES = 1300;

export interface ExchangeUser {
  onProvisional(response: SipResponse): void;
  /** A final response that ends the exchange; for INVITE every 2xx, repeated and forked ones too. */
  onFinal(response: SipResponse): void;
  /** `late`: its gate has closed, and what was sent until then was challenged at most. */
  onFailure(failure: { kind: 'timeout' | 'transport' | 'late'; neverSent: boolean }): void;
  /** The request was handed to the network; not told of one that is expected to be challenged. */
  onSent?(): void;
}

export interface ExchangeOptions {
  /** The request without Via and credentials; called again for another peer or another CSeq. */
  readonly build: (local: LocalPoint, peer: Peer) => SipRequest;
  /** Tried in order until one takes the bytes. Not empty. */
  readonly peers: readonly Peer[];
  readonly tcpForLarge: boolean;
  readonly authenticator: Authenticator | null;
  /** False: a challenge is not answered any more because the request is no longer wanted. */
  readonly wanted: () => boolean;
  /** Absent: the request may leave at any time. */
  readonly gate?: InviteGate;
  readonly user: ExchangeUser;
}

/** One request until its final response: over several targets if need be, and once more with credentials. */
export class Exchange {
  readonly #endpoint: Endpoint;
  readonly #options: ExchangeOptions;
  #queue: Peer[];
  #credentials: readonly Header[] = [];
  #answered = 0;
  #forget: () => void = () => {};
  /** The request on the wire now, with Via and credentials, and where it went. */
  current: { readonly request: SipRequest; readonly peer: Peer } | null = null;
  /** True once the current request has had a provisional response: from then on it can be cancelled. */
  provisional = false;
  #everSent = false;
  constructor(endpoint: Endpoint, options: ExchangeOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#queue = [...options.peers];
  }
  /** The Authorization headers of the current request, for the ACK of its 2xx (RFC 3261 section 13.2.2.4). */
  get credentials(): readonly Header[] {
    return this.#credentials;
  }
  start(): void {
    this.#next();
  }
  /** Forgets the transaction; nothing is reported any more. */
  abandon(): void {
    this.#queue = [];
    this.#forget();
  }

  #next(): void {
    const peer = this.#queue.shift();
    if (peer === undefined) this.#options.user.onFailure({ kind: 'transport', neverSent: !this.#everSent });
    else this.#try(peer);
  }

  #try(peer: Peer): void {
    const request = this.#prepare(peer);
    const large = this.#options.tcpForLarge && this.#endpoint.sizeOf(request) > MAX_UDP_BYTES;
    // Back on UDP when nothing listens on TCP there.
    if (peer.transport === 'udp' && large) {
      const overTcp: Peer = { ...peer, transport: 'tcp' };
      this.#send(overTcp, this.#prepare(overTcp), () => this.#sendOn(peer));
    } else this.#send(peer, request, () => this.#next());
  }

  #sendOn(peer: Peer): void {
    this.#send(peer, this.#prepare(peer), () => this.#next());
  }

  #prepare(peer: Peer): SipRequest {
    const built = this.#options.build(this.#endpoint.localFor(peer), peer);
    const request = { ...built, headers: [...built.headers, ...this.#credentials] };
    return this.#endpoint.addressed(request, peer);
  }

  #send(peer: Peer, request: SipRequest, unsent: () => void): void {
    const { user, gate, authenticator } = this.#options;
    this.provisional = false;
    if (gate !== undefined && !gate.isOpen()) {
      this.current = null;
      void this.#reopen(gate, () => this.#send(peer, request, unsent));
      return;
    }
    this.current = { request, peer };
    this.#forget = this.#endpoint.send(request, peer, {
      onResponse: (response) => this.#receive(response, request, peer),
      onTimeout: () => {
        this.#everSent = true;
        user.onFailure({ kind: 'timeout', neverSent: false });
      },
      ...(gate === undefined ? {} : { mayLeave: () => this.#options.wanted() && gate.isOpen() }),
      onSent: () => {
        if (authenticator === null || this.#answered > 0) user.onSent?.();
      },
      onTransportError: (neverSent, tooLate) => {
        if (!neverSent) this.#everSent = true;
        if (tooLate && this.#options.wanted()) this.#send(peer, request, unsent);
        else if (neverSent && this.#options.wanted()) unsent();
        else user.onFailure({ kind: 'transport', neverSent: !this.#everSent });
      },
    });
  }

  /** Sends where the gate can be opened once more. */
  async #reopen(gate: InviteGate, send: () => void): Promise<void> {
    const isOpen = (await gate.reopen()) && gate.isOpen();
    if (isOpen && this.#options.wanted()) send();
    else this.#options.user.onFailure({ kind: 'late', neverSent: true });
  }

  #receive(response: SipResponse, request: SipRequest, peer: Peer): void {
    this.#everSent = true;
    if (response.status < 200) {
      this.provisional = true;
      this.#options.user.onProvisional(response);
      return;
    }
    const { authenticator } = this.#options;
    if (
      (response.status === 401 || response.status === 407) &&
      authenticator !== null &&
      this.#options.wanted()
    ) {
      const challenge = authenticator.challenge(response);
      if (challenge !== null && mayAnswer(challenge, this.#answered)) {
        this.#answered++;
        const answer = authenticator.answer(challenge, request);
        this.#credentials = [...this.#credentials.filter((h) => h.name !== answer.name), answer];
        this.#queue = [];
        this.#sendOn(peer);
        return;
      }
    }
    this.#options.user.onFinal(response);
  }
}
