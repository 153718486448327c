import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { koffi } from '../../shared/koffi.ts';
import { MOST_TEXT_BYTES } from './messages.ts';

/**
 * A WebSocket upgrade, or a connection of AudioSocket, on its way from the thread of the API to the call worker that carries
 * its call. Structured-cloneable: all threads of a process share its file descriptors.
 */
export interface WebSocketHandover {
  /** A descriptor of the connection that belongs to the receiver. */
  readonly fd: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that came after the request; of AudioSocket all that came, with the first frame. */
  readonly head: Uint8Array;
  /** A connection of AudioSocket: it has no headers. */
  readonly isAudioSocket?: true;
}

/** F_DUPFD_CLOEXEC: the speech engines, which are child processes, must not inherit the connection. */
const DUPLICATE = process.platform === 'linux' ? 1030 : 67;

type Fcntl = (fd: number, command: number, type: 'int', lowest: number) => number;
const loaded: { fcntl?: Fcntl } = {};

const fcntl: Fcntl = (...args) => {
  loaded.fcntl ??= koffi().load(null).func('int fcntl(int, int, ...)') as Fcntl;
  return loaded.fcntl(...args);
};

/** Detaches a plain TCP connection from this thread. Throws where the system cannot duplicate descriptors. */
export function releaseSocket(socket: Socket, request: IncomingMessage, head: Buffer): WebSocketHandover {
  const released = releaseConnection(socket, head);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && (name === 'upgrade' || name.startsWith('sec-websocket-'))) {
      headers[name] = value;
    }
  }
  return { ...released, headers };
}

/** The same for a connection of AudioSocket; `head`: what was read of it. */
export const releaseAudioSocket = (socket: Socket, head: Buffer): WebSocketHandover => ({
  ...releaseConnection(socket, head),
  headers: {},
  isAudioSocket: true,
});

function releaseConnection(socket: Socket, head: Buffer): Pick<WebSocketHandover, 'fd' | 'head'> {
  const { fd = -1 } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {};
  if (fd < 0) throw new Error('the connection has no file descriptor');
  const rest = socket.read() as Buffer | null;
  const copy = fcntl(fd, DUPLICATE, 'int', 0);
  if (copy < 0) throw new Error('the descriptor of the connection cannot be duplicated');
  // Closes the descriptor of this thread; the connection lives on in its duplicate.
  socket.destroy();
  return { fd: copy, head: rest === null ? head : Buffer.concat([head, rest]) };
}

/** Closes a connection that nothing takes over: a released descriptor belongs to its holder. */
export function dropSocket({ fd }: Pick<WebSocketHandover, 'fd'>): void {
  new Socket({ fd }).destroy();
}

/** Protocols that carriers offer, and want to have chosen. */
const CARRIER_PROTOCOLS: ReadonlySet<string> = new Set([
  'media',
  'audio.jambonz.org',
  'ws.jambonz.org',
  'audio.drachtio.org',
]);
/** The longest message of a carrier: audio of some seconds. */
const MOST_CARRIER_BYTES = 65_536;

/** An empty protocol: that of a carrier, if it offers one. */
const upgradesTo = (protocol: string): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: protocol === '' ? MOST_CARRIER_BYTES : MOST_TEXT_BYTES,
    // Between two messages that arrived together, the thread sends its frames.
    allowSynchronousEvents: false,
    // The other protocols of the request are tokens.
    handleProtocols: (offered) =>
      protocol === '' ? ([...offered].find((name) => CARRIER_PROTOCOLS.has(name)) ?? false) : protocol,
  });
const servers = new Map<string, WebSocketServer>();

/**
 * Takes over the connection, completes its upgrade to the protocol and passes it to `onOpen`. A malformed upgrade is
 * answered with 400.
 */
export function adoptSocket(
  { fd, headers, head }: WebSocketHandover,
  protocol: string,
  onOpen: (socket: WebSocket) => void,
): void {
  const socket = new Socket({ fd, readable: true, writable: true });
  socket.setNoDelay(true);
  const request = { method: 'GET', url: '/', headers: { ...headers, connection: 'upgrade' } };
  const upgrades = servers.get(protocol) ?? upgradesTo(protocol);
  servers.set(protocol, upgrades);
  upgrades.handleUpgrade(request as unknown as IncomingMessage, socket, Buffer.from(head), onOpen);
}
