import type { IncomingMessage } from 'node:http';

/** Where browser calls connect by WebSocket. */
export const WEB_CALL_PATH = '/web-call';

/** Whether a request upgrades to the WebSocket of a browser call; any other Upgrade header is ignored, as HTTP allows. */
export const isWebCallUpgrade = ({ url = '', headers }: IncomingMessage): boolean =>
  url.split('?', 1)[0] === WEB_CALL_PATH && headers.upgrade?.toLowerCase() === 'websocket';

/** The address of the WebSocket under the service's public URL. */
export function webCallUrl(publicUrl: string): string {
  const url = new URL(`${publicUrl}${WEB_CALL_PATH}`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.toString();
}
