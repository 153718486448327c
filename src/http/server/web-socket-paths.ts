import type { IncomingMessage } from 'node:http';

/** Where browsers connect by WebSocket: calls, chats, and listeners of live calls. */
const PATHS = { call: '/web-call', chat: '/web-chat', listen: '/listen' } as const;
export type WebSocketKind = keyof typeof PATHS;

/** The path of each WebSocket of the service. */
export const WEB_SOCKET_PATHS: Readonly<Record<WebSocketKind, string>> = PATHS;

/** What a request connects to; null: it upgrades to no WebSocket of the service, and its Upgrade header is ignored. */
export function webSocketKind({ url = '', headers }: IncomingMessage): WebSocketKind | null {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return null;
  const [path] = url.split('?', 1);
  for (const [kind, known] of Object.entries(PATHS)) if (path === known) return kind as WebSocketKind;
  return null;
}

/** The address of a WebSocket under the service's public URL. */
export function webSocketUrl(publicUrl: string, kind: WebSocketKind): string {
  const url = new URL(`${publicUrl}${PATHS[kind]}`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.toString();
}
