import type { Log } from '../../shared/log.ts';
import {
  type Authenticator,
  type CallTrunk,
  type Endpoint,
  type InviteRules,
  type Peer,
  type Resolve,
  type TransportChoice,
  createAuthenticator,
} from '@callwright/sip';
import { createSourceMatch, isUnspecified } from '@callwright/rtp';
import type { Scheduler } from '../../shared/clock.ts';
import { AddressBook, gatewayKey } from './address-book.ts';
import { lineOf } from './binding.ts';
import type { KnownHealth } from './gateway-health.ts';
import { Monitor } from './monitor.ts';
import { inviteRules } from './outgoing.ts';
import { Registrar } from './registrar.ts';
import { type Trunk, trunkDomain, trunkHost } from './trunk.ts';

/** How long a peer that refused is tried last. */
const DEMOTED_MS = 60_000;
const MAX_DEMOTED_MS = 300_000;

/** A declared gateway as its probes see it. */
export interface GatewayReport {
  readonly priority: number;
  readonly weight: number;
  /** Null: not probed yet. */
  readonly health: KnownHealth | null;
}

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
  /** The `line` of the Contact that it registers. */
  readonly contactLine: string;
  readonly rules?: InviteRules;
  readonly headerNames: readonly string[];
  readonly acceptsRefer: boolean;
  readonly #scheduler: Scheduler;
  readonly #allowed: (address: string) => boolean;
  readonly #hasMedia: (address: string) => boolean;
  /** Null: the trunk does not register. */
  readonly #newRegistrar: (() => Registrar) | null;
  #registrar: Registrar | null = null;
  /** The un-REGISTER of the last registrar. */
  #left: Promise<void> = Promise.resolve();
  #phase: 'new' | 'started' | 'stopping' = 'new';
  readonly #monitor: Monitor | null;
  readonly #book: AddressBook;
  readonly #demotedUntil = new Map<string, number>();
  constructor(
    trunk: Trunk,
    options: {
      endpoint: Endpoint;
      scheduler: Scheduler;
      resolve: Resolve;
      /** Null: no OPTIONS probes. */
      probeIntervalMs: number | null;
      log: Log;
      /** In [0, 1); absent: Math.random. */
      random?: () => number;
    },
  ) {
    const { endpoint, scheduler, log, probeIntervalMs } = options;
    const { username, password, outgoing } = trunk;
    const authUsername = trunk.authUsername ?? username;
    this.trunk = trunk;
    this.id = trunk.id;
    this.name = trunk.name;
    this.domain = trunkDomain(trunk) ?? 'invalid';
    this.host = trunkHost(trunk) ?? 'invalid';
    this.transport = trunk.transport;
    this.contactUser = username ?? '';
    this.contactLine = lineOf(trunk.id);
    if (outgoing != null) this.rules = inviteRules(outgoing);
    this.headerNames = trunk.headerVariables ?? [];
    this.acceptsRefer = trunk.acceptRefer ?? false;
    this.authenticator =
      authUsername === null || password === null
        ? null
        : createAuthenticator(
            { username: authUsername, password },
            {
              isOwnRealm: (realm) => this.host === realm.toLowerCase() || this.owns(realm),
              onRefused: (realm, peer) =>
                log.warn(
                  { trunk: trunk.name, trunkId: trunk.id, realm: realm.slice(0, 100), peer },
                  'Digest challenge not answered',
                ),
            },
          );
    this.#scheduler = scheduler;
    this.#book = new AddressBook(trunk, options);
    this.#allowed = createSourceMatch(trunk.allowedSources);
    this.#hasMedia = createSourceMatch(trunk.mediaRanges ?? []);
    this.#newRegistrar =
      trunk.register && username !== null
        ? () =>
            new Registrar({
              endpoint,
              scheduler,
              trunk: this,
              username,
              line: this.contactLine,
              log,
              addresses: async () => {
                await this.#book.lookUp();
                return this.#usable(this.#book.peers);
              },
            })
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
              await this.#book.lookUp();
              return this.#book.peers;
            },
            // The registrar may have lost us while it was away.
            onRecovered: () => this.renew(),
          });
  }
  get reachable(): boolean | null {
    return this.#monitor?.reachable ?? null;
  }
  /** Health of the declared gateways, in their order. A gateway with several addresses is as healthy as the best. */
  get gateways(): readonly GatewayReport[] {
    const { gateways = [] } = this.trunk;
    if (gateways.length === 0) return [];
    return this.#book.gateways.map(({ priority, weight, peers }) => ({
      priority,
      weight,
      health: this.#monitor?.healthOf(peers) ?? null,
    }));
  }
  /** Null when the trunk does not register. */
  get registered(): boolean | null {
    return this.#registrar?.registered ?? null;
  }
  /** Status with which the registrar refused the last REGISTER; null: it did not. */
  get refusal(): number | null {
    return this.#registrar?.refusal ?? null;
  }
  /** Of the outbound proxy, then of the registration (RFC 3608 section 6.1). */
  get routes(): readonly string[] {
    const { route } = this.rules ?? {};
    return [...(route === undefined ? [] : [route]), ...(this.#registrar?.serviceRoute ?? [])];
  }
  /** `registers`: this process registers the account, if the trunk has one. */
  start(registers = true): void {
    this.#phase = 'started';
    this.#monitor?.start();
    if (registers) this.register();
    // The guard needs the trunk's addresses before the first inbound call.
    if (this.#registrar === null && this.#monitor === null) void this.lookUp();
  }
  /** Whether the carrier expects a REGISTER of some process. */
  get isAccount(): boolean {
    return this.#newRegistrar !== null;
  }
  /** Registers the account from now on; no effect while it does, before the start and after the stop. */
  register(): void {
    if (this.#newRegistrar === null || this.#registrar !== null || this.#phase !== 'started') return;
    const registrar = this.#newRegistrar();
    this.#registrar = registrar;
    // Both use one Contact.
    void this.#left.then(() => {
      if (this.#registrar === registrar) registrar.start();
    });
  }
  /** Un-registers, because another process registers the account. Resolves with false if it was not registered here. */
  async deregister(): Promise<boolean> {
    const registrar = this.#registrar;
    this.#registrar = null;
    if (registrar === null) return false;
    this.#left = registrar.stop();
    await this.#left;
    return true;
  }
  /** Both trunks register the same user at the same carrier: their Contacts differ in `line` alone. */
  sharesContact(other: TrunkLine): boolean {
    return other !== this && other.contactUser === this.contactUser && other.host === this.host;
  }
  /** Registers anew, if the trunk registers: its connection, its registrar or our address changed. */
  renew(): void {
    this.#registrar?.renew();
  }
  /** The connection with a peer closed. The carrier reached us over it, if it is the trunk's (RFC 5626). */
  flowLost(peer: Peer): void {
    if (this.#book.peers.some((own) => gatewayKey(own) === gatewayKey(peer))) this.renew();
  }
  /** Probes every address now; false: the trunk is not probed. */
  check(): boolean {
    this.#monitor?.check();
    return this.#monitor !== null;
  }
  /** Un-registers: the carrier sends new calls elsewhere. Probes go on for the calls that are left. */
  async unregister(): Promise<void> {
    this.#phase = 'stopping';
    await Promise.all([this.#registrar?.stop(), this.#left]);
  }
  async stop(): Promise<void> {
    this.#monitor?.stop();
    await this.unregister();
  }
  /** Returns stale addresses while a look-up runs: only the first call of a trunk waits for the name service. */
  known(): readonly Peer[] | null {
    if (this.#book.peers.length === 0) return null;
    if (!this.#book.isFresh) void this.#book.lookUp();
    return this.#usable(this.#book.inOrder());
  }
  /** Never rejects: after a failed look-up the previous addresses stay. */
  async lookUp(): Promise<readonly Peer[]> {
    await this.#book.lookUp();
    return this.#usable(this.#book.inOrder());
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
  /** Those that answer; all of them when none does, because a carrier may ignore OPTIONS. Demoted ones last. */
  #usable(peers: readonly Peer[]): readonly Peer[] {
    const now = this.#scheduler.now();
    for (const [key, until] of this.#demotedUntil) if (until <= now) this.#demotedUntil.delete(key);
    const answering = peers.filter((peer) => this.#monitor?.mayCall(peer) !== false);
    const usable = answering.length > 0 ? answering : peers;
    if (this.#demotedUntil.size === 0) return usable;
    const isDemoted = (peer: Peer): boolean => this.#demotedUntil.has(gatewayKey(peer));
    return [...usable.filter((peer) => !isDemoted(peer)), ...usable.filter(isDemoted)];
  }
  /** True for addresses that its SDP may name. */
  takesMedia(address: string): boolean {
    return (this.trunk.mediaRanges ?? []).length === 0 || isUnspecified(address) || this.#hasMedia(address);
  }
  owns(address: string): boolean {
    return this.#book.peers.some((peer) => peer.address === address) || this.#allowed(address);
  }
  ownsPort(address: string, port: number): boolean {
    return this.#book.peers.some((peer) => peer.address === address && peer.port === port);
  }
}
