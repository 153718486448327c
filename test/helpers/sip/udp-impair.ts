import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { seededRandom } from '../../../packages/sip/test/virtual-network.ts';

export interface Impairment {
  /** Loss probability in [0, 1) of a datagram, each way. */
  readonly loss: number;
  readonly duplication?: number;
  readonly delayMs?: number;
  readonly jitterMs?: number;
  readonly seed: number;
}

export interface UdpImpair {
  readonly port: number;
  readonly counts: { readonly passed: number; readonly lost: number };
  close(): Promise<void>;
}

/** A loopback relay between the last sender and `target` that impairs both directions. */
export async function startUdpImpair(target: { port: number }, impairment: Impairment): Promise<UdpImpair> {
  const { loss, duplication = 0, delayMs = 0, jitterMs = 0 } = impairment;
  const random = seededRandom(impairment.seed);
  const counts = { passed: 0, lost: 0 };
  const near = createSocket('udp4');
  const far = createSocket('udp4');
  let sender: { address: string; port: number } | null = null;
  const timers = new Set<NodeJS.Timeout>();

  const pass = (socket: Socket, bytes: Buffer, to: { address: string; port: number }): void => {
    if (random() < loss) {
      counts.lost++;
      return;
    }
    counts.passed++;
    for (let copies = random() < duplication ? 2 : 1; copies > 0; copies--) {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          socket.send(bytes, to.port, to.address, () => {});
        },
        delayMs + random() * jitterMs,
      );
      timers.add(timer);
    }
  };
  near.on('message', (bytes, from) => {
    sender = from;
    pass(far, bytes, { address: '127.0.0.1', port: target.port });
  });
  far.on('message', (bytes) => {
    if (sender !== null) pass(near, bytes, sender);
  });
  for (const socket of [near, far]) {
    socket.bind({ address: '127.0.0.1', port: 0 });
    await once(socket, 'listening');
    socket.on('error', () => {});
  }
  return {
    port: near.address().port,
    counts,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(
        [near, far].map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))),
      );
    },
  };
}
