import { isIP } from 'node:net';
import { literalPeer, type Peer, type Resolve } from '@callwright/sip';
import type { Scheduler } from '../../shared/clock.ts';
import { type Gateway, inOrderOfWeight } from './selection.ts';
import { type Trunk, trunkHost } from './trunk.ts';

/** Lifetime of cached addresses. */
const LOOKUP_LIFE_MS = 60_000;

/** A gateway with its addresses in the order of the name service. */
export interface FoundGateway extends Gateway {
  readonly peers: readonly Peer[];
}

export const gatewayKey = ({ transport, address, port }: Peer): string => `${transport}|${address}|${port}`;

/** The addresses of a trunk: those of its gateways, else of its URI. */
export class AddressBook {
  readonly #trunk: Trunk;
  readonly #scheduler: Scheduler;
  readonly #resolve: Resolve;
  readonly #random: () => number;
  readonly #isLiteral: boolean;
  #gateways: readonly FoundGateway[];
  #peers: readonly Peer[] = [];
  #lookedUpAt = -Infinity;
  #looking: Promise<void> | null = null;
  constructor(
    trunk: Trunk,
    options: { readonly scheduler: Scheduler; readonly resolve: Resolve; readonly random?: () => number },
  ) {
    this.#trunk = trunk;
    this.#scheduler = options.scheduler;
    this.#resolve = options.resolve;
    this.#random = options.random ?? Math.random;
    const { gateways = [] } = trunk;
    const declared: readonly Gateway[] =
      gateways.length > 0 ? gateways : [{ uri: trunk.uri, priority: 0, weight: 1 }];
    this.#gateways = declared.map((gateway) => {
      const literal = literalPeer(gateway.uri, gateway.transport ?? trunk.transport);
      return { ...gateway, peers: literal === null ? [] : [this.#certified(literal)] };
    });
    this.#isLiteral = this.#gateways.every(({ peers }) => peers.length > 0);
    this.#peers = peersOf(this.#gateways);
  }
  /** In the order of the trunk's entry. */
  get gateways(): readonly FoundGateway[] {
    return this.#gateways;
  }
  /** Every address once. */
  get peers(): readonly Peer[] {
    return this.#peers;
  }
  get isFresh(): boolean {
    return this.#isLiteral || this.#scheduler.now() - this.#lookedUpAt < LOOKUP_LIFE_MS;
  }
  /** As one call tries them. */
  inOrder(): readonly Peer[] {
    const ordered = inOrderOfWeight(this.#gateways, this.#random);
    return peersOf(ordered.map((gateway) => ({ ...gateway, peers: this.#shared(gateway.peers) })));
  }
  /** The addresses of SRV records by their priorities and weights; others in the order of the name service. */
  #shared(peers: readonly Peer[]): readonly Peer[] {
    if (!peers.some(({ share }) => share !== undefined)) return peers;
    const weighed = peers.map((peer) => ({ peer, priority: 0, weight: 0, ...peer.share }));
    return inOrderOfWeight(weighed, this.#random).map(({ peer }) => peer);
  }
  /** Looks names up unless the addresses are fresh. Never rejects: after a failed look-up the previous addresses stay. */
  lookUp(): Promise<void> {
    if (this.#peers.length > 0 && this.isFresh) return Promise.resolve();
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }
  /** Over TLS a gateway that is an address shows the certificate of the trunk's domain (RFC 5922 section 4). */
  #certified(peer: Peer): Peer {
    const host = trunkHost(this.#trunk);
    const isAddress = peer.domain !== undefined && isIP(peer.domain) !== 0;
    return isAddress && host !== null ? { ...peer, domain: host } : peer;
  }
  async #ask(): Promise<void> {
    const found = await Promise.all(
      this.#gateways.map(async (gateway) => {
        const choice = gateway.transport ?? this.#trunk.transport;
        const peers = await this.#resolve(gateway.uri, choice).catch(() => []);
        return peers.length === 0 ? null : { ...gateway, peers: peers.map((peer) => this.#certified(peer)) };
      }),
    );
    if (found.every((gateway) => gateway === null)) return;
    this.#gateways = this.#gateways.map((gateway, n) => found[n] ?? gateway);
    this.#peers = peersOf(this.#gateways);
    this.#lookedUpAt = this.#scheduler.now();
  }
}

function peersOf(gateways: readonly FoundGateway[]): readonly Peer[] {
  const byKey = new Map<string, Peer>();
  for (const { peers } of gateways) {
    for (const peer of peers) if (!byKey.has(gatewayKey(peer))) byKey.set(gatewayKey(peer), peer);
  }
  return [...byKey.values()];
}
