import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Whether UDP and TCP of this port are free on loopback at this moment. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isListening) return false;
  const isUdpFree = await isFreeUdp(port);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return isUdpFree;
}

async function isFreeUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const isBound = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise<void>((resolve) => (isBound ? socket.close(() => resolve()) : resolve()));
  return isBound;
}

/**
 * Media of peers: above the ports that connections are given by themselves (32768 to 60999), and none of SIP or of the
 * service's own media.
 */
const MEDIA_PORTS = { first: 61_000, count: 4_000 };
/** RTP and RTCP of sound, and of a picture that nobody sends. */
const OF_ONE_PEER = 4;

/** The first of the ports that a peer takes for its media; it is even. */
export async function freeMediaPort(): Promise<number> {
  for (;;) {
    const nth = Math.floor((Math.random() * MEDIA_PORTS.count) / OF_ONE_PEER);
    const first = MEDIA_PORTS.first + nth * OF_ONE_PEER;
    const ports = Array.from({ length: OF_ONE_PEER }, (_, next) => first + next);
    const free = await Promise.all(ports.map(isFreeUdp));
    if (free.every(Boolean)) return first;
  }
}
