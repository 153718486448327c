import type { IncomingMessage } from 'node:http';

/** Where browsers connect by WebSocket: calls, chats, and listeners of live calls; and carriers, with a token in the path. */
const PATHS = { call: '/web-call', carrier: '/carrier', chat: '/web-chat', listen: '/listen' } as const;
export type WebSocketKind = keyof typeof PATHS;

/** The path of each WebSocket of the service. */
export const WEB_SOCKET_PATHS: Readonly<Record<WebSocketKind, string>> = PATHS;

/** What a request connects to; null: it upgrades to no WebSocket of the service, and its Upgrade header is ignored. */
export function webSocketKind({ url = '', headers }: IncomingMessage): WebSocketKind | null {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return null;
  const [path = ''] = url.split('?', 1);
  if (carrierToken(url) !== null) return 'carrier';
  for (const [kind, known] of Object.entries(PATHS))
    if (path === known && kind !== 'carrier') return kind as WebSocketKind;
  return null;
}

const CARRIER = /^\/carrier(?:\/|\?token=)([\w.-]{1,200})$/;

/** The token in the address of a carrier's stream, in its path or as its query; null: it has none. */
export const carrierToken = (url: string): string | null => CARRIER.exec(url)?.[1] ?? null;

/** The address of a WebSocket under the service's public URL. */
export function webSocketUrl(publicUrl: string, kind: WebSocketKind): string {
  const url = new URL(`${publicUrl}${PATHS[kind]}`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.toString();
}
