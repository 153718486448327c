import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { WebRefusal } from '../domain/calls/web-refusal.ts';
import type { Config } from '../config.ts';

/** Set on an upgrade that another process of the installation passed on: it goes no further. */
const RELAYED = 'x-callwright-relayed';
const CONNECT_MS = 3_000;

export const isRelayed = ({ headers }: IncomingMessage): boolean => headers[RELAYED] !== undefined;

const outerAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

/** Where other processes of the installation reach the API of this one, such as `10.0.0.5:3000`; null: it has no API. */
export function innerAddress(
  { host, roles }: Pick<Config, 'host' | 'roles'>,
  port: number | null,
): string | null {
  if (!roles.includes('api') || port === null) return null;
  const isAny = host === '0.0.0.0' || host === '::';
  const address = isAny ? outerAddress() : host;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Passes a carrier's upgrade on to the process at `address`, and then every byte both ways. */
export async function relayUpgrade(
  address: string,
  { request, socket, head }: { request: IncomingMessage; socket: Socket; head: Buffer },
): Promise<WebRefusal | null> {
  const { hostname, port } = new URL(`http://${address}`);
  const other = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), noDelay: true });
  other.setTimeout(CONNECT_MS, () => other.destroy(new Error('timeout')));
  const connected = await new Promise<boolean>((resolve) => {
    other.once('connect', () => resolve(true));
    other.once('error', () => resolve(false));
  });
  if (!connected) return { refuse: 503, reason: 'the process that places the call cannot be reached' };
  other.setTimeout(0);
  const lines: string[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
    lines.push(`${request.rawHeaders[i] ?? ''}: ${request.rawHeaders[i + 1] ?? ''}`);
  other.write(
    `GET ${request.url ?? '/'} HTTP/1.1\r\n${[...lines, `${RELAYED}: 1`].join('\r\n')}\r\n\r\n`,
    'latin1',
  );
  other.write(head);
  const end = (): void => {
    other.destroy();
    socket.destroy();
  };
  for (const side of [other, socket]) side.once('error', end).once('close', end);
  other.pipe(socket);
  socket.setNoDelay(true).pipe(other);
  return null;
}
