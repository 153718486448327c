import type { Socket } from 'node:dgram';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock, systemClock } from '../../src/shared/clock.ts';
import { PortPool, PortsExhausted, RtpLeg, SrtpSender, Wheel, closeSocket, writeRtcp } from '@callwright/rtp';
import { silentLog } from '../../src/shared/log.ts';
import { acceptAnswer, answerOffer, createOffer } from '@callwright/sip';
import {
  ADDRESS,
  bench,
  bindSocket,
  closeLater,
  closeLegs,
  inOrder,
  media,
  rtp,
  sleep,
  toneShare,
  ToneSink,
  until,
} from '../helpers/sip/rtp-bench.ts';

afterEach(closeLegs);
const clock = systemClock;

describe('two legs', () => {
  it.each(['PCMU', 'PCMA'] as const)('exchange audio in %s after an offer and answer', async (name) => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const offer = createOffer({ address: ADDRESS, port: a.port, sessionId: 1, version: 1 });
    const asOffered = name === 'PCMU' ? offer : offer.replace('0 8 101', '8 0 101');
    const answer = answerOffer(asOffered, { address: ADDRESS, port: b.port, sessionId: 2 });
    if (!answer.accepted) throw new Error(answer.reason);
    const accepted = acceptAnswer(answer.answer, asOffered);
    if (!accepted.accepted) throw new Error(accepted.reason);
    const [sinkA, sinkB] = [new ToneSink(440), new ToneSink(1000)];
    a.start(sinkA);
    b.start(sinkB);
    a.update(accepted.media);
    b.update(answer.media);
    await until(() => sinkA.heard.length > 16_000 && sinkB.heard.length > 16_000);
    expect(toneShare(sinkA.heard.slice(4000, 14_000), 1000)).toBeGreaterThan(0.99);
    expect(toneShare(sinkB.heard.slice(4000, 14_000), 440)).toBeGreaterThan(0.99);
    expect(inOrder(sinkA.places)).toBe(true);
    expect(a.stats()).toMatchObject({ codec: name, packetsLost: 0, duplicates: 0, strayPackets: 0 });
    expect(a.stats().packetsSent).toBeGreaterThan(95);
  });

  it('exchange digits as telephone events', async () => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const [sinkA, sinkB] = [new ToneSink(300), new ToneSink(300)];
    a.start(sinkA);
    b.start(sinkB);
    a.update(media(b.port));
    b.update(media(a.port));
    a.sendDtmf(['1', '2', '#', 'D']);
    b.sendDtmf(['*', '9', '9', '0']);
    await until(() => sinkA.digits.length === 4 && sinkB.digits.length === 4);
    expect(sinkB.digits.join('')).toBe('12#D');
    expect(sinkA.digits.join('')).toBe('*990');
  });

  it('rate what they hear and, from reports of the far side, what they send', async () => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const sinkB = new ToneSink(0);
    a.start(new ToneSink(700));
    b.start(sinkB);
    a.update(media(b.port));
    b.update(media(a.port));
    await until(() => sinkB.heard.length > 4000);
    expect(b.stats().mos).toEqual({ toUs: null, toFarSide: null });
    // Eight seconds of steps at once: an interval of five seconds ends, and b reports to a.
    for (let step = 0; step < 400; step++) b.onTick(Date.now(), 0);
    expect(b.stats().mos?.toUs).toMatchObject({ samples: 1 });
    expect(b.stats().mos?.toUs?.lowest).toBeGreaterThan(4.3);
    await until(() => a.stats().remoteLossFraction !== null);
    for (let step = 0; step < 250; step++) a.onTick(Date.now(), 0);
    expect(a.stats().mos?.toFarSide?.lowest).toBeGreaterThan(4.3);
  });

  it.each([10, 30, 40, 60])('exchange audio with %i ms packets', async (ptimeMs) => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const [sinkA, sinkB] = [new ToneSink(700), new ToneSink(0)];
    a.start(sinkA);
    b.start(sinkB);
    a.update(media(b.port, { ptimeMs }));
    b.update(media(a.port));
    await until(() => sinkB.heard.length > 8000);
    expect(toneShare(sinkB.heard.slice(2000, 7000), 700)).toBeGreaterThan(0.99);
    const frames = sinkB.heard.length / 160;
    expect(b.stats().packetsReceived).toBeGreaterThan((frames * 20) / ptimeMs - 2);
    expect(b.stats().packetsReceived).toBeLessThan((frames * 20) / ptimeMs + 8);
  });
});

