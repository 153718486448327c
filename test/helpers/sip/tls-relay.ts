import { once } from 'node:events';
import { connect as connectPlain, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { AUTHORITY, CERTIFICATES } from './tls-certificates.ts';

/** A relay of streams on loopback. */
export interface Relay {
  readonly port: number;
  close(): Promise<void>;
}

/** TLS for a peer that has none, such as SIPp of Debian: takes it as `carrier.test`, and passes the bytes on in clear. */
export function relayFromTls(port: number): Promise<Relay> {
  const { key, certificate: cert } = CERTIFICATES.carrier;
  const sockets = new Set<Socket>();
  const server = createTlsServer({ key, cert }, (socket) =>
    join(sockets, socket, connectPlain({ host: '127.0.0.1', port })),
  );
  return listening(server, sockets);
}

/** Takes connections in clear, and passes their bytes on over TLS to the service `service.test`. */
export function relayToTls(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) =>
    join(sockets, socket, connectTls({ host: '127.0.0.1', port, ca: AUTHORITY, servername: 'service.test' })),
  );
  return listening(server, sockets);
}

function join(sockets: Set<Socket>, one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }
}

async function listening(server: Server, sockets: ReadonlySet<Socket>): Promise<Relay> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
