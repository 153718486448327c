import { randomToken } from '../../shared/ids.ts';
import {
  type CallTrunk,
  EMPTY_BODY,
  type Endpoint,
  Exchange,
  type LocalPoint,
  type Peer,
  type SipRequest,
  USER_AGENT,
  contact,
} from '@callwright/sip';
import type { Scheduler } from '../../shared/clock.ts';

/** Probes a trunk with OPTIONS. Any response except 408 and 503 means reachable. */
export class Monitor {
  readonly #endpoint: Endpoint;
  readonly #scheduler: Scheduler;
  readonly #trunk: CallTrunk;
  readonly #intervalMs: number;
  #sequence = 0;
  #reachable: boolean | null = null;
  #stopped = false;
  #exchange: Exchange | null = null;
  #cancel: () => void = () => {};
  constructor(options: { endpoint: Endpoint; scheduler: Scheduler; trunk: CallTrunk; intervalMs: number }) {
    this.#endpoint = options.endpoint;
    this.#scheduler = options.scheduler;
    this.#trunk = options.trunk;
    this.#intervalMs = options.intervalMs;
  }
  /** Null until the first probe ends. */
  get reachable(): boolean | null {
    return this.#reachable;
  }
  start(): void {
    this.#trunk
      .lookUp()
      .then((peers) => this.#probe(peers))
      .catch(() => this.#done(false));
  }
  stop(): void {
    this.#stopped = true;
    this.#cancel();
    this.#exchange?.abandon();
  }

  #probe(peers: readonly Peer[]): void {
    if (this.#stopped) return;
    if (peers.length === 0) {
      this.#done(false);
      return;
    }
    this.#exchange = new Exchange(this.#endpoint, {
      build: (local, peer) => this.#build(local, peer),
      peers,
      tcpForLarge: false,
      authenticator: null,
      onPeerFailed: (peer) => this.#trunk.demote(peer),
      wanted: () => !this.#stopped,
      user: {
        onProvisional: () => {},
        onFinal: ({ status }) => this.#done(status !== 408 && status !== 503),
        onFailure: () => this.#done(false),
      },
    });
    this.#exchange.start();
  }

  #done(reachable: boolean): void {
    if (this.#stopped) return;
    this.#reachable = reachable;
    // Jitter, so that probes of many trunks do not coincide.
    const ms = this.#intervalMs * (0.9 + 0.2 * Math.random());
    this.#cancel = this.#scheduler.after(ms, () => this.start());
  }

  #build(local: LocalPoint, peer: Peer): SipRequest {
    const party = `sip:${this.#trunk.host}`;
    return {
      kind: 'request',
      method: 'OPTIONS',
      uri: `sip:${this.#trunk.domain}`,
      via: [],
      from: { displayName: null, uri: party, params: new Map([['tag', randomToken(12)]]) },
      to: { displayName: null, uri: party, params: new Map() },
      callId: randomToken(20),
      cseq: { sequence: ++this.#sequence, method: 'OPTIONS' },
      headers: [
        { name: 'max-forwards', value: '70' },
        contact(this.#trunk.contactUser, local, peer),
        USER_AGENT,
      ],
      body: EMPTY_BODY,
    };
  }
}
