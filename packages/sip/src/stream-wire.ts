import { connect, type Socket } from 'node:net';
import type { Peer } from './transport.ts';

/** How connections of a stream transport are made and accepted. */
export interface StreamWire {
  readonly transport: 'tcp' | 'tls';
  /** The event of a socket of `connect` once messages may leave on it. */
  readonly ready: 'connect' | 'secureConnect';
  connect(to: Peer): Socket;
  /** Passes an accepted connection on once messages may come on it, and destroys one that does not get there. */
  accept(socket: Socket, done: (socket: Socket) => void): void;
}

export const TCP_WIRE: StreamWire = {
  transport: 'tcp',
  ready: 'connect',
  connect: ({ address, port }) => connect({ host: address, port }),
  accept: (socket, done) => done(socket),
};
