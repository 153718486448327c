import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeRtpHeader } from '../packet.ts';
import { LegSrtp } from './media-keys.ts';
import { createReplayWindow, estimateRollover, isFresh, markSeen } from './replay-window.ts';
import { SrtpReceiver, SrtpSender } from './srtp.ts';
import { masterBytes, type SrtpKeys, type SrtpSuite } from './suites.ts';

const SUITES: readonly SrtpSuite[] = [
  'AES_CM_128_HMAC_SHA1_80',
  'AES_CM_128_HMAC_SHA1_32',
  'AEAD_AES_128_GCM',
];
const masterOf = (suite: SrtpSuite, fill = 7): Uint8Array => new Uint8Array(masterBytes(suite)).fill(fill);

function rtp(sequence: number, payload: Uint8Array = new Uint8Array(160).fill(sequence), ssrc = 5): Buffer {
  const packet = Buffer.alloc(12 + payload.length);
  writeRtpHeader(packet, 0, false, sequence, sequence * 160, ssrc);
  packet.set(payload, 12);
  return packet;
}

/** The SRTP packet of a plain one. */
function sealed(sender: SrtpSender, packet: Buffer): Buffer {
  const bytes = Buffer.concat([packet, Buffer.alloc(20)]);
  return bytes.subarray(0, sender.protectRtp(bytes, packet.length));
}

const opened = (receiver: SrtpReceiver, packet: Buffer): Buffer | null => {
  const bytes = Buffer.from(packet);
  const length = receiver.unprotectRtp(bytes);
  return length < 0 ? null : bytes.subarray(0, length);
};

describe.each(SUITES)('SRTP with %s', (suite) => {
  it('delivers any payload and hides it', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 1440 }),
        fc.nat({ max: 0xffff }),
        fc.nat({ max: 0xffffffff }),
        fc.uint8Array({ minLength: masterBytes(suite), maxLength: masterBytes(suite) }),
        (payload, sequence, ssrc, master) => {
          const plain = rtp(sequence, payload, ssrc);
          const packet = sealed(new SrtpSender(suite, master), plain);
          expect(packet.subarray(0, 12)).toEqual(plain.subarray(0, 12));
          const isShown = payload.length >= 8 && packet.includes(Buffer.from(payload));
          expect(isShown).toBe(false);
          expect(opened(new SrtpReceiver(suite, master), packet)).toEqual(plain);
        },
      ),
    );
  });

  it('keeps CSRCs and a header extension in clear', () => {
    const plain = Buffer.concat([
      Buffer.from('910f1234decafbadcafebabe', 'hex'),
      Buffer.from('00000001bede000101020304', 'hex'),
      Buffer.alloc(40, 9),
    ]);
    const packet = sealed(new SrtpSender(suite, masterOf(suite)), plain);
    expect(packet.subarray(0, 24)).toEqual(plain.subarray(0, 24));
    expect(opened(new SrtpReceiver(suite, masterOf(suite)), packet)).toEqual(plain);
  });

  it('refuses a packet with any bit changed, and takes the right one after it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), fc.nat({ max: 7 }), (payload, at, bit) => {
        const packet = sealed(new SrtpSender(suite, masterOf(suite)), rtp(1, payload));
        const forged = Buffer.from(packet);
        const place = at % forged.length;
        forged[place] = (forged[place] as number) ^ (1 << bit);
        const receiver = new SrtpReceiver(suite, masterOf(suite));
        expect(opened(receiver, forged)).toBeNull();
        expect(opened(receiver, packet)).not.toBeNull();
      }),
    );
  });

  it('takes each packet of a shuffled stream once, over the rollover of the sequence number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0xffff - 60, max: 0xffff }),
        fc.array(fc.nat({ max: 20 }), { minLength: 120, maxLength: 120 }),
        (first, delays) => {
          const sender = new SrtpSender(suite, masterOf(suite));
          const receiver = new SrtpReceiver(suite, masterOf(suite));
          const packets = delays.map((delay, i) => ({
            due: i === 0 ? -1 : i + delay,
            plain: rtp((first + i) & 0xffff),
            packet: sealed(sender, rtp((first + i) & 0xffff)),
          }));
          for (const { plain, packet } of packets.toSorted((a, b) => a.due - b.due)) {
            expect(opened(receiver, packet)).toEqual(plain);
            expect(opened(receiver, packet)).toBeNull();
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('crosses three rollovers without a gap', () => {
    const sender = new SrtpSender(suite, masterOf(suite));
    const receiver = new SrtpReceiver(suite, masterOf(suite));
    let delivered = 0;
    for (let index = 0xfff0; index < 3 * 0x10000 + 16; index += index % 0x8000 < 16 ? 1 : 97)
      if (opened(receiver, sealed(sender, rtp(index & 0xffff))) !== null) delivered++;
      else throw new Error(`packet ${index} was refused`);
    expect(delivered).toBeGreaterThan(1000);
  });

  it('takes a stream whose first packets, with the rollover, were lost', () => {
    const sender = new SrtpSender(suite, masterOf(suite));
    for (let sequence = 0xfff0; sequence <= 0xffff; sequence++) sealed(sender, rtp(sequence));
    const receiver = new SrtpReceiver(suite, masterOf(suite));
    expect(opened(receiver, sealed(sender, rtp(0)))).toEqual(rtp(0));
    expect(opened(receiver, sealed(sender, rtp(1)))).toEqual(rtp(1));
  });

  it('starts at rollover 0 for a new SSRC of the same key', () => {
    const [sender, other] = [new SrtpSender(suite, masterOf(suite)), new SrtpSender(suite, masterOf(suite))];
    const receiver = new SrtpReceiver(suite, masterOf(suite));
    for (const sequence of [0xffff, 0, 1])
      expect(opened(receiver, sealed(sender, rtp(sequence)))).not.toBeNull();
    expect(opened(receiver, sealed(other, rtp(9, undefined, 6)))).not.toBeNull();
    expect(opened(receiver, sealed(sender, rtp(2)))).not.toBeNull();
  });

  it('skips the master key identifier of the peer', () => {
    const packet = sealed(new SrtpSender(suite, masterOf(suite)), rtp(1));
    const tag = suite === 'AES_CM_128_HMAC_SHA1_80' ? 10 : suite === 'AES_CM_128_HMAC_SHA1_32' ? 4 : 0;
    const end = packet.length - tag;
    const identified = Buffer.concat([packet.subarray(0, end), Buffer.from([0, 1]), packet.subarray(end)]);
    expect(opened(new SrtpReceiver(suite, masterOf(suite), 2), identified)).toEqual(rtp(1));
  });

  it('survives any bytes as RTP and RTCP', () => {
    const receiver = new SrtpReceiver(suite, masterOf(suite));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1600 }), (bytes) => {
        expect(receiver.unprotectRtp(Buffer.from(bytes))).toBe(-1);
        expect(receiver.unprotectRtcp(Buffer.from(bytes))).toBe(-1);
      }),
    );
  });

  it('delivers RTCP reports once and refuses changed ones', () => {
    const sender = new SrtpSender(suite, masterOf(suite));
    const receiver = new SrtpReceiver(suite, masterOf(suite));
    const report = Buffer.from('80c900010000000781ca000200000007010161000000', 'hex');
    for (let round = 0; round < 3; round++) {
      const bytes = Buffer.concat([report, Buffer.alloc(20)]);
      const packet = bytes.subarray(0, sender.protectRtcp(bytes, report.length));
      expect(packet.includes(report.subarray(8))).toBe(false);
      for (let at = 0; at < packet.length; at++) {
        const forged = Buffer.from(packet);
        forged[at] = (forged[at] as number) ^ 0x10;
        expect(receiver.unprotectRtcp(forged)).toBe(-1);
      }
      const first = Buffer.from(packet);
      expect(first.subarray(0, receiver.unprotectRtcp(first))).toEqual(report);
      expect(receiver.unprotectRtcp(Buffer.from(packet))).toBe(-1);
    }
  });
});

