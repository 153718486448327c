import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something inside that nobody outside may reach. */
export interface InnerServer {
  readonly port: number;
  /** Connections and bytes that arrived, whatever they were. */
  touched(): number;
  close(): Promise<void>;
}

/** Listens on every address of this machine unless one is named. */
export async function startInnerServer(
  respond: RequestListener = (_, response) => void response.end('{"reached":true}'),
  host?: string,
): Promise<InnerServer> {
  let touched = 0;
  const server = createServer(respond);
  server.on('connection', (socket) => {
    touched += 1;
    socket.on('data', (bytes) => (touched += bytes.length));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
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
