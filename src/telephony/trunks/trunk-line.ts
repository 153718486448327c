import type { Log } from '../../shared/log.ts';
import { createAuthenticator, type Authenticator } from '../sip/authenticator.ts';
import type { CallTrunk } from '../sip/call-trunk.ts';
import type { Endpoint } from '../sip/endpoint.ts';
import { literalPeer, type Resolve, type TransportChoice } from '../sip/resolver.ts';
import type { Scheduler } from '../sip/scheduler.ts';
import type { Peer } from '../sip/transport.ts';
import { Monitor } from './monitor.ts';
import { Registrar } from './registrar.ts';
import { createSourceMatch } from './source-match.ts';
import { trunkDomain, type Trunk } from './trunk.ts';

/** How long looked-up addresses are used before they are asked for again. */
const LOOKUP_LIFE_MS = 60_000;

/** One trunk at work: its addresses, its registration, its health. */
export class TrunkLine implements CallTrunk {
  readonly trunk: Trunk;
  readonly id: string;
  readonly domain: string;
  readonly transport: TransportChoice;
  readonly authenticator: Authenticator | null;
  readonly contactUser: string;
  readonly #scheduler: Scheduler;
  readonly #resolve: Resolve;
  readonly #allowed: (address: string) => boolean;
  readonly #registrar: Registrar | null;
  readonly #monitor: Monitor | null;
  #peers: readonly Peer[] = [];
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
    this.domain = trunkDomain(trunk) ?? 'invalid';
    this.transport = trunk.transport;
    this.contactUser = username ?? '';
    this.authenticator =
      username === null || password === null ? null : createAuthenticator({ username, password });
    this.#scheduler = scheduler;
    this.#resolve = options.resolve;
    this.#allowed = createSourceMatch(trunk.allowedSources);
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
        : new Monitor({ endpoint, scheduler, trunk: this, intervalMs: probeIntervalMs });
  }
  get reachable(): boolean | null {
    return this.#monitor?.reachable ?? null;
  }
  /** Null for a trunk that does not register. */
  get registered(): boolean | null {
    return this.#registrar?.registered ?? null;
  }
  start(): void {
    this.#registrar?.start();
    this.#monitor?.start();
    // Source checks need the addresses before the first call.
    if (this.#registrar === null && this.#monitor === null) void this.lookUp();
  }
  async stop(): Promise<void> {
    this.#monitor?.stop();
    await this.#registrar?.stop();
  }
  /** Old addresses serve while new ones are asked for: no call waits for the name service but a trunk's first. */
  known(): readonly Peer[] | null {
    if (this.#peers.length === 0) return null;
    if (!this.#isFresh) void this.lookUp();
    return this.#peers;
  }
  /** Never rejects: a failed look-up keeps the addresses known before. */
  async lookUp(): Promise<readonly Peer[]> {
    if (this.#peers.length > 0 && this.#isFresh) return this.#peers;
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
    return this.#peers;
  }
  owns(address: string): boolean {
    return this.#peers.some((peer) => peer.address === address) || this.#allowed(address);
  }
  ownsPort(address: string, port: number): boolean {
    return this.#peers.some((peer) => peer.address === address && peer.port === port);
  }
}