describe('the replay window', () => {
  it('takes an index once, and none that is 128 or more behind the highest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 600 }), { maxLength: 200 }), (indices) => {
        const window = createReplayWindow();
        const seen = new Set<number>();
        for (const index of indices) {
          const highest = Math.max(-1, ...seen);
          expect(isFresh(window, index)).toBe(!seen.has(index) && index > highest - 128);
          if (!isFresh(window, index)) continue;
          markSeen(window, index);
          seen.add(index);
        }
      }),
    );
  });

  it('finds the rollover counter of packets up to 2^15 - 1 away', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0x10000, max: 2 ** 40 }),
        fc.integer({ min: -0x7fff, max: 0x7fff }),
        (highest, distance) => {
          const window = { ...createReplayWindow(), highest };
          const index = highest + distance;
          expect(estimateRollover(window, index % 0x10000)).toBe(Math.floor(index / 0x10000));
        },
      ),
    );
  });
});

describe('SRTP of a leg over offers and answers', () => {
  const suite: SrtpSuite = 'AES_CM_128_HMAC_SHA1_80';
  const keys = (send: number, receive: number): SrtpKeys => ({
    suite,
    send: masterOf(suite, send),
    receive: masterOf(suite, receive),
    receivedMkiBytes: 0,
  });
  const heard = (leg: LegSrtp, packet: Buffer): Buffer | null => leg.unprotectRtp(Buffer.from(packet));

  it('keeps rollover counter and replay window when a re-INVITE repeats the keys', () => {
    const peer = new SrtpSender(suite, masterOf(suite, 2));
    const first = new LegSrtp(keys(1, 2), null);
    const packets = [0xfffe, 0xffff, 0, 1].map((sequence) => sealed(peer, rtp(sequence)));
    for (const packet of packets) expect(heard(first, packet)).not.toBeNull();
    const second = new LegSrtp(keys(1, 2), first);
    for (const packet of packets) expect(heard(second, packet)).toBeNull();
    expect(heard(second, sealed(peer, rtp(2)))).toEqual(rtp(2));

    const listener = new SrtpReceiver(suite, masterOf(suite, 1));
    const sent = (leg: LegSrtp, sequence: number): Buffer => {
      const bytes = Buffer.concat([rtp(sequence), Buffer.alloc(20)]);
      return bytes.subarray(0, leg.protectRtp(bytes, 172));
    };
    for (const sequence of [0xffff, 0]) expect(opened(listener, sent(second, sequence))).not.toBeNull();
    expect(opened(listener, sent(new LegSrtp(keys(1, 3), second), 1))).toEqual(rtp(1));
  });

  it('takes packets with the old key of the peer until the first one with the new key', () => {
    const [old, renewed] = [2, 3].map((fill) => new SrtpSender(suite, masterOf(suite, fill))) as [
      SrtpSender,
      SrtpSender,
    ];
    const leg = new LegSrtp(keys(1, 3), new LegSrtp(keys(1, 2), null));
    expect(heard(leg, sealed(old, rtp(1)))).toEqual(rtp(1));
    expect(heard(leg, sealed(renewed, rtp(2)))).toEqual(rtp(2));
    expect(heard(leg, sealed(old, rtp(3)))).toBeNull();
  });
});
