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
import { randomToken } from '../../shared/ids.ts';
import type { Scheduler } from '../../shared/clock.ts';
import { gatewayKey } from './address-book.ts';
import {
  bestOf,
  type GatewayHealth,
  type HealthEvent,
  type KnownHealth,
  mayCall,
  newGateway,
  probePauseMs,
  stepHealth,
} from './gateway-health.ts';

/** A probe without a response counts as unanswered after this long: three transmissions over UDP. */
const PROBE_TIMEOUT_MS = 2_000;

interface Gateway {
  readonly peer: Peer;
  health: GatewayHealth;
  exchange: Exchange | null;
  cancel: () => void;
}

/** Probes each address of a trunk by itself with OPTIONS. Any response except 408 and 503 means that it is healthy. */
export class Monitor {
  readonly #endpoint: Endpoint;
  readonly #scheduler: Scheduler;
  readonly #trunk: CallTrunk;
  readonly #intervalMs: number;
  readonly #gateways = new Map<string, Gateway>();
  #sequence = 0;
  #stopped = false;
  /** The last look-up found no address. */
  #isLost = false;
  #cancelLook: () => void = () => {};
  readonly #addresses: () => Promise<readonly Peer[]>;
  readonly #onRecovered: () => void;
  constructor(options: {
    endpoint: Endpoint;
    scheduler: Scheduler;
    trunk: CallTrunk;
    intervalMs: number;
    /** All addresses of the trunk after a look-up. Never rejects. */
    addresses: () => Promise<readonly Peer[]>;
    /** An address answers again that was suspect or down. */
    onRecovered?: () => void;
  }) {
    this.#endpoint = options.endpoint;
    this.#scheduler = options.scheduler;
    this.#trunk = options.trunk;
    this.#intervalMs = options.intervalMs;
    this.#addresses = options.addresses;
    this.#onRecovered = options.onRecovered ?? (() => {});
  }
  /** True while an address is healthy; null until the first probe of each ended. */
  get reachable(): boolean | null {
    if (this.#isLost) return false;
    const states = [...this.#gateways.values()].map(({ health }) => health.state);
    if (states.includes('healthy')) return true;
    return states.length === 0 || states.includes('unknown') ? null : false;
  }
  /** The best of some addresses; null: none is probed yet. */
  healthOf(peers: readonly Peer[]): KnownHealth | null {
    return bestOf(peers.flatMap((peer) => this.#gateways.get(gatewayKey(peer))?.health ?? []));
  }
  /** True for addresses that calls may use while there are any. */
  mayCall(peer: Peer): boolean {
    const gateway = this.#gateways.get(gatewayKey(peer));
    return gateway === undefined || mayCall(gateway.health);
  }
  /** Follows the addresses of the trunk, and probes them. */
  start(): void {
    void this.#addresses().then((peers) => this.#follow(peers));
  }
  /** A call got no response from the address in time: it is probed at once. */
  suspect(peer: Peer): void {
    const gateway = this.#gateways.get(gatewayKey(peer));
    if (gateway !== undefined && mayCall(gateway.health)) this.#step(gateway, 'silent', 0);
  }
  /** Probes every address now. */
  check(): void {
    if (this.#stopped) return;
    for (const gateway of this.#gateways.values()) this.#probe(gateway);
  }
  stop(): void {
    this.#stopped = true;
    this.#cancelLook();
    for (const gateway of this.#gateways.values()) end(gateway);
  }

  #follow(peers: readonly Peer[]): void {
    if (this.#stopped) return;
    this.#isLost = peers.length === 0;
    const keys = new Set(peers.map(gatewayKey));
    for (const [key, gateway] of this.#gateways) {
      if (keys.has(key)) continue;
      end(gateway);
      this.#gateways.delete(key);
    }
    for (const peer of peers) {
      const key = gatewayKey(peer);
      if (this.#gateways.has(key)) continue;
      const gateway: Gateway = { peer, health: newGateway, exchange: null, cancel: () => {} };
      this.#gateways.set(key, gateway);
      this.#probe(gateway);
    }
    this.#cancelLook = this.#scheduler.after(this.#jittered(this.#intervalMs), () => this.start());
  }

  #probe(gateway: Gateway): void {
    const exchange = new Exchange(this.#endpoint, {
      build: (local, peer) => this.#build(local, peer),
      peers: [gateway.peer],
      tcp: null,
      authenticator: null,
      wanted: () => !this.#stopped,
      user: {
        onProvisional: () => {},
        onFinal: ({ status }) => done(status !== 408 && status !== 503 ? 'answered' : 'unanswered'),
        onFailure: () => done('unanswered'),
      },
    });
    const done = (event: HealthEvent): void => {
      if (gateway.exchange !== exchange) return;
      end(gateway);
      this.#step(gateway, event);
    };
    end(gateway);
    gateway.exchange = exchange;
    gateway.cancel = this.#scheduler.after(PROBE_TIMEOUT_MS, () => done('unanswered'));
    exchange.start();
  }

  #step(gateway: Gateway, event: HealthEvent, pauseMs?: number): void {
    if (this.#stopped) return;
    const could = mayCall(gateway.health);
    gateway.health = stepHealth(gateway.health, event);
    if (!could && mayCall(gateway.health)) this.#onRecovered();
    const ms = pauseMs ?? this.#jittered(probePauseMs(gateway.health, this.#intervalMs));
    gateway.cancel();
    gateway.cancel = this.#scheduler.after(ms, () => this.#probe(gateway));
  }

  /** Spreads probes, so that those of many trunks do not coincide. */
  #jittered(ms: number): number {
    return ms * (0.9 + 0.2 * Math.random());
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

/** Ends the probe of an address and the wait for the next one. */
function end(gateway: Gateway): void {
  gateway.cancel();
  gateway.exchange?.abandon();
  gateway.exchange = null;
}
