import { describe, expect, it } from 'vitest';
import { middleNtp, ntpOf, parseRtcp, roundTripMs, writeRtcp, type CompoundReport } from './rtcp.ts';
import { createRtcpSession, makeReport, receiveRtcp } from './rtcp-session.ts';
import { countPacket, createReception, jitterMs, takeReport } from './reception.ts';

const BLOCK = {
  ssrc: 0xdeadbeef,
  fractionLost: 13,
  cumulativeLost: -2,
  highestSequence: 0x0001fffe,
  jitter: 40,
  lastSenderReport: 0x12345678,
  delaySinceSenderReport: 65_536,
};
const FULL: CompoundReport = {
  ssrc: 0xcafe0001,
  cname: 'abcdefghijklmnop',
  sender: { ntp: { seconds: 1, fraction: 2 }, rtpTimestamp: 0xffffffff, packetCount: 9, octetCount: 1440 },
  block: BLOCK,
  bye: true,
};

describe('RTCP', () => {
  it('parses a written compound packet', () => {
    expect(parseRtcp(writeRtcp(FULL))).toEqual([
      {
        type: 'sender_report',
        ssrc: FULL.ssrc,
        ntpSeconds: 1,
        ntpFraction: 2,
        rtpTimestamp: 0xffffffff,
        packetCount: 9,
        octetCount: 1440,
        reports: [BLOCK],
      },
      { type: 'cname', ssrc: FULL.ssrc, cname: FULL.cname },
      { type: 'bye', ssrcs: [FULL.ssrc] },
    ]);
  });

  it.each([0, 1, 2, 3, 4, 5, 255, 300])('stays well-formed with a CNAME of %i characters', (length) => {
    const bytes = writeRtcp({ ...FULL, sender: null, block: null, cname: 'x'.repeat(length) });
    expect(bytes.length % 4).toBe(0);
    expect(parseRtcp(bytes)?.[1]).toMatchObject({ cname: 'x'.repeat(Math.min(255, length)) });
  });

  it.each([
    ['nothing', []],
    ['odd length', [0x80, 201, 0, 1, 0]],
    ['version 1', [0x40, 201, 0, 1, 0, 0, 0, 1]],
    ['length past the end', [0x80, 201, 0, 9, 0, 0, 0, 1]],
    ['report block missing', [0x81, 201, 0, 1, 0, 0, 0, 1]],
    ['sender info missing', [0x80, 200, 0, 1, 0, 0, 0, 1]],
    ['BYE without its source', [0x81, 203, 0, 0]],
    ['SDES item past the end', [0x81, 202, 0, 2, 0, 0, 0, 1, 1, 9, 65, 65]],
    ['padding longer than an unknown packet', [0xa0, 204, 0, 1, 0, 0, 0, 8]],
    ['padding longer than the packet', [0xa0, 201, 0, 1, 0, 0, 0, 8]],
  ])('refuses %s', (_, bytes) => {
    expect(parseRtcp(Uint8Array.from(bytes))).toBeNull();
  });

  it('skips unknown packet types, such as feedback and APP', () => {
    const app = Uint8Array.of(0x80, 204, 0, 2, 0, 0, 0, 1, 65, 66, 67, 68);
    expect(parseRtcp(Buffer.concat([writeRtcp(FULL), app]))).toHaveLength(3);
  });

  it('measures the round trip from LSR and DLSR', () => {
    const sentAt = Date.UTC(2026, 0, 5, 10, 0, 0, 250);
    const block = {
      ...BLOCK,
      lastSenderReport: middleNtp(ntpOf(sentAt)),
      delaySinceSenderReport: 65_536 / 2,
    };
    expect(roundTripMs(block, sentAt + 500 + 42)).toBeCloseTo(42, 0);
    expect(roundTripMs({ ...block, lastSenderReport: 0 }, sentAt)).toBeNull();
    expect(roundTripMs({ ...block, lastSenderReport: 1 }, sentAt)).toBeNull();
  });
});

