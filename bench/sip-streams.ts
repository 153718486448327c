import { systemClock } from '../src/shared/clock.ts';
import { silentLog } from '../src/shared/log.ts';
import { createSignalling, type SipSignalling } from '../src/telephony/signalling.ts';
import type { Trunk } from '../src/telephony/trunks/trunk.ts';
import { AUTHORITY, CERTIFICATES } from '../test/helpers/sip/tls-certificates.ts';

type Stream = 'tcp' | 'tls';

const trunkAt = (port: number, transport: Stream): Trunk => ({
  id: 'trunk',
  name: 'trunk',
  uri: `sip:127.0.0.1:${port}`,
  username: null,
  password: null,
  register: false,
  transport,
  allowedSources: [],
});

const material = { own: CERTIFICATES.service, authorities: AUTHORITY, clientAuthorities: null };

async function plane(port: number, transport: Stream): Promise<SipSignalling> {
  const signalling = createSignalling({
    hosts: ['127.0.0.1'],
    udpPort: null,
    tcpPort: transport === 'tcp' ? 0 : null,
    ...(transport === 'tls' ? { tls: { port: 0, material: () => material } } : {}),
    publicAddress: null,
    trunks: [trunkAt(port, transport)],
    clock: systemClock,
    log: silentLog,
    probeIntervalMs: null,
  });
  await signalling.start();
  return signalling;
}

/**
 * Milliseconds of CPU of a whole call, both sides in this process, over one connection that is kept. `sdp` is offered and
 * answered.
 */
export async function streamedCall(transport: Stream, calls: number, sdp: string): Promise<number> {
  const callee = await plane(5060, transport);
  callee.onInbound((leg) => {
    const ignore = (): void => undefined;
    leg.listen({
      onAnswered: ignore,
      onFailed: ignore,
      onEnded: ignore,
      onReoffer: () => null,
      onDtmf: ignore,
    });
    leg.ringing();
    leg.answer(sdp);
  });
  const port = Number(callee.health().listening[0]?.split(':').at(-1));
  const caller = await plane(port, transport);
  const one = (attemptId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const leg = caller.call(
        {
          trunkId: 'trunk',
          from: '+14155550123',
          to: '+14155550100',
          displayName: null,
          sdpOffer: sdp,
          ringTimeoutMs: 5000,
          attemptId,
        },
        {
          onRinging: () => undefined,
          onAnswered: () => setImmediate(() => leg.hangup('normal')),
          onFailed: ({ reason }) => reject(new Error(reason)),
          onEnded: () => resolve(),
          onReoffer: () => null,
          onDtmf: () => undefined,
        },
      );
    });
  // The handshake and the first runs of the code are not counted.
  for (let i = 0; i < 200; i++) await one(`warm-${i}`);
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await one(`call-${i}`);
  const { user, system } = process.cpuUsage(before);
  await caller.stop();
  await callee.stop();
  return (user + system) / 1000 / calls;
}
