import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { OutboundRequest, SignallingEvents } from '@callwright/sip';
import {
  createSignalling,
  type SignallingOptions,
  type SipSignalling,
} from '../../../src/telephony/signalling.ts';
import type { Trunk } from '../../../src/telephony/trunks/trunk.ts';

const running: (() => unknown)[] = [];
/** Registers a clean-up for `closePlanes`. */
export const closeLater = (stop: () => unknown): void => void running.push(stop);
/** Runs the registered clean-ups in reverse order. */
export async function closePlanes(): Promise<void> {
  for (const stop of running.splice(0).reverse()) await stop();
}

/** A trunk at a port of this machine. */
export const trunkTo = (port: number, patch: Partial<Trunk> = {}): Trunk => ({
  id: 'trunk',
  name: 'peer',
  uri: `sip:127.0.0.1:${port}`,
  username: null,
  password: null,
  register: false,
  transport: 'udp',
  allowedSources: [],
  ...patch,
});

/** A running signalling plane on free ports of loopback. */
export async function startPlane(
  trunks: readonly Trunk[],
  patch: Partial<SignallingOptions> = {},
): Promise<SipSignalling> {
  const signalling = createSignalling({
    hosts: ['127.0.0.1'],
    udpPort: 0,
    tcpPort: 0,
    publicAddress: null,
    trunks,
    clock: systemClock,
    log: silentLog,
    probeIntervalMs: null,
    stopGraceMs: 500,
    ...patch,
  });
  closeLater(() => signalling.stop());
  await signalling.start();
  return signalling;
}

export const portOf = (signalling: SipSignalling, transport: 'udp' | 'tcp' | 'tls'): number =>
  Number(
    signalling
      .health()
      .listening.find((l) => l.startsWith(transport))
      ?.split(':')
      .at(-1),
  );

/** A UDP socket that records what it receives. */
export async function datagrams(
  address = '127.0.0.1',
): Promise<{ socket: UdpSocket; port: number; received: string[] }> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const received: string[] = [];
  socket.on('message', (bytes) => received.push(bytes.toString('latin1')));
  socket.bind({ address, port: 0 });
  await once(socket, 'listening');
  closeLater(() => socket.close());
  return { socket, port: socket.address().port, received };
}

/** A TCP connection that records what it receives. */
export interface Stream {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: () => boolean;
}
export async function openStream(port: number, localAddress = '127.0.0.1'): Promise<Stream> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  let text = '';
  let closed = false;
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => (closed = true));
  await once(socket, 'connect');
  closeLater(() => socket.destroy());
  return { socket, text: () => text, closed: () => closed };
}

/** A request outside dialogs. */
export const sipRequest = (
  method: string,
  port: number,
  id: string,
  patch: { transport?: string; headers?: string[] } = {},
): string =>
  [
    `${method} sip:100@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/${patch.transport ?? 'UDP'} 127.0.0.1:${port};branch=z9hG4bK${id};rport`,
    `From: <sip:a@127.0.0.1>;tag=${id}`,
    'To: <sip:100@127.0.0.1>',
    `Call-ID: ${id}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:a@127.0.0.1:${port}>`,
    ...(patch.headers ?? []),
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

export const statusOf = (text: string | undefined): string => text?.split('\r\n')[0] ?? '';

/** Events that count how often the call ended. */
export const counting = (
  count: { ends: number },
  patch: Partial<SignallingEvents> = {},
): SignallingEvents => ({
  onRinging: () => {},
  onAnswered: () => {},
  onFailed: () => count.ends++,
  onEnded: () => count.ends++,
  onReoffer: () => null,
  onDtmf: () => {},
  ...patch,
});

/** A call to the plane's trunk. */
export const callRequest = (attemptId: string, ringTimeoutMs = 5_000): OutboundRequest => ({
  trunkId: 'trunk',
  from: '1',
  to: '2',
  displayName: null,
  sdpOffer: 'v=0\r\n',
  ringTimeoutMs,
  attemptId,
});