/** Sends a stream of `fill` bytes from `socket` to `port` every 20 ms until stopped. */
function stream(socket: Socket, port: number, fill: number, ssrc: number): () => void {
  let sequence = 100;
  const timer = setInterval(() => socket.send(rtp(sequence++, { fill, ssrc }), port, ADDRESS), 20);
  const stop = (): void => clearInterval(timer);
  closeLater(stop);
  return stop;
}

describe('latch', () => {
  it('count a key once that arrives as telephone event and as INFO', async () => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const sink = new ToneSink(300);
    b.start(sink);
    a.start(new ToneSink(300));
    a.update(media(b.port));
    b.update(media(a.port));
    b.signalledDigit('7', clock.now());
    a.sendDtmf(['5']);
    await until(() => sink.digits.length === 2);
    b.signalledDigit('5', clock.now());
    b.signalledDigit('8', clock.now());
    expect(sink.digits.join('')).toBe('758');
  });

  it('hands keys to the signalling where the media says so, and sends as tones those that it does not take', async () => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const sink = new ToneSink(0);
    const signalled: string[] = [];
    a.signalKeysBy((digits) => signalled.push(...digits));
    b.start(sink);
    a.start(new ToneSink(0));
    a.update(media(b.port, { dtmfPayloadType: null, keysBySignalling: true }));
    b.update(media(a.port, { dtmfPayloadType: null }));
    a.sendDtmf(['5', '6']);
    expect(signalled).toEqual(['5', '6']);
    a.sendInAudio(['7']);
    await until(() => sink.digits.length > 0);
    expect([sink.digits.join(''), signalled]).toEqual(['7', ['5', '6']]);
  });

  it('stays with the first source: another one gets no audio, is not played and does not affect statistics', async () => {
    const { open } = bench();
    const leg = await open();
    const [peer, attacker] = [await bindSocket(), await bindSocket()];
    const signalled = await bindSocket();
    const sink = new ToneSink(500);
    leg.start(sink);
    leg.update(media(signalled.port));
    let toAttacker = 0;
    let toPeer = 0;
    attacker.socket.on('message', () => (toAttacker += 1));
    peer.socket.on('message', () => (toPeer += 1));
    stream(peer.socket, leg.port, 0x80, 7);
    await until(() => toPeer > 5);
    // Same SSRC and payload type, plausible sequence numbers: only the address differs.
    stream(attacker.socket, leg.port, 0x00, 7);
    await until(() => leg.stats().strayPackets > 30);
    expect(toAttacker).toBe(0);
    expect(Math.min(...sink.heard)).toBeGreaterThan(0);
    expect(sink.heard.length).toBeGreaterThan(160 * 25);
    expect(leg.stats()).toMatchObject({ packetsLost: 0, duplicates: 0 });
    attacker.socket.send(Buffer.from([0x80, 0x80 | 73, 0, 1, 0, 0, 0, 7]), leg.port + 1, ADDRESS);
    const before = toPeer;
    await until(() => toPeer > before + 10);
    expect(toAttacker).toBe(0);
  });

  it('does not latch on wrong payload types or noise', async () => {
    const { open } = bench();
    const leg = await open();
    const [peer, noise] = [await bindSocket(), await bindSocket()];
    const sink = new ToneSink(0);
    leg.start(sink);
    leg.update(media(peer.port));
    let toPeer = 0;
    peer.socket.on('message', () => (toPeer += 1));
    noise.socket.send(Buffer.from('GET / HTTP/1.1'), leg.port, ADDRESS);
    noise.socket.send(rtp(1, { type: 18 }), leg.port, ADDRESS);
    noise.socket.send(Buffer.alloc(0), leg.port, ADDRESS);
    await until(() => leg.stats().strayPackets >= 3 && toPeer > 5);
    expect(leg.stats().strayPackets).toBe(3);
    expect(toPeer).toBeGreaterThan(5);
    expect(sink.heard).toHaveLength(0);
  });

  it('follows a re-INVITE to another address', async () => {
    const { open } = bench();
    const leg = await open();
    const [before, after] = [await bindSocket(), await bindSocket()];
    const sink = new ToneSink(500);
    leg.start(sink);
    leg.update(media(before.port));
    const stop = stream(before.socket, leg.port, 0x80, 7);
    await until(() => sink.heard.length > 1600);
    let toAfter = 0;
    after.socket.on('message', () => (toAfter += 1));
    leg.update(media(after.port));
    stop();
    stream(after.socket, leg.port, 0x00, 8);
    await until(() => toAfter > 10 && sink.heard.at(-1) === -32124);
    expect(sink.heard.at(-1)).toBe(-32124);
    expect(toAfter).toBeGreaterThan(10);
    expect(sink.places.every((place, i) => i === 0 || place > (sink.places[i - 1] as number))).toBe(true);
  });
});

