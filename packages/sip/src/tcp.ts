import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from './ports.ts';
import { createFraming } from './stream-framing.ts';
import { type StreamWire, TCP_WIRE } from './stream-wire.ts';
import {
  plainAddress,
  TooLateError,
  type LocalPoint,
  type OnMessage,
  type Origin,
  type Peer,
} from './transport.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Idle timeout of a connection; OPTIONS probes keep a trunk's connection open. */
const IDLE_MS = 300_000;
/** Time limit for the rest of a partial message. */
const PARTIAL_MS = 30_000;
const MAX_CONNECTIONS = 512;
/** The rest is for connections that we open ourselves. */
const MAX_ACCEPTED = 448;
const MAX_PER_ADDRESS = 64;
/** Share of sources that are neither a trunk nor proven; they lose the connection unless proven within the time limit. */
const MAX_UNTRUSTED = 128;
const MAX_UNTRUSTED_PER_ADDRESS = 8;
const UNTRUSTED_MS = 10_000;
const MAX_UNSENT_BYTES = 1_048_576;
/** A connection that we opened is kept alive by a double CRLF, which the peer answers with one (RFC 5626 section 4.4.1). */
const PING = Buffer.from('\r\n\r\n');
const PONG = Buffer.from('\r\n');
const KEEP_ALIVE: KeepAlive = { pingMs: 25_000, pongMs: 10_000 };

/** Time between pings, and how long an answer may take. */
interface KeepAlive {
  readonly pingMs: number;
  readonly pongMs: number;
}

interface Connection {
  readonly id: number;
  readonly socket: Socket;
  readonly peer: Peer;
  /** True once messages may leave. */
  isReady: boolean;
  partialTimer: NodeJS.Timeout | null;
}

/**
 * SIP over TCP or TLS: listens, connects and reuses connections in both directions (RFC 3261 section 18). A TLS
 * connection that a peer opened carries only what belongs to it, because nothing proves the peer's domain.
 */
