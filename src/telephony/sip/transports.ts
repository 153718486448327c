import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Log } from '../../shared/log.ts';
import { TcpTransport } from './tcp.ts';
import type { LocalPoint, OnMessage, Origin, Peer, Transports } from './transport.ts';
import { UdpTransport } from './udp.ts';

export interface ListenOptions {
  /** Addresses to bind, one socket of each transport per address; `0.0.0.0` and `::` for all. */
  readonly hosts: readonly string[];
  /** 0 takes any free port; null turns the transport off. */
  readonly udpPort: number | null;
  readonly tcpPort: number | null;
  /** What to name in Via and Contact towards anything but loopback; null: the bound address. */
  readonly publicAddress: string | null;
}

interface Bound<T> {
  readonly host: string;
  readonly transport: T;
  readonly port: number;
}

/** All sockets of one SIP stack: binds them, picks one per destination, closes them. */
export class SocketTransports implements Transports {
  readonly #options: ListenOptions;
  readonly #onMessage: OnMessage;
  readonly #log: Log;
  readonly #udp: Bound<UdpTransport>[] = [];
  readonly #tcp: Bound<TcpTransport>[] = [];
  constructor(options: ListenOptions, onMessage: OnMessage, log: Log) {
    this.#options = options;
    this.#onMessage = onMessage;
    this.#log = log;
  }
  async start(): Promise<void> {
    const { hosts, udpPort, tcpPort } = this.#options;
    for (const host of hosts) {
      if (udpPort !== null) {
        const transport = new UdpTransport(host, this.#onMessage, this.#log);
        const { port } = await transport.start(host, udpPort);
        this.#udp.push({ host, transport, port });
      }
      if (tcpPort !== null) {
        const transport = new TcpTransport(this.#onMessage, this.#log);
        const { port } = await transport.start(host, tcpPort);
        this.#tcp.push({ host, transport, port });
      }
    }
  }
  listening(): string[] {
    return [
      ...this.#udp.map(({ host, port }) => `udp:${host}:${port}`),
      ...this.#tcp.map(({ host, port }) => `tcp:${host}:${port}`),
    ];
  }
  send(
    bytes: Buffer,
    to: Peer | Origin,
    done: (error: Error | null) => void,
    mayLeave?: () => boolean,
  ): void {
    if (to.transport === 'udp') {
      const bound = pick(this.#udp, to.address);
      if (bound === null) done(new Error('No UDP socket for this destination'));
      else bound.transport.send(bytes, to.address, to.port, done);
      return;
    }
    const bound = pick(this.#tcp, to.address);
    if (bound === null) done(new Error('No TCP transport for this destination'));
    else bound.transport.send(bytes, to, done, mayLeave);
  }
  localFor(peer: Peer): LocalPoint {
    const bound = pick<unknown>(peer.transport === 'udp' ? this.#udp : this.#tcp, peer.address);
    const host = bound?.host ?? '';
    return { address: this.#named(host, peer.address), port: bound?.port ?? 0 };
  }
  isOurs(host: string, port: number | null): boolean {
    const sockets: Bound<unknown>[] = [...this.#udp, ...this.#tcp];
    return sockets.some(
      (bound) =>
        (port === null || bound.port === port) &&
        (host === bound.host ||
          host === this.#options.publicAddress ||
          (isWildcard(bound.host) && isInterface(host))),
    );
  }
  async close(): Promise<void> {
    await Promise.all([...this.#udp, ...this.#tcp].map(({ transport }) => transport.close()));
  }
  #named(host: string, destination: string): string {
    if (isLoopback(destination) && (isWildcard(host) || isLoopback(host))) {
      return isIPv6(destination) ? '::1' : isWildcard(host) ? '127.0.0.1' : host;
    }
    if (this.#options.publicAddress !== null) return this.#options.publicAddress;
    return isWildcard(host) ? outsideAddress(isIPv6(destination)) : host;
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** The socket for a destination: same family, loopback to loopback, else the first that is not loopback. */
function pick<T>(sockets: readonly Bound<T>[], address: string): Bound<T> | null {
  const family = sockets.filter((bound) => isIPv6(bound.host) === isIPv6(address));
  const fitting = family.find(
    (bound) => isWildcard(bound.host) || isLoopback(bound.host) === isLoopback(address),
  );
  return fitting ?? family[0] ?? null;
}

const interfaceAddresses = (): { address: string; internal: boolean }[] =>
  Object.values(networkInterfaces()).flatMap((list) => list ?? []);

const isInterface = (address: string): boolean =>
  interfaceAddresses().some((item) => item.address === address);

function outsideAddress(v6: boolean): string {
  const found = interfaceAddresses().find((item) => !item.internal && isIPv6(item.address) === v6);
  return found?.address ?? (v6 ? '::1' : '127.0.0.1');
}
