import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** True when the port is currently free for UDP and TCP on loopback. */
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
 * Media ports of peers: above the ephemeral range (32768 to 60999) and apart from the ports of SIP and of the service's
 * media.
 */
const MEDIA_PORTS = { first: 61_000, count: 4_000 };
/** RTP and RTCP of audio and video; baresip binds both. */
const PORTS_PER_PEER = 4;

/** First media port of a peer; even. */
export async function freeMediaPort(): Promise<number> {
  for (;;) {
    const nth = Math.floor((Math.random() * MEDIA_PORTS.count) / PORTS_PER_PEER);
    const first = MEDIA_PORTS.first + nth * PORTS_PER_PEER;
    const ports = Array.from({ length: PORTS_PER_PEER }, (_, next) => first + next);
    const free = await Promise.all(ports.map(isFreeUdp));
    if (free.every(Boolean)) return first;
  }
}
