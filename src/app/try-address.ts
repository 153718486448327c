import { once } from 'node:events';
import { createServer } from 'node:net';

/** Binds a TCP address and lets go of it again; rejects as listening on it would. Port 0 is always free. */
export async function tryAddress(at: { readonly port: number; readonly host: string }): Promise<void> {
  if (at.port === 0) return;
  // Whoever connects in this moment, a balancer that asks for health, would keep it open.
  const server = createServer((socket) => socket.destroy());
  server.listen(at.port, at.host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
