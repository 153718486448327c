import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { claim, giveBack } from './claimed-ports.ts';

/** Below the ephemeral ports (32768 to 60999), so that the system assigns none of them, and disjoint from one another. */
const RANGES = {
  /** SIP ports of services. */
  sip: { first: 5100, count: 1800 },
  /** Third-party peers and their controls. */
  peer: { first: 7000, count: 3000 },
  /** HTTP ports of services. */
  http: { first: 28_000, count: 4000 },
} as const;

/** The first of `count` neighbouring ports that no other test has and that are free for UDP and TCP on loopback. */
export async function freePorts(kind: keyof typeof RANGES, count = 1): Promise<number> {
  const range = RANGES[kind];
  for (;;) {
    const first = range.first + Math.floor(Math.random() * (range.count - count));
    const ports = Array.from({ length: count }, (_, next) => first + next);
    const claimed = ports.filter(claim);
    if (claimed.length === count && (await Promise.all(ports.map(isFree))).every(Boolean)) return first;
    claimed.forEach(giveBack);
  }
}

/** True when the port is currently free for UDP and TCP on loopback. */
async function isFree(port: number): Promise<boolean> {
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

/** Media ports of peers: above the ephemeral range and apart from the ports of SIP and of the service's media. */
const MEDIA_PORTS = { first: 61_000, count: 4_000 };
/** RTP and RTCP of audio and video; baresip binds both. */
const PORTS_PER_PEER = 4;

/** First media port of a peer; even. */
export async function freeMediaPort(): Promise<number> {
  for (;;) {
    const nth = Math.floor((Math.random() * MEDIA_PORTS.count) / PORTS_PER_PEER);
    const first = MEDIA_PORTS.first + nth * PORTS_PER_PEER;
    const ports = Array.from({ length: PORTS_PER_PEER }, (_, next) => first + next);
    const claimed = ports.filter(claim);
    if (claimed.length === PORTS_PER_PEER && (await Promise.all(ports.map(isFreeUdp))).every(Boolean))
      return first;
    claimed.forEach(giveBack);
  }
}