describe('impaired network', () => {
  it('conceals loss, reorders packets and counts both', async () => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    const relay = await bindSocket();
    const [sinkA, sinkB] = [new ToneSink(0), new ToneSink(400)];
    a.start(sinkA);
    b.start(sinkB);
    // One direction through the relay: it drops every 10th packet and swaps every 10th with the next.
    let count = 0;
    let waiting: Buffer | null = null;
    relay.socket.on('message', (packet, from) => {
      if (from.port === a.port) return;
      count += 1;
      if (count % 10 === 5) return;
      if (count % 10 === 8) {
        waiting = packet;
        return;
      }
      relay.socket.send(packet, a.port, ADDRESS);
      if (waiting) relay.socket.send(waiting, a.port, ADDRESS);
      waiting = null;
    });
    a.update(media(relay.port));
    b.update(media(relay.port));
    await until(() => sinkA.heard.length > 8000 * 3);
    const stats = a.stats();
    expect(stats.packetsLost).toBeGreaterThanOrEqual(10);
    expect(stats.packetsLate).toBe(0);
    expect(stats.concealedMs).toBeGreaterThanOrEqual(stats.packetsLost * 20);
    expect(sinkA.concealed).toBeGreaterThanOrEqual(stats.packetsLost);
    expect(inOrder(sinkA.places)).toBe(true);
    // Concealment of a steady tone is nearly that tone.
    expect(toneShare(sinkA.heard.slice(1600, 17_600), 400)).toBeGreaterThan(0.97);
  });

  it('exchanges RTCP reports with loss, jitter and round trip', async () => {
    const { open } = bench();
    const [a, b] = [await open(), await open()];
    a.start(new ToneSink(400));
    b.start(new ToneSink(400));
    a.update(media(b.port, { rtcpMux: true, remoteRtcpPort: b.port }));
    b.update(media(a.port, { rtcpMux: true, remoteRtcpPort: a.port }));
    await until(() => a.stats().roundTripMs !== null && b.stats().remoteLossFraction !== null);
    expect(a.stats().remoteLossFraction).toBe(0);
    expect(a.stats().roundTripMs).toBeLessThan(1000);
    expect(b.stats().remoteJitterMs).toBeGreaterThanOrEqual(0);
    expect(a.stats().strayPackets).toBe(0);
  });
});

