import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { createSourceMatch } from '@callwright/rtp';
import { isV6, plainAddress } from './transport.ts';

export interface AnnouncedOptions {
  /** Announced to peers outside; null: the address of the interface that leads to the peer. */
  readonly publicAddress: string | null;
  /** Addresses and CIDR ranges that reach us without NAT, besides the networks of our interfaces. */
  readonly localNetworks?: readonly string[];
}

/** An address of this machine with its network. */
export interface Interface {
  readonly address: string;
  readonly internal: boolean;
  /** `192.0.2.1/24`; null when the system does not know it. */
  readonly cidr: string | null;
}

/** The address that a route to `destination` leaves from; null without a route. */
type Route = (destination: string) => Promise<string | null>;

const readInterfaces = (): readonly Interface[] =>
  Object.values(networkInterfaces()).flatMap((list) => list ?? []);

/** How long interfaces and routes are remembered. */
const FRESH_MS = 10_000;
const MAX_ROUTES = 4_096;

/** Which of our addresses a peer is told in Via, Contact and SDP. */
export class OwnAddresses {
  /** Changes when the network gets another public address. */
  publicAddress: string | null;
  readonly #isListed: (address: string) => boolean;
  readonly #read: () => readonly Interface[];
  readonly #route: Route;
  readonly #now: () => number;
  #interfaces: readonly Interface[] = [];
  #isAttached: (address: string) => boolean = () => false;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #routes = new Map<string, { readonly from: string | null; readonly at: number }>();

  constructor(
    options: AnnouncedOptions,
    system: {
      readonly interfaces?: () => readonly Interface[];
      readonly route?: Route;
      readonly now?: () => number;
    } = {},
  ) {
    this.publicAddress = options.publicAddress;
    this.#isListed = createSourceMatch(options.localNetworks ?? []);
    this.#read = system.interfaces ?? readInterfaces;
    this.#route = system.route ?? routeTo;
    this.#now = system.now ?? (() => performance.now());
  }

  /** The address to announce to `destination` for a socket bound to `host`. */
  towards(destination: string, host: string): string {
    const wantsV6 = isV6(destination);
    if (isLoopback(destination) && (isWildcard(host) || isLoopback(host))) {
      return wantsV6 ? '::1' : isWildcard(host) ? '127.0.0.1' : host;
    }
    const { publicAddress } = this;
    if (publicAddress !== null && isV6(publicAddress) === wantsV6 && !this.#isLocal(destination)) {
      return publicAddress;
    }
    return isWildcard(host) ? this.#leaving(destination, wantsV6) : host;
  }

  /** True for an address that one of our interfaces has. */
  isInterface(address: string): boolean {
    this.#refresh();
    return this.#interfaces.some((item) => item.address === address);
  }

  #isLocal(destination: string): boolean {
    this.#refresh();
    return this.#isListed(destination) || this.#isAttached(destination);
  }

  /** By the system's routes. Until they are read: the interface in the network of `destination`, else the first one. */
  #leaving(destination: string, wantsV6: boolean): string {
    this.#refresh();
    const known = this.#routes.get(destination);
    if (known === undefined || this.#now() - known.at >= FRESH_MS)
      void this.#learn(destination, known?.from ?? null);
    if (known !== undefined && known.from !== null) return known.from;
    const fitting = this.#interfaces.filter((item) => !item.internal && isV6(item.address) === wantsV6);
    const attached = fitting.find(({ cidr }) => cidr !== null && createSourceMatch([cidr])(destination));
    return (attached ?? fitting[0])?.address ?? (wantsV6 ? '::1' : '127.0.0.1');
  }

  /** The previous address stays while the system is asked. */
  async #learn(destination: string, previous: string | null): Promise<void> {
    const [oldest] = this.#routes.keys();
    if (this.#routes.size >= MAX_ROUTES && oldest !== undefined) this.#routes.delete(oldest);
    this.#routes.set(destination, { from: previous, at: this.#now() });
    const from = await this.#route(destination);
    this.#routes.set(destination, { from: from ?? previous, at: this.#now() });
  }

  #refresh(): void {
    if (this.#now() - this.#readAt < FRESH_MS) return;
    this.#readAt = this.#now();
    this.#interfaces = this.#read();
    this.#isAttached = createSourceMatch(
      this.#interfaces.flatMap(({ cidr, internal }) => (internal || cidr === null ? [] : [cidr])),
    );
  }
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** Connects a datagram socket, which sends nothing, and reads the address that the system chose for it. */
const routeTo: Route = (destination) =>
  new Promise((resolve) => {
    const socket = createSocket(isV6(destination) ? 'udp6' : 'udp4');
    const done = (address: string | null): void => {
      socket.close();
      resolve(address);
    };
    socket.once('error', () => done(null));
    socket.once('connect', () => done(plainAddress(socket.address().address)));
    // Any port: nothing is sent.
    socket.connect(9, destination);
  });
