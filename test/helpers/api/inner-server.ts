import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on an internal address that must not be reached. */
export interface InnerServer {
  readonly port: number;
  /** Number of connections and bytes received. */
  touched(): number;
  close(): Promise<void>;
}

/** Listens on every address of the machine by default; `port` 0: on any free one. */
export async function startInnerServer(
  respond: RequestListener = (_, response) => void response.end('{"reached":true}'),
  host?: string,
  port = 0,
): Promise<InnerServer> {
  let touched = 0;
  const server = createServer(respond);
  server.on('connection', (socket) => {
    touched += 1;
    socket.on('data', (bytes) => (touched += bytes.length));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    touched: () => touched,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