describe('RTCP session', () => {
  it('takes loss, jitter and round trip from the reports of the peer', () => {
    const [a, b] = [createRtcpSession(1, 'a'), createRtcpSession(2, 'b')];
    const [heardByA, heardByB] = [createReception(8000), createReception(8000)];
    for (const sequence of [1, 2, 3, 5])
      countPacket(heardByB, 1, sequence, sequence * 160, true, sequence * 20);
    const start = Date.UTC(2026, 0, 5);
    const sent = { packets: 5, octets: 800, timestamp: 800 };
    expect(receiveRtcp(b, makeReport(a, sent, heardByA, false, start), 8000, start + 30)).toEqual({
      left: [],
    });
    expect(receiveRtcp(a, makeReport(b, sent, heardByB, false, start + 1030), 8000, start + 1060)).toEqual({
      left: [],
    });
    expect(a.remoteLossFraction).toBeCloseTo(1 / 5, 1);
    expect(a.roundTripMs).toBeCloseTo(60, 0);
    expect(a.remoteJitterMs).toBe(0);
    expect(b.roundTripMs).toBeNull();
  });

  it('sends RR when no packet was sent, and ignores reflections of its own reports', () => {
    const session = createRtcpSession(1, 'a');
    const reception = createReception(8000);
    countPacket(reception, 1, 1, 160, true, 20);
    const sent = { packets: 5, octets: 800, timestamp: 800 };
    const first = makeReport(session, sent, reception, false, 1_700_000_000_000);
    expect(parseRtcp(first)?.[0]?.type).toBe('sender_report');
    expect(
      parseRtcp(makeReport(session, sent, reception, true, 1_700_000_005_000))?.map(({ type }) => type),
    ).toEqual(['receiver_report', 'cname', 'bye']);
    receiveRtcp(session, first, 8000, 1_700_000_000_010);
    expect(session.remoteLossFraction).toBeNull();
  });
});

describe('extended reports', () => {
  /** A VoIP metrics block about SSRC 1: 3 of 256 discarded, 120 ms in the device. */
  const metrics = Uint8Array.from([
    0x80, 207, 0, 10, 0, 0, 0, 2, 7, 0, 0, 8, 0, 0, 0, 1, 5, 3, 0, 0, 0, 0, 0, 0, 0, 40, 0, 120, 0, 0, 0, 16,
    82, 127, 41, 41, 0, 0, 0, 40, 0, 80, 0, 80,
  ]);

  it('give the discards and the delay in the device of the far side', () => {
    expect(parseRtcp(metrics)).toEqual([{ type: 'voip_metrics', source: 1, discarded: 3, endSystemMs: 120 }]);
    const session = createRtcpSession(1, 'a');
    receiveRtcp(session, metrics, 8000, 1_700_000_000_000);
    expect(session).toMatchObject({ remoteDiscardFraction: 3 / 256, remoteDelayMs: 120 });
  });

  it('about another stream change nothing', () => {
    const session = createRtcpSession(9, 'a');
    receiveRtcp(session, metrics, 8000, 1_700_000_000_000);
    expect(session).toMatchObject({ remoteDiscardFraction: 0, remoteDelayMs: null });
  });

  it('with a block past their end keep the report before it', () => {
    const cut = Uint8Array.from(metrics);
    cut[11] = 9;
    const found = parseRtcp(Buffer.concat([writeRtcp({ ...FULL, bye: false }), cut]));
    expect(found?.map(({ type }) => type)).toEqual(['sender_report', 'cname']);
  });
});

describe('reception statistics', () => {
  it('counts loss over a wrap as in RFC 3550 A.3', () => {
    const reception = createReception(8000);
    for (let i = 0; i < 100; i++) {
      if (i % 4 !== 3) countPacket(reception, 9, (65_500 + i) & 0xffff, i * 160, true, 1 + i * 20);
    }
    expect(takeReport(reception)).toEqual({
      fractionLost: Math.floor((24 / 99) * 256),
      cumulativeLost: 24,
      highestSequence: 65_500 + 98,
      jitter: 0,
    });
    for (let i = 99; i < 120; i++)
      countPacket(reception, 9, (65_500 + i) & 0xffff, i * 160, true, 1 + i * 20);
    expect(takeReport(reception)).toMatchObject({ fractionLost: 0, cumulativeLost: 24 });
  });

  it('reports surplus packets as negative cumulative loss and a zero fraction', () => {
    const reception = createReception(8000);
    for (const sequence of [1, 2, 2, 2]) countPacket(reception, 9, sequence, sequence * 160, true, sequence);
    expect(takeReport(reception)).toMatchObject({ fractionLost: 0, cumulativeLost: -2 });
  });

  it('jitter converges to the mean difference for alternating arrival times', () => {
    const reception = createReception(8000);
    for (let i = 0; i < 500; i++) countPacket(reception, 9, i, i * 160, true, 100 + i * 20 + (i % 2) * 8);
    expect(jitterMs(reception)).toBeCloseTo(8, 0);
  });

  it('excludes telephone events and clock jumps from jitter', () => {
    const reception = createReception(8000);
    for (let i = 0; i < 50; i++)
      countPacket(reception, 9, i, i < 25 ? i * 160 : i * 160 + 900_000, true, 1 + i * 20);
    countPacket(reception, 9, 50, 7, false, 1000);
    expect(jitterMs(reception)).toBe(0);
  });
});