export class TcpTransport {
  readonly #server: Server;
  readonly #connections = new Map<number, Connection>();
  readonly #byPeer = new Map<string, Connection>();
  readonly #onMessage: OnMessage;
  readonly #log: Log;
  readonly #isTrusted: (address: string) => boolean;
  readonly #onClosed: (peer: Peer) => void;
  readonly #untrustedMs: number;
  readonly #wire: StreamWire;
  readonly #keepAlive: KeepAlive;
  /** Accepted connections whose handshake has not ended, with their addresses. */
  readonly #handshakes = new Map<Socket, string>();
  readonly #untrusted = new Set<Connection>();
  #nextId = 1;
  #closed = false;
  constructor(
    onMessage: OnMessage,
    log: Log,
    options: {
      isTrusted?: (address: string) => boolean;
      untrustedMs?: number;
      wire?: StreamWire;
      keepAlive?: KeepAlive;
      /** A connection with the peer closed, and none with it is left. */
      onClosed?: (peer: Peer) => void;
    } = {},
  ) {
    this.#onMessage = onMessage;
    this.#log = log;
    this.#isTrusted = options.isTrusted ?? (() => true);
    this.#onClosed = options.onClosed ?? (() => {});
    this.#untrustedMs = options.untrustedMs ?? UNTRUSTED_MS;
    this.#wire = options.wire ?? TCP_WIRE;
    this.#keepAlive = options.keepAlive ?? KEEP_ALIVE;
    this.#server = createServer((socket) => this.#accept(socket));
  }
  /** Starts the listener; rejects when the port is in use. */
  async start(host: string, port: number): Promise<LocalPoint> {
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
    this.#server.on('error', (error) => this.#log.warn({ err: error }, 'SIP TCP listener error'));
    const bound = this.#server.address();
    if (bound === null || typeof bound === 'string') throw new Error('TCP listener has no address');
    return { address: bound.address, port: bound.port };
  }
  /** Writes to the connection of `to`, else to another one with the same peer, else to a new one. */
  send(
    bytes: Buffer,
    to: Peer | Origin,
    done: (error: Error | null) => void,
    mayLeave: (() => boolean) | null = null,
  ): void {
    if (this.#closed) {
      done(new Error('TCP transport is closed'));
      return;
    }
    const known =
      'connection' in to && to.connection !== null ? this.#connections.get(to.connection) : undefined;
    const connection = known ?? this.#byPeer.get(keyOf(to)) ?? this.#open(to);
    if (connection === null) {
      done(new Error('Too many TCP connections'));
      return;
    }
    if (connection.socket.writableLength > MAX_UNSENT_BYTES) {
      this.#log.warn({ peer: connection.peer.address }, 'SIP TCP peer does not read');
      connection.socket.destroy();
      done(new Error('TCP peer does not read'));
      return;
    }
    const { socket } = connection;
    // TCP queues bytes itself; nothing may be queued before the certificate of a TLS peer is checked.
    if (connection.isReady || (mayLeave === null && this.#wire.transport === 'tcp')) {
      socket.write(bytes, (error) => done(error ?? null));
      return;
    }
    const onClose = (): void => done(new Error('TCP connection not made'));
    socket.once('close', onClose);
    socket.once(this.#wire.ready, () => {
      socket.off('close', onClose);
      if (mayLeave?.() !== false) socket.write(bytes, (error) => done(error ?? null));
      else done(new TooLateError('TCP connection made too late'));
    });
  }
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const connection of this.#connections.values()) {
      connection.socket.end();
      setTimeout(() => connection.socket.destroy(), 200).unref();
    }
    if (this.#server.listening) await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const isTrusted = this.#isTrusted(address);
    let same = 0;
    for (const { peer } of this.#connections.values()) if (peer.address === address) same++;
    for (const from of this.#handshakes.values()) if (from === address) same++;
    const isFull = this.#connections.size + this.#handshakes.size >= MAX_ACCEPTED || same >= MAX_PER_ADDRESS;
    const isShareFull =
      this.#untrusted.size + this.#handshakes.size >= MAX_UNTRUSTED || same >= MAX_UNTRUSTED_PER_ADDRESS;
    if (address === '' || isFull || (!isTrusted && isShareFull)) {
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    const { transport } = this.#wire;
    this.#handshakes.set(socket, address);
    socket.on('error', () => {});
    socket.once('close', () => this.#handshakes.delete(socket));
    this.#wire.accept(socket, (ready) => {
      this.#handshakes.delete(socket);
      const peer = { transport, address, port: socket.remotePort ?? 0 };
      const connection = this.#adopt(ready, peer, true);
      if (transport === 'tcp') this.#byPeer.set(keyOf(peer), connection);
      if (!isTrusted) this.#limitTime(connection);
    });
  }

  #limitTime(connection: Connection): void {
    const { socket, peer } = connection;
    this.#untrusted.add(connection);
    const timer = setTimeout(() => {
      this.#untrusted.delete(connection);
      if (!this.#isTrusted(peer.address)) socket.destroy();
    }, this.#untrustedMs);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#untrusted.delete(connection);
    });
  }

  #open(to: Peer): Connection | null {
    if (this.#connections.size >= MAX_CONNECTIONS) return null;
    const socket = this.#wire.connect(to);
    const timer = setTimeout(
      () => socket.destroy(new Error('TCP connect timed out')),
      to.connectMs ?? CONNECT_TIMEOUT_MS,
    );
    const { transport, ready } = this.#wire;
    const peer = { ...to, transport };
    const connection = this.#adopt(socket, peer, false);
    this.#byPeer.set(keyOf(peer), connection);
    socket.once(ready, () => {
      clearTimeout(timer);
      connection.isReady = true;
      keepAlive(socket, this.#keepAlive);
    });
    socket.once('close', () => clearTimeout(timer));
    // A refused connection is the probes' matter; a refused certificate needs the operator.
    let isReached = false;
    socket.once('connect', () => (isReached = true));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (transport === 'tls' && isReached && !connection.isReady)
        this.#log.warn(
          { peer: to.address, domain: to.domain, code: error.code },
          'SIP TLS connection not made',
        );
    });
    return connection;
  }

  #adopt(socket: Socket, peer: Peer, isReady: boolean): Connection {
    const connection: Connection = { id: this.#nextId++, socket, peer, isReady, partialTimer: null };
    const origin: Origin = { ...peer, connection: connection.id };
    const framing = createFraming();
    this.#connections.set(connection.id, connection);
    socket.setNoDelay(true);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', (error) =>
      this.#log.debug({ err: error, peer: peer.address }, 'SIP TCP connection error'),
    );
    socket.on('close', () => {
      this.#connections.delete(connection.id);
      if (this.#byPeer.get(keyOf(peer)) === connection) {
        this.#byPeer.delete(keyOf(peer));
        if (connection.isReady && !this.#closed) this.#onClosed(peer);
      }
      if (connection.partialTimer !== null) clearTimeout(connection.partialTimer);
    });
    socket.on('data', (chunk) => {
      for (const frame of framing.push(chunk)) {
        if (connection.partialTimer !== null) clearTimeout(connection.partialTimer);
        connection.partialTimer = null;
        if (frame.kind === 'ping') socket.write(PONG);
        else if (frame.kind === 'message') this.#onMessage(frame.bytes, origin);
        else {
          this.#log.info({ peer: peer.address, reason: frame.reason }, 'SIP TCP stream closed');
          // After the responses to what came before the fault.
          socket.destroySoon();
          return;
        }
      }
      if (framing.held() > 0) connection.partialTimer ??= setTimeout(() => socket.destroy(), PARTIAL_MS);
    });
    return connection;
  }
}

/** A TLS connection serves the domain that its certificate was checked for. */
const keyOf = ({ address, port, domain = '' }: Peer): string => `${address}|${port}|${domain}`;

/** Pings the peer; closes the connection when one that has answered pings before answers none. */
function keepAlive(socket: Socket, { pingMs, pongMs }: KeepAlive): void {
  let answersPings = false;
  let wait: NodeJS.Timeout | undefined;
  socket.on('data', (chunk: Buffer) => {
    answersPings ||= chunk.equals(PONG);
    clearTimeout(wait);
  });
  const pings = setInterval(() => {
    socket.write(PING);
    if (answersPings) wait = setTimeout(() => socket.destroy(), pongMs);
  }, pingMs);
  socket.once('close', () => {
    clearInterval(pings);
    clearTimeout(wait);
  });
}
