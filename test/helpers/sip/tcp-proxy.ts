import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback that can simulate a black hole. */
export interface TcpProxy {
  readonly port: number;
  /** Accepts connections and bytes, and forwards none until `resume`. */
  hang(): void;
  resume(): void;
  /** Ends the connections, and accepts new ones. */
  cut(): void;
  close(): Promise<void>;
}

/** `port` 0: any free one. */
export async function startTcpProxy(target: { port: number; host: string }, port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isHung = false;
  const track = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      // A black hole forwards no FIN or RST either.
      if (!isHung) other.destroy();
    });
    socket.on('data', (bytes) => other.write(bytes));
    if (isHung) socket.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    track(client, upstream);
    track(upstream, client);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    hang: () => {
      isHung = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isHung = false;
      for (const socket of sockets) socket.resume();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
