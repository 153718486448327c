import { once } from 'node:events';
import { createServer } from 'node:net';

/** A start failure that the operator can fix; the message names the setting. */
export class StartFailure extends Error {
  /** As for invalid settings 2, when a restart with the same settings fails again. */
  readonly exitCode: 1 | 2;

  constructor(message: string, cause: unknown, exitCode: 1 | 2 = 1) {
    super(message, { cause });
    this.name = 'StartFailure';
    this.exitCode = exitCode;
  }
}

/** The error's message; for a connection tried at several addresses, the first one's. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Names the database of `DATABASE_URL` without its user and password. */
export function databaseFailure(databaseUrl: string, error: unknown): StartFailure {
  const { host, pathname } = new URL(databaseUrl);
  return new StartFailure(`DATABASE_URL: ${host}${pathname} cannot be used: ${messageOf(error)}`, error);
}

export const stunFailure = (uri: string, error: unknown): StartFailure =>
  new StartFailure(`PUBLIC_ADDRESS: ${uri} reports no address: ${messageOf(error)}`, error);

export const tlsFailure = (error: unknown): StartFailure =>
  new StartFailure(`the SIP_TLS_… files cannot be used: ${messageOf(error)}`, error);

/** Explains why an address of two settings cannot be bound; other errors are returned unchanged. */
export function listenFailure(
  settings: { port: string; host: string },
  at: { port: number; host: string },
  error: unknown,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `${settings.port} ${at.port} on ${at.host} is in use by another program`,
        error,
      );
    case 'EACCES':
      return new StartFailure(
        `${settings.port} ${at.port} on ${at.host} may not be used by this user`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFailure(`${settings.host} ${at.host} is not an address of this machine`, error);
    default:
      return error;
  }
}

/** Binds a TCP address and closes it again; rejects as listening on it would. Port 0 is always free. */
export async function tryAddress(at: { readonly port: number; readonly host: string }): Promise<void> {
  if (at.port === 0) return;
  // A connection accepted in this moment, such as a balancer's health check, would keep the server open.
  const server = createServer((socket) => socket.destroy());
  server.listen(at.port, at.host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
