import type { Log } from '../../shared/log.ts';
import {
  type Authenticator,
  type CallTrunk,
  type Endpoint,
  type Peer,
  type Resolve,
  type TransportChoice,
  createAuthenticator,
  literalPeer,
} from '@callwright/sip';
import { createSourceMatch, isUnspecified } from '@callwright/rtp';
import type { Scheduler } from '../../shared/clock.ts';
import { gatewayKey, Monitor } from './monitor.ts';
import { Registrar } from './registrar.ts';
import { type Trunk, trunkDomain, trunkHost } from './trunk.ts';

/** Lifetime of cached addresses. */
const LOOKUP_LIFE_MS = 60_000;
/** How long a peer that refused is tried last. */
const DEMOTED_MS = 60_000;
const MAX_DEMOTED_MS = 300_000;

/** One trunk at run time: addresses, registration, health. */
export class TrunkLine implements CallTrunk {
  readonly trunk: Trunk;
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly host: string;
  readonly transport: TransportChoice;
  readonly authenticator: Authenticator | null;
  readonly contactUser: string;
  readonly #scheduler: Scheduler;
  readonly #resolve: Resolve;
  readonly #allowed: (address: string) => boolean;
  readonly #hasMedia: (address: string) => boolean;
  readonly #registrar: Registrar | null;
  readonly #monitor: Monitor | null;
  #peers: readonly Peer[] = [];
  readonly #demotedUntil = new Map<string, number>();
  #lookedUpAt = -Infinity;
  #looking: Promise<readonly Peer[]> | null = null;
  constructor(
    trunk: Trunk,
    options: {
      endpoint: Endpoint;
      scheduler: Scheduler;
      resolve: Resolve;
      /** Null: no OPTIONS probes. */
      probeIntervalMs: number | null;
      log: Log;
    },
  ) {
    const { endpoint, scheduler, log, probeIntervalMs } = options;
    const { username, password } = trunk;
    this.trunk = trunk;
    this.id = trunk.id;
    this.name = trunk.name;
    this.domain = trunkDomain(trunk) ?? 'invalid';
    this.host = trunkHost(trunk) ?? 'invalid';
    this.transport = trunk.transport;
    this.contactUser = username ?? '';
    this.authenticator =
      username === null || password === null
        ? null
        : createAuthenticator(
            { username, password },
            {
              isOwnRealm: (realm) => this.host === realm.toLowerCase() || this.owns(realm),
              onRefused: (realm, peer) =>
                log.warn(
                  { trunk: trunk.name, trunkId: trunk.id, realm, peer },
                  'Digest challenge not answered',
                ),
            },
          );
    this.#scheduler = scheduler;
    this.#resolve = options.resolve;
    this.#allowed = createSourceMatch(trunk.allowedSources);
    this.#hasMedia = createSourceMatch(trunk.mediaRanges ?? []);
    const literal = literalPeer(trunk.uri, trunk.transport);
    if (literal !== null) {
      this.#peers = [literal];
      this.#lookedUpAt = Infinity;
    }
    this.#registrar =
      trunk.register && username !== null
        ? new Registrar({ endpoint, scheduler, trunk: this, username, log })
        : null;
    this.#monitor =
      probeIntervalMs === null
        ? null
        : new Monitor({
            endpoint,
            scheduler,
            trunk: this,
            intervalMs: probeIntervalMs,
            addresses: async () => {
              await this.lookUp();
              return this.#peers;
            },
            // The registrar may have lost us while it was away.
            onRecovered: () => this.renew(),
          });
  }
  get reachable(): boolean | null {
    return this.#monitor?.reachable ?? null;
  }
  /** Null when the trunk does not register. */
  get registered(): boolean | null {
    return this.#registrar?.registered ?? null;
  }
  start(): void {
    this.#registrar?.start();
    this.#monitor?.start();
    // The guard needs the trunk's addresses before the first inbound call.
    if (this.#registrar === null && this.#monitor === null) void this.lookUp();
  }
  /** Registers anew, if the trunk registers: its connection, its registrar or our address changed. */
  renew(): void {
    this.#registrar?.renew();
  }
  /** The connection with a peer closed. The carrier reached us over it, if it is the trunk's (RFC 5626). */
  flowLost(peer: Peer): void {
    if (this.#peers.some((own) => own.transport === peer.transport && gatewayKey(own) === gatewayKey(peer))) {
      this.renew();
    }
  }
  /** Un-registers: the carrier sends new calls elsewhere. Probes go on for the calls that are left. */
  async unregister(): Promise<void> {
    await this.#registrar?.stop();
  }
  async stop(): Promise<void> {
    this.#monitor?.stop();
    await this.#registrar?.stop();
  }
  /** Returns stale addresses while a look-up runs: only the first call of a trunk waits for the name service. */
  known(): readonly Peer[] | null {
    if (this.#peers.length === 0) return null;
    if (!this.#isFresh) void this.lookUp();
    return this.#ordered();
  }
  /** Never rejects: after a failed look-up the previous addresses stay. */
  async lookUp(): Promise<readonly Peer[]> {
    if (this.#peers.length > 0 && this.#isFresh) return this.#ordered();
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }
  get #isFresh(): boolean {
    return this.#scheduler.now() - this.#lookedUpAt < LOOKUP_LIFE_MS;
  }
  async #ask(): Promise<readonly Peer[]> {
    const peers = await this.#resolve(this.trunk.uri, this.trunk.transport).catch(() => []);
    if (peers.length > 0) {
      this.#peers = peers;
      this.#lookedUpAt = this.#scheduler.now();
    }
    return this.#ordered();
  }
  demote(peer: Peer, retryAfterMs: number | null = null): void {
    const ms = retryAfterMs === null ? DEMOTED_MS : Math.min(retryAfterMs, MAX_DEMOTED_MS);
    this.#demotedUntil.set(gatewayKey(peer), this.#scheduler.now() + ms);
  }
  suspect(peer: Peer): void {
    // Without probes only time brings it back.
    if (this.#monitor === null) this.demote(peer);
    else this.#monitor.suspect(peer);
  }
  /**
   * The addresses that answer; all of them when none does, because a carrier may ignore OPTIONS. Demoted ones last,
   * otherwise in the order of the look-up.
   */
  #ordered(): readonly Peer[] {
    const now = this.#scheduler.now();
    for (const [key, until] of this.#demotedUntil) if (until <= now) this.#demotedUntil.delete(key);
    const answering = this.#peers.filter((peer) => this.#monitor?.mayCall(peer) !== false);
    const peers = answering.length > 0 ? answering : this.#peers;
    if (this.#demotedUntil.size === 0) return peers;
    const isDemoted = (peer: Peer): boolean => this.#demotedUntil.has(gatewayKey(peer));
    return [...peers.filter((peer) => !isDemoted(peer)), ...peers.filter(isDemoted)];
  }
  /** True for addresses that its SDP may name. */
  takesMedia(address: string): boolean {
    return (this.trunk.mediaRanges ?? []).length === 0 || isUnspecified(address) || this.#hasMedia(address);
  }
  owns(address: string): boolean {
    return this.#peers.some((peer) => peer.address === address) || this.#allowed(address);
  }
  ownsPort(address: string, port: number): boolean {
    return this.#peers.some((peer) => peer.address === address && peer.port === port);
  }
}
