import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AnnouncedOptions, isLoopback, isWildcard, OwnAddresses } from './own-addresses.ts';
import type { Log } from './ports.ts';
import { TcpTransport } from './tcp.ts';
import { type TlsMaterial, TlsWire } from './tls-wire.ts';
import {
  isV6,
  type LocalPoint,
  type OnMessage,
  type Origin,
  type Peer,
  plainAddress,
  SIPS_PORT,
  type Transports,
} from './transport.ts';

/** Absorbs bursts; the kernel may grant less. */
const RECEIVE_BYTES = 1_048_576;

/** One UDP socket for SIP. Socket errors are logged, so they cannot end the process. */
export class UdpTransport {
  readonly #socket: Socket;
  readonly #log: Log;
  #closed = false;
  constructor(host: string, onMessage: OnMessage, log: Log) {
    this.#log = log;
    const family = isV6(host) ? 6 : 4;
    this.#socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BYTES,
      // Destinations are addresses. A socket on `::` sends to IPv4 by the mapped address.
      lookup: (address, _options, callback) =>
        callback(null, family === 6 && !isV6(address) ? `::ffff:${address}` : address, family),
    });
    this.#socket.on('message', (bytes, from) =>
      onMessage(bytes, {
        transport: 'udp',
        address: plainAddress(from.address),
        port: from.port,
        connection: null,
      }),
    );
  }
  /** Binds the socket; rejects when the port is in use. */
  async start(host: string, port: number): Promise<LocalPoint> {
    // Listens first: without a look-up the socket may be bound before `bind` returns.
    const listening = once(this.#socket, 'listening');
    this.#socket.bind({ address: host, port });
    await listening;
    // Without an error listener an ICMP error would end the process.
    this.#socket.on('error', (error) => this.#log.warn({ err: error }, 'SIP UDP socket error'));
    const bound = this.#socket.address();
    return { address: bound.address, port: bound.port };
  }
  send(bytes: Buffer, address: string, port: number, done: (error: Error | null) => void): void {
    if (this.#closed) {
      done(new Error('UDP transport is closed'));
      return;
    }
    try {
      this.#socket.send(bytes, port, address, (error) => done(error ?? null));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

export interface ListenOptions extends AnnouncedOptions {
  /** Addresses to bind, one socket per transport and address; `0.0.0.0` binds all of IPv4, `::` of IPv6 and IPv4. */
  readonly hosts: readonly string[];
  /** 0 binds an ephemeral port; null disables the transport. */
  readonly udpPort: number | null;
  readonly tcpPort: number | null;
  /** Absent: no TLS. `port` null: connections are only made, not accepted. */
  readonly tls?: { readonly port: number | null; readonly material: () => TlsMaterial };
}

interface Bound<T> {
  readonly host: string;
  readonly transport: T;
  readonly port: number;
}

/** All sockets of one SIP stack: binds them, selects one per destination, closes them. */
export class SocketTransports implements Transports {
  readonly #options: ListenOptions;
  readonly #onMessage: OnMessage;
  readonly #log: Log;
  readonly #udp: Bound<UdpTransport>[] = [];
  readonly #tcp: Bound<TcpTransport>[] = [];
  readonly #tls: Bound<TcpTransport>[] = [];
  readonly #isTrusted: (address: string) => boolean;
  readonly #onClosed: (peer: Peer) => void;
  readonly #own: OwnAddresses;
  constructor(
    options: ListenOptions,
    onMessage: OnMessage,
    log: Log,
    isTrusted: (address: string) => boolean,
    /** The last connection with a peer closed. */
    onClosed: (peer: Peer) => void = () => {},
  ) {
    this.#options = options;
    this.#onMessage = onMessage;
    this.#log = log;
    this.#isTrusted = isTrusted;
    this.#onClosed = onClosed;
    this.#own = new OwnAddresses(options);
  }
  /** Announces this public address from now on; false: it was the same before. */
  setPublicAddress(address: string): boolean {
    const isNew = address !== this.#own.publicAddress;
    this.#own.publicAddress = address;
    return isNew;
  }
  async start(): Promise<void> {
    const { hosts, udpPort, tcpPort, tls } = this.#options;
    for (const host of hosts) {
      if (udpPort !== null) {
        const transport = new UdpTransport(host, this.#onMessage, this.#log);
        const { port } = await transport.start(host, udpPort);
        this.#udp.push({ host, transport, port });
      }
      if (tcpPort !== null) {
        const transport = new TcpTransport(this.#onMessage, this.#log, {
          isTrusted: this.#isTrusted,
          onClosed: this.#onClosed,
        });
        const { port } = await transport.start(host, tcpPort);
        this.#tcp.push({ host, transport, port });
      }
      if (tls !== undefined) {
        const wire = new TlsWire(tls.material, this.#log);
        const transport = new TcpTransport(this.#onMessage, this.#log, {
          isTrusted: this.#isTrusted,
          onClosed: this.#onClosed,
          wire,
        });
        const port = tls.port === null ? SIPS_PORT : (await transport.start(host, tls.port)).port;
        this.#tls.push({ host, transport, port });
      }
    }
  }
  listening(): string[] {
    return [
      ...this.#udp.map(({ host, port }) => `udp:${host}:${port}`),
      ...this.#tcp.map(({ host, port }) => `tcp:${host}:${port}`),
      ...(this.#options.tls?.port === null ? [] : this.#tls.map(({ host, port }) => `tls:${host}:${port}`)),
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
    const bound = pick(to.transport === 'tls' ? this.#tls : this.#tcp, to.address);
    if (bound === null) done(new Error(`No ${to.transport} transport for this destination`));
    else bound.transport.send(bytes, to, done, mayLeave);
  }
  localFor(peer: Peer): LocalPoint {
    const sockets = { udp: this.#udp, tcp: this.#tcp, tls: this.#tls }[peer.transport];
    const bound = pick<unknown>(sockets, peer.address);
    const host = bound?.host ?? '';
    const point = { address: this.#own.towards(peer.address, host), port: bound?.port ?? 0 };
    const isFlowOnly = peer.transport === 'tls' && this.#options.tls?.port === null;
    return isFlowOnly ? { ...point, isFlowOnly } : point;
  }
  /** The address that the socket towards a peer is bound to; media of its calls binds the same. */
  hostFor(peer: Peer): string | null {
    const sockets = { udp: this.#udp, tcp: this.#tcp, tls: this.#tls }[peer.transport];
    return pick<unknown>(sockets, peer.address)?.host ?? null;
  }
  isOurs(host: string, port: number | null): boolean {
    const sockets: Bound<unknown>[] = [...this.#udp, ...this.#tcp, ...this.#tls];
    return sockets.some(
      (bound) =>
        (port === null || bound.port === port) &&
        (host === bound.host ||
          host === this.#own.publicAddress ||
          (isWildcard(bound.host) && this.#own.isInterface(host))),
    );
  }
  async close(): Promise<void> {
    await Promise.all([...this.#udp, ...this.#tcp, ...this.#tls].map(({ transport }) => transport.close()));
  }
}

/**
 * The socket for a destination: same address family, loopback for loopback, else the first of the family. One on `::`
 * has IPv4, too.
 */
function pick<T>(sockets: readonly Bound<T>[], address: string): Bound<T> | null {
  const [only] = sockets;
  const wantsV6 = isV6(address);
  // Nearly every process has one socket for each transport.
  if (only !== undefined && sockets.length === 1)
    return isV6(only.host) === wantsV6 || only.host === '::' ? only : null;
  const same = sockets.filter((bound) => isV6(bound.host) === wantsV6);
  const family = same.length > 0 ? same : sockets.filter(({ host }) => host === '::');
  const fitting = family.find(
    (bound) => isWildcard(bound.host) || isLoopback(bound.host) === isLoopback(address),
  );
  return fitting ?? family[0] ?? null;
}
