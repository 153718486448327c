import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUlawTo } from '@callwright/audio';
import type { NegotiatedMedia } from './media.ts';
import { writeDtmfTone } from './dtmf-tone.ts';
import { InboundStream } from './inbound-stream.ts';
import { createRtpView, parseRtp, writeRtpHeader } from './packet.ts';

const MEDIA: NegotiatedMedia = {
  remoteAddress: '192.0.2.1',
  remotePort: 4000,
  remoteRtcpPort: 4001,
  rtcpMux: false,
  codec: { name: 'PCMU', payloadType: 0, clockRate: 8000 },
  dtmfPayloadType: 96,
  ptimeMs: 20,
  direction: 'sendrecv',
};

function harness() {
  const frames: { first: number; timestamp: number; concealed: boolean }[] = [];
  const digits: string[] = [];
  const stream = new InboundStream({
    onFrame: (pcm, timestamp, concealed) => frames.push({ first: pcm[0] ?? 0, timestamp, concealed }),
    onDigit: (digit) => digits.push(digit),
  });
  stream.setMedia(MEDIA);
  const view = createRtpView();
  return {
    stream,
    frames,
    digits,
    push: (sequence: number, type: number, timestamp: number, payload: Uint8Array, ssrc = 1): void => {
      const bytes = new Uint8Array(12 + payload.length);
      writeRtpHeader(bytes, type, false, sequence, timestamp, ssrc);
      bytes.set(payload, 12);
      parseRtp(bytes, view);
      stream.receive(bytes, view, 1 + sequence * 20, 1_000_000 + sequence * 20);
    },
  };
}

const audio = (fill: number, length = 160): Uint8Array => new Uint8Array(length).fill(fill);

describe('inbound stream', () => {
  it('decodes PCMU and PCMA by the payload type of each packet', () => {
    const { push, frames } = harness();
    push(1, 0, 0, audio(0x80));
    push(2, 8, 160, audio(0xaa));
    expect(frames).toEqual([
      { first: 32_124, timestamp: 0, concealed: false },
      { first: 32_256, timestamp: 160, concealed: false },
    ]);
  });

  it('reports keys that come as tones, only from a peer without telephone-event', () => {
    const press = (dtmfPayloadType: number | null): readonly string[] => {
      const { push, digits, stream } = harness();
      stream.setMedia({ ...MEDIA, dtmfPayloadType });
      const [pcm, payload] = [new Int16Array(160), new Uint8Array(160)];
      for (let n = 0; n < 10; n++) {
        writeDtmfTone(pcm, 5, n * 160, 8000);
        encodeUlawTo(payload, 0, n < 5 ? pcm : new Int16Array(160));
        push(1 + n, 0, n * 160, payload);
      }
      return digits;
    };
    expect(press(null)).toEqual(['5']);
    expect(press(96)).toEqual([]);
  });

  it('reports digits at once and does not count their gap as audio loss', () => {
    const { push, frames, digits, stream } = harness();
    push(1, 0, 0, audio(0xff));
    for (let i = 0; i < 5; i++) push(2 + i, 96, 160, Uint8Array.of(5, i === 4 ? 0x8a : 10, 0, 160));
    push(7, 0, 960, audio(0xff));
    expect(digits).toEqual(['5']);
    expect(frames.map(({ timestamp, concealed }) => [timestamp, concealed])).toEqual([
      [0, false],
      [960, false],
    ]);
    expect(stream.window.lost).toBe(0);
  });

  it('reads keys by the number of our offer and by that of the answer', () => {
    const { push, digits, stream } = harness();
    stream.setMedia({ ...MEDIA, dtmfPayloadType: 96, dtmfReceiveType: 101 });
    expect([96, 101, 97].map((type) => stream.knows(type))).toEqual([true, true, false]);
    push(1, 101, 160, Uint8Array.of(5, 0x8a, 0, 160));
    push(2, 96, 960, Uint8Array.of(6, 0x8a, 0, 160));
    expect(digits).toEqual(['5', '6']);
    // A re-INVITE that numbers both sides alike ends it.
    stream.setMedia(MEDIA);
    expect([96, 101].map((type) => stream.knows(type))).toEqual([true, false]);
  });

  it('takes packets of the codec as audio, even if our offer gave their number to keys', () => {
    const { push, frames, digits, stream } = harness();
    const codec = { name: 'PCMU', payloadType: 101, clockRate: 8000 } as const;
    stream.setMedia({ ...MEDIA, codec, dtmfPayloadType: 96, dtmfReceiveType: 101 });
    push(1, 101, 0, audio(0x80));
    expect([frames.length, digits]).toEqual([1, []]);
  });

  it('resets telephone events on a new SSRC', () => {
    const { push, digits } = harness();
    push(1, 96, 500_000, Uint8Array.of(1, 0x8a, 0, 160));
    push(2, 96, 499_000, Uint8Array.of(2, 0x8a, 0, 160));
    push(900, 96, 499_000, Uint8Array.of(2, 0x8a, 0, 160), 2);
    expect(digits).toEqual(['1', '2']);
  });

  it('conceals a lost packet', () => {
    const { push, frames, stream } = harness();
    for (const sequence of [1, 2, 4, 5]) push(sequence, 0, sequence * 160, audio(0x90));
    expect(frames.map(({ timestamp, concealed }) => [timestamp, concealed])).toEqual([
      [0, false],
      [160, false],
      [320, true],
      [480, false],
      [640, false],
    ]);
    expect(stream.assembler.concealedSamples).toBe(160);
  });

  it('accepts comfort noise and empty packets without audio', () => {
    const { push, frames, stream } = harness();
    push(1, 0, 0, audio(0xff));
    push(2, 13, 160, Uint8Array.of(70));
    push(3, 0, 320, new Uint8Array(0));
    push(4, 0, 480, audio(0xff));
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([0, 480]);
    expect(stream.window.lost).toBe(0);
  });

  it('accepts only the payload types of the negotiated media', () => {
    const { stream } = harness();
    expect([0, 8, 13, 96].map((type) => stream.knows(type))).toEqual([true, true, true, true]);
    expect([3, 9, 18, 97, 101, 127].map((type) => stream.knows(type))).toEqual(
      Array.from({ length: 6 }, () => false),
    );
    stream.setMedia({
      ...MEDIA,
      codec: { name: 'PCMA', payloadType: 118, clockRate: 8000 },
      dtmfPayloadType: null,
    });
    expect([stream.knows(118), stream.knows(96)]).toEqual([true, false]);
  });

  it('any packets give complete frames with increasing timestamps', () => {
    const packet = fc.record({
      type: fc.constantFrom(0, 8, 13, 96),
      sequence: fc.oneof(fc.nat(0xffff), fc.nat(300)),
      timestamp: fc.oneof(fc.nat(0xffffffff), fc.nat(60_000)),
      ssrc: fc.nat(2),
      payload: fc.uint8Array({ maxLength: 600 }),
    });
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 100 }), (packets) => {
        const { push, frames, digits } = harness();
        for (const { sequence, type, timestamp, payload, ssrc } of packets) {
          push(sequence, type, timestamp, payload, ssrc);
        }
        const steps = frames.slice(1).map(({ timestamp }, i) => timestamp - (frames[i]?.timestamp ?? 0));
        expect(steps.every((step) => step >= 160)).toBe(true);
        expect(digits.length).toBeLessThanOrEqual(packets.length);
      }),
      { numRuns: 500, seed: 12 },
    );
  });
});
