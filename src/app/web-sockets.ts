import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isWebCallUpgrade } from '../http/web-call-upgrade.ts';
import type { Log } from '../shared/log.ts';
import { releaseSocket } from '../telephony/web/handover.ts';
import { WEB_CALL_PROTOCOL } from '../telephony/web/messages.ts';
import type { WebCallLink } from './call-link.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};
const TOKEN_PREFIX = 'token.';
const LONGEST_TOKEN = 200;
/** Upgrades that wait for their decision; a flood of them is refused at once. */
const MOST_WAITING = 200;

/**
 * Receives the WebSocket upgrades of browser calls on the API's port. The thread of the API only has them decided on; the
 * connection itself goes to the call's worker, so that no request delays a frame.
 */
export function receiveWebSockets(server: Server, calls: WebCallLink | null, log: Log): void {
  let waiting = 0;
  const receive = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const token = isWebCallUpgrade(request) ? tokenOf(request) : null;
    if (token === null) return refuse(socket, 400, 'not the upgrade of a browser call');
    if (calls === null) {
      return refuse(socket, 503, 'this process takes no browser calls: it needs the roles api and media');
    }
    if (waiting >= MOST_WAITING) return refuse(socket, 429, 'too many browser calls begin at once');
    waiting += 1;
    try {
      const { origin = null } = request.headers;
      const connected = await calls.open({ token, origin });
      if ('refuse' in connected) return refuse(socket, connected.refuse, connected.reason);
      if (!socket.destroyed) calls.connect(connected.callId, releaseSocket(socket, request, head));
    } catch (error) {
      log.warn({ err: error }, 'a browser call could not be connected');
      refuse(socket, 503, 'the call could not be connected');
    } finally {
      waiting -= 1;
    }
    return undefined;
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that leaves meanwhile needs no answer.
    socket.on('error', () => undefined);
    socket.pause();
    if (socket instanceof Socket) void receive(request, socket, head);
    else socket.destroy();
  });
}

/** The token among the requested protocols: unlike a query, they are in no log of a proxy. */
function tokenOf({ headers }: IncomingMessage): string | null {
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const token = protocols.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length);
  if (token === undefined || token === '' || token.length > LONGEST_TOKEN) return null;
  return protocols.includes(WEB_CALL_PROTOCOL) ? token : null;
}

function refuse(socket: Socket, status: number, message: string): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ message });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
