import { createSocket, type Socket } from 'node:dgram';
import { afterEach, expect, it } from 'vitest';
import { ManualClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { PortPool, RtpLeg, Wheel } from '@callwright/rtp';
import {
  ADDRESS,
  bindSocket,
  closeLater,
  closeLegs,
  media,
  rtp,
  ToneSink,
  until,
} from '../../helpers/sip/rtp-bench.ts';

afterEach(closeLegs);

/** A leg whose steps the test makes. */
async function openLeg(): Promise<{ leg: RtpLeg; pass: (ms: number) => number }> {
  const clock = new ManualClock(1_000_000);
  const ports = new PortPool({ clock, range: null });
  const leg = await RtpLeg.open({
    ports,
    address: ADDRESS,
    wheel: new Wheel({ clock }),
    clock,
    log: silentLog,
  });
  closeLater(() => leg.close());
  leg.start(new ToneSink(440), { mediaTimeoutMs: 3_600_000 });
  /** Returns the packets that the leg sends in `ms`. */
  const pass = (ms: number): number => {
    const before = leg.stats().packetsSent;
    for (let step = 0; step < ms / 20; step += 1) {
      clock.advance(20);
      leg.onTick(clock.now(), 0);
    }
    return leg.stats().packetsSent - before;
  };
  return { leg, pass };
}
const heard = (leg: RtpLeg, packets: number): Promise<void> =>
  until(() => leg.stats().packetsReceived >= packets);
const stray = (leg: RtpLeg, packets: number): Promise<void> =>
  until(() => leg.stats().strayPackets >= packets);
/** A socket at another address of this machine. */
async function bindElsewhere(): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.2', resolve));
  closeLater(() => void socket.close());
  return socket;
}

it('sends at most five seconds to an address that has sent nothing, and on once it sends', async () => {
  const { leg, pass } = await openLeg();
  const peer = await bindSocket();
  leg.update(media(peer.port, { unprovenMs: 5000 }));
  expect(pass(30_000)).toBeLessThanOrEqual(251);
  // A re-INVITE with another address gives no further five seconds.
  leg.update(media(peer.port, { remoteAddress: '127.0.0.3', unprovenMs: 5000 }));
  expect(pass(30_000)).toBe(0);
  leg.update(media(peer.port, { unprovenMs: 5000 }));
  peer.socket.send(rtp(1), leg.port, ADDRESS);
  await heard(leg, 1);
  expect(pass(10_000)).toBeGreaterThan(490);
});

it('sends on to an address from which only RTCP comes', async () => {
  const { leg, pass } = await openLeg();
  const peer = await bindSocket();
  leg.update(media(peer.port, { unprovenMs: 5000 }));
  expect(pass(6_000)).toBeLessThanOrEqual(251);
  const report = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 7]);
  peer.socket.send(report, leg.port + 1, ADDRESS);
  await until(() => pass(20) > 0);
  expect(pass(10_000)).toBeGreaterThan(490);
});

it('has no limit for a call that we place', async () => {
  const { leg, pass } = await openLeg();
  leg.update(media((await bindSocket()).port));
  expect(pass(30_000)).toBeGreaterThan(1490);
});

it('takes media only from the media_ranges of the trunk', async () => {
  const { leg } = await openLeg();
  const peer = await bindSocket();
  const outside = await bindElsewhere();
  leg.update(media(peer.port, { mediaRanges: ['127.0.0.1/32', '203.0.113.0/24'] }));
  for (let n = 1; n <= 40; n += 1) outside.send(rtp(n), leg.port, ADDRESS);
  await stray(leg, 40);
  expect(leg.stats()).toMatchObject({ packetsReceived: 0, strayPackets: 40 });
  peer.socket.send(rtp(1), leg.port, ADDRESS);
  await heard(leg, 1);
  expect(leg.stats().packetsReceived).toBe(1);
});
