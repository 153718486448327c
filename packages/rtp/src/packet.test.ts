import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRtpView, looksLikeRtcp, parseRtp, RTP_HEADER_BYTES, writeRtpHeader } from './packet.ts';

const view = createRtpView();

describe('RTP packets', () => {
  it('parses a written header', () => {
    fc.assert(
      fc.property(
        fc.record({
          payloadType: fc.nat(127),
          marker: fc.boolean(),
          sequence: fc.nat(0xffff),
          timestamp: fc.nat(0xffffffff),
          ssrc: fc.nat(0xffffffff),
          payload: fc.nat(400),
        }),
        ({ payload, ...head }) => {
          const bytes = new Uint8Array(RTP_HEADER_BYTES + payload);
          writeRtpHeader(bytes, head.payloadType, head.marker, head.sequence, head.timestamp, head.ssrc);
          expect(parseRtp(bytes, view)).toBe(true);
          expect(view).toEqual({ ...head, payloadStart: 12, payloadEnd: 12 + payload });
        },
      ),
    );
  });

  it('skips CSRC entries, extension and padding', () => {
    const bytes = new Uint8Array(12 + 8 + 4 + 8 + 5 + 3);
    writeRtpHeader(bytes, 0, false, 1, 2, 3);
    bytes[0] = 0x80 | 0x30 | 2;
    bytes[12 + 8 + 3] = 2;
    bytes[bytes.length - 1] = 3;
    expect(parseRtp(bytes, view)).toBe(true);
    expect([view.payloadStart, view.payloadEnd]).toEqual([32, 37]);
  });

  it.each([
    ['too short', [0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]],
    ['version 1', [0x40, ...new Uint8Array(20)]],
    ['CSRC past the end', [0x8f, ...new Uint8Array(20)]],
    ['extension past the end', [0x90, ...new Uint8Array(13), 0xff, 0xff]],
    ['extension header cut', [0x90, ...new Uint8Array(12)]],
    ['padding of zero', [0xa0, ...new Uint8Array(20)]],
    ['padding past the header', [0xa0, ...new Uint8Array(19), 200]],
    ['longer than a frame', [0x80, ...new Uint8Array(1500)]],
  ])('refuses %s', (_, bytes) => {
    expect(parseRtp(Uint8Array.from(bytes), view)).toBe(false);
  });

  it('demultiplexes RTCP and RTP on one port', () => {
    expect(looksLikeRtcp(Uint8Array.of(0x80, 200, 0, 6))).toBe(true);
    expect(looksLikeRtcp(Uint8Array.of(0x80, 0, 0, 6))).toBe(false);
    expect(looksLikeRtcp(Uint8Array.of(0x80, 0x80 | 101, 0, 6))).toBe(false);
    expect(looksLikeRtcp(Uint8Array.of(0x80, 200))).toBe(false);
  });
});