describe('media timeout and hold', () => {
  it('reports a silent peer once, and never on hold', async () => {
    const { open } = bench();
    // Longer than a stall of a busy machine, in which no packet is read.
    const leg = await open(1_500);
    const peer = await bindSocket();
    let packets = 0;
    peer.socket.on('message', () => (packets += 1));
    const sink = new ToneSink(500);
    leg.start(sink);
    leg.update(media(peer.port, { direction: 'inactive' }));
    await sleep(2_000);
    expect([sink.timeouts, packets]).toEqual([0, 0]);
    leg.update(media(peer.port));
    const stop = stream(peer.socket, leg.port, 0xff, 7);
    await sleep(2_000);
    expect(sink.timeouts).toBe(0);
    expect(packets).toBeGreaterThan(10);
    stop();
    await until(() => sink.timeouts > 0);
    await sleep(2_000);
    expect(sink.timeouts).toBe(1);
  });

  it('RTCP of a silent peer keeps the leg alive, RTCP BYE does not', async () => {
    const { open } = bench();
    const leg = await open(1_500);
    const peer = await bindSocket();
    const sink = new ToneSink(500);
    leg.start(sink);
    leg.update(media(peer.port));
    peer.socket.send(rtp(1, { ssrc: 7 }), leg.port, ADDRESS);
    const report = (bye: boolean): Buffer =>
      writeRtcp({ ssrc: 7, cname: 'peer', sender: null, block: null, bye });
    const reports = setInterval(() => peer.socket.send(report(false), leg.port + 1, ADDRESS), 40);
    closeLater(() => clearInterval(reports));
    await sleep(2_500);
    expect(sink.timeouts).toBe(0);
    clearInterval(reports);
    const byes = setInterval(() => peer.socket.send(report(true), leg.port + 1, ADDRESS), 40);
    closeLater(() => clearInterval(byes));
    await until(() => sink.timeouts > 0);
    expect(sink.timeouts).toBe(1);
  });

  it('sends nothing to 0.0.0.0 and resumes afterwards', async () => {
    const { open } = bench();
    const leg = await open();
    const peer = await bindSocket();
    let packets = 0;
    peer.socket.on('message', () => (packets += 1));
    leg.start(new ToneSink(500));
    leg.update(media(peer.port));
    await until(() => packets > 3);
    leg.update(media(peer.port, { remoteAddress: '0.0.0.0', direction: 'recvonly' }));
    await sleep(100);
    const held = packets;
    await sleep(200);
    expect(packets).toBe(held);
    leg.update(media(peer.port));
    await until(() => packets > held + 3);
    expect(packets).toBeGreaterThan(held + 3);
  });

  it('sends silence as soon as the media is negotiated', async () => {
    const { open } = bench();
    const leg = await open();
    const peer = await bindSocket();
    const first = new Promise<Buffer>((resolve) => {
      peer.socket.once('message', resolve);
    });
    leg.update(media(peer.port));
    const packet = await first;
    expect(packet.length).toBe(172);
    expect(packet.subarray(12).every((byte) => byte === 0xff)).toBe(true);
    expect(packet.readUInt32BE(8)).toBe(leg.ssrc);
  });
});

