import type { WebRefusal } from '../domain/calls/web-refusal.ts';
import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WEB_CHAT_PROTOCOL } from '../chat/web/messages.ts';
import type { WebChats } from '../chat/web/web-chats.ts';
import { permitWebSockets } from '../http/server/permissions.ts';
import {
  carrierToken,
  WEB_SOCKET_PATHS,
  webSocketKind,
  type WebSocketKind,
} from '../http/server/web-socket-paths.ts';
import type { Clock } from '../shared/clock.ts';
import { Entrance as Ingress, type EntranceName } from '../shared/ingress/entrance.ts';
import { sha256 } from '../shared/ids.ts';
import type { Log } from '../shared/log.ts';
import { isOpenListenerToken } from '../store/calls/listeners.ts';
import { isOpenWebCallToken } from '../store/calls/web-calls.ts';
import type { Db } from '../store/database.ts';
import { releaseSocket } from '../telephony/web/handover.ts';
import { LISTEN_PROTOCOL } from '../telephony/web/listener-socket.ts';
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
/** Upgrades to one kind of WebSocket, with any token or none. Offices and mobile networks share addresses. */
const UPGRADES = {
  address: { messages: { burst: 40, perSecond: 2 } },
  all: { messages: { burst: 400, perSecond: 100 } },
};
const TOKEN_PREFIX = 'token.';
const LONGEST_TOKEN = 200;
/** The budget of those who connect at an entrance. */
export const connectionBudget = (
  name: EntranceName,
  deps: {
    readonly clock: Clock;
    readonly onRefused?: ((entrance: EntranceName) => void) | undefined;
  },
): Ingress => new Ingress(name, UPGRADES, deps);
/** Upgrades that wait for their decision; a flood of them is refused at once. */
const MOST_WAITING = 200;

/** A request to connect, with the token among its protocols, or of a carrier in its path. */
interface Upgrade {
  readonly token: string;
  readonly origin: string | null;
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
}

/** What one path of the WebSockets leads to. */
export interface Entrance {
  /** The protocol that the page has to name; null: the token is in the path. */
  readonly protocol: string | null;
  /** Decides on the connection, and takes it over if it is accepted. */
  receive(upgrade: Upgrade): Promise<WebRefusal | null>;
}

/** Where tokens are looked up before the call plane sees them: not in its pool, and without a transaction. */
export interface OpenTokens {
  readonly db: Db;
  now(): Date;
}

export const UNKNOWN_TOKEN: WebRefusal = { refuse: 401, reason: 'the token is unknown, used or expired' };

/** Browser calls: the call plane decides, and the call's worker takes the connection over. */
export const callEntrance = (calls: WebCallLink | null, tokens: OpenTokens): Entrance => ({
  protocol: WEB_CALL_PROTOCOL,
  async receive({ token, origin, request, socket, head }) {
    if (calls === null) {
      const reason = 'this process takes no browser calls: it needs the roles api and media';
      return { refuse: 503, reason };
    }
    // A token that resumes a call is in the memory of the call plane.
    const mayBeOpen =
      token.includes('.') || (await isOpenWebCallToken(tokens.db, sha256(token), tokens.now()));
    if (!mayBeOpen) return UNKNOWN_TOKEN;
    const connected = await calls.open({ token, origin });
    if ('refuse' in connected) return connected;
    if (!socket.destroyed) calls.connect(connected.callId, releaseSocket(socket, request, head));
    return null;
  },
});

/** Members who listen to a live call: the call plane decides, and the call's worker takes the connection over. */
export const listenEntrance = (calls: WebCallLink | null, tokens: OpenTokens): Entrance => ({
  protocol: LISTEN_PROTOCOL,
  async receive({ token, origin, request, socket, head }) {
    if (calls === null) return { refuse: 503, reason: 'this process carries no calls' };
    if (!(await isOpenListenerToken(tokens.db, sha256(token), tokens.now()))) return UNKNOWN_TOKEN;
    const opened = await calls.openListener({ token, origin });
    if ('refuse' in opened) return opened;
    if (!socket.destroyed) calls.listen(opened.listenerId, releaseSocket(socket, request, head));
    return null;
  },
});

/** Chats of web pages, which this thread carries. */
export const chatEntrance = (chats: WebChats): Entrance => ({
  protocol: WEB_CHAT_PROTOCOL,
  async receive({ token, origin, request, socket, head }) {
    const connected = await chats.open({ token, origin });
    if ('refuse' in connected) return connected;
    if (!socket.destroyed) chats.connect(connected, afterOf(request), request, socket, head);
    return null;
  },
});

/** `?after=`: the number of the last line that the page has. */
function afterOf({ url = '' }: IncomingMessage): number {
  const after = Number(new URLSearchParams(url.split('?', 2)[1] ?? '').get('after') ?? 0);
  return Number.isSafeInteger(after) && after > 0 ? after : 0;
}

/**
 * Receives the WebSocket upgrades on the API's port. The thread of the API only decides on those of calls; their
 * connections go to the call's worker, so that no request delays a frame. Throws if the table of permissions has no row for
 * one of them.
 */
export function receiveWebSockets(
  server: Server,
  entrances: Readonly<Record<WebSocketKind, Entrance>>,
  {
    log,
    clock,
    peerOf,
    onRefused,
    carriers,
  }: {
    readonly log: Log;
    readonly clock: Clock;
    readonly peerOf: (request: IncomingMessage) => string;
    readonly onRefused?: (entrance: EntranceName) => void;
    /** The budget of carriers, if another entrance draws from it, too. */
    readonly carriers?: Ingress;
  },
): void {
  permitWebSockets(Object.values(WEB_SOCKET_PATHS));
  const budget = (name: EntranceName): Ingress => connectionBudget(name, { clock, onRefused });
  const budgets = {
    call: budget('web_call'),
    carrier: carriers ?? budget('carrier'),
    chat: budget('web_chat'),
    listen: budget('listen'),
  };
  let waiting = 0;
  const receive = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const kind = webSocketKind(request);
    const wait = kind === null ? 0 : budgets[kind].admit({ address: peerOf(request) });
    if (wait > 0) return refuse(socket, 429, `too many connections of this address; try again in ${wait} s`);
    const entrance = kind === null ? null : entrances[kind];
    const token = entrance === null ? null : tokenOf(request, entrance.protocol);
    if (entrance === null || token === null) return refuse(socket, 400, 'not an upgrade of this service');
    if (waiting >= MOST_WAITING) return refuse(socket, 429, 'too many connections begin at once');
    waiting += 1;
    try {
      const { origin = null } = request.headers;
      const refused = await entrance.receive({ token, origin, request, socket, head });
      if (refused !== null) refuse(socket, refused.refuse, refused.reason);
    } catch (error) {
      log.warn({ err: error, kind }, 'a WebSocket could not be connected');
      refuse(socket, 503, 'the connection could not be made');
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

/**
 * The token among the requested protocols: unlike a query, they are in no log of a proxy. Carriers have it in the path; it
 * is of a single use.
 */
function tokenOf({ headers, url = '' }: IncomingMessage, protocol: string | null): string | null {
  if (protocol === null) return carrierToken(url);
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const token = protocols.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length);
  if (token === undefined || token === '' || token.length > LONGEST_TOKEN) return null;
  return protocols.includes(protocol) ? token : null;
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
