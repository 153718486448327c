import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Log } from '../../shared/log.ts';
import { plainAddress, type LocalPoint, type OnMessage } from './transport.ts';

/** One UDP socket for SIP. Errors of single datagrams never reach the process. */
export class UdpTransport {
  readonly #socket: Socket;
  readonly #log: Log;
  #closed = false;
  constructor(host: string, onMessage: OnMessage, log: Log) {
    this.#log = log;
    this.#socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
    this.#socket.on('message', (bytes, from) =>
      onMessage(bytes, {
        transport: 'udp',
        address: plainAddress(from.address),
        port: from.port,
        connection: null,
      }),
    );
  }
  /** Binds; rejects when the port is taken. */
  async start(host: string, port: number): Promise<LocalPoint> {
    this.#socket.bind({ address: host, port });
    await once(this.#socket, 'listening');
    // From here on ICMP errors and the like are logged: without a listener they would end the process.
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