describe('ports', () => {
  it('are even pairs without ports in use elsewhere, and are quarantined after use', async () => {
    const probe = await bindSocket();
    const first = probe.port - (probe.port % 2);
    const range = { first, last: first + 7 };
    const pool = new PortPool({ clock, range, random: () => 0 });
    const pairs = [await pool.open(ADDRESS), await pool.open(ADDRESS)];
    for (const pair of pairs) {
      closeLater(() => {
        pair.rtp.close();
        pair.rtcp.close();
      });
      expect(pair.port % 2).toBe(0);
      expect(pair.port).not.toBe(first);
      expect(pair.rtcp.address().port).toBe(pair.port + 1);
    }
    expect(pool.inUse).toBe(2);
    const third = await pool.open(ADDRESS).catch(() => null);
    third?.rtp.close();
    third?.rtcp.close();
    if (third) pool.release(third.port);
    await expect(pool.open(ADDRESS)).rejects.toThrow(PortsExhausted);
  });

  it('count as free unless in use or in their 30 s quarantine', async () => {
    const probe = await bindSocket();
    const first = probe.port - (probe.port % 2);
    const manual = new ManualClock();
    const pool = new PortPool({ clock: manual, range: { first, last: first + 5 }, random: () => 0 });
    expect(pool.free).toBe(3);
    const opening = pool.open(ADDRESS);
    // Reserved before it is bound.
    expect(pool.free).toBe(2);
    const pair = await opening;
    expect(pair.port).not.toBe(first);
    // The port in use elsewhere was tried first.
    const left = pool.free;
    expect(left).toBeLessThan(2);
    await Promise.all([pair.rtp, pair.rtcp].map((socket) => closeSocket(socket)));
    pool.release(pair.port);
    manual.advance(29_999);
    expect(pool.free).toBe(left);
    manual.advance(1);
    expect(pool.free).toBe(3);
    expect(new PortPool({ clock, range: null }).free).toBe(Number.POSITIVE_INFINITY);
  });

  it('on a dual-stack address exchange media with an IPv4 peer', async () => {
    const wheel = new Wheel({ clock });
    wheel.start();
    closeLater(() => wheel.stop());
    const ports = new PortPool({ clock, range: null });
    const leg = await RtpLeg.open({ ports, address: '::', wheel, clock, log: silentLog });
    closeLater(() => leg.close());
    const peer = await bindSocket();
    let toPeer = 0;
    peer.socket.on('message', () => (toPeer += 1));
    leg.update(media(peer.port));
    stream(peer.socket, leg.port, 0x80, 7);
    await until(() => toPeer > 5 && leg.stats().packetsReceived > 5);
    expect(leg.stats().strayPackets).toBe(0);
    expect(leg.stats().packetsReceived).toBeGreaterThan(5);
    expect(toPeer).toBeGreaterThan(5);
  });

  it('fail at once for a foreign address', async () => {
    const pool = new PortPool({ clock, range: { first: 40_000, last: 60_000 } });
    await expect(pool.open('192.0.2.77')).rejects.toThrow('EADDRNOTAVAIL');
    expect(pool.inUse).toBe(0);
  });

  it('leak no file descriptor over 200 legs', async () => {
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const { open, ports } = bench();
    const peer = await bindSocket();
    await (await open()).close();
    const before = descriptors();
    for (let round = 0; round < 20; round++) {
      const legs = await Promise.all(Array.from({ length: 10 }, () => open()));
      for (const leg of legs) leg.update(media(peer.port));
      await Promise.all(legs.map((leg) => leg.close()));
    }
    expect(ports.inUse).toBe(0);
    // Sockets of earlier tests may still be closing.
    await expect.poll(descriptors).toBeLessThanOrEqual(before);
  });

  it('send RTCP BYE at the end and nothing after it', async () => {
    const { open } = bench();
    const leg = await open();
    const [peer, control] = [await bindSocket(), await bindSocket()];
    const reports: Buffer[] = [];
    control.socket.on('message', (packet) => reports.push(packet));
    leg.update(media(peer.port, { remoteRtcpPort: control.port }));
    await leg.close();
    await leg.close();
    await until(() => reports.length > 0);
    const last = reports.at(-1) as Buffer;
    expect([last[last.length - 7], last.readUInt32BE(last.length - 4)]).toEqual([203, leg.ssrc]);
    leg.update(media(peer.port));
    leg.sendDtmf(['1']);
    const sent = leg.stats().packetsSent;
    await sleep(60);
    expect(leg.stats().packetsSent).toBe(sent);
  });
});

describe('SRTP', () => {
  it('goes on over a re-INVITE with the same keys, also after a time in clear, and drops replays', async () => {
    const { open } = bench();
    const leg = await open();
    const peer = await bindSocket();
    const sink = new ToneSink(500);
    leg.start(sink);
    const keys = {
      suite: 'AES_CM_128_HMAC_SHA1_80' as const,
      send: new Uint8Array(30).fill(1),
      receive: new Uint8Array(30).fill(2),
      receivedMkiBytes: 0,
    };
    const sender = new SrtpSender(keys.suite, keys.receive);
    const sealed: Buffer[] = [];
    for (const sequence of [65_534, 65_535, 0, 1, 2, 3]) {
      const packet = Buffer.concat([rtp(sequence), Buffer.alloc(20)]);
      sealed.push(packet.subarray(0, sender.protectRtp(packet, 172)));
    }
    const send = async (packets: readonly Buffer[], received: number): Promise<void> => {
      for (const packet of packets) peer.socket.send(packet, leg.port, ADDRESS);
      await until(() => leg.stats().packetsReceived >= received);
    };
    leg.update(media(peer.port, { srtp: keys }));
    await send(sealed.slice(0, 4), 4);
    leg.update(media(peer.port));
    leg.update(media(peer.port, { srtp: keys }));
    await send([...sealed.slice(0, 4), ...sealed.slice(4), rtp(4)], 6);
    await until(() => leg.stats().strayPackets >= 5);
    expect(leg.stats()).toMatchObject({ packetsReceived: 6, strayPackets: 5, packetsLost: 0, duplicates: 0 });
  });
});
