import * as fc from 'fast-check';
import { createEncoder, getPacketInfo } from 'libopus-wasm';
import { describe, expect, it } from 'vitest';
import type { NegotiatedMedia } from './media.ts';
import { InboundStream } from './inbound-stream.ts';
import { Opus, opusTicks } from './opus.ts';
import { OutboundStream } from './outbound-stream.ts';
import { createRtpView, parseRtp } from './packet.ts';
import { likeness, voice } from '../test/voice.ts';

const RATE = 16_000;
const FRAME = RATE / 50;
const MEDIA: NegotiatedMedia = {
  remoteAddress: '192.0.2.9',
  remotePort: 6000,
  remoteRtcpPort: 6001,
  rtcpMux: false,
  codec: { name: 'OPUS', payloadType: 111, clockRate: 48_000, opus: { usesFec: true } },
  dtmfPayloadType: 110,
  dtmfClockRate: 48_000,
  ptimeMs: 20,
  direction: 'sendrecv',
};

/** Sends frames of `pcm` through both streams; `drops` names packets that are lost. */
async function passed(
  pcm: Int16Array,
  drops: (packet: number) => boolean = () => false,
  rate: 8000 | 16_000 = RATE,
) {
  const [ours, theirs] = [await Opus.open(rate), await Opus.open(rate)];
  const heard: number[] = [];
  const places: number[] = [];
  const keys: string[] = [];
  let concealed = 0;
  const inbound = new InboundStream(
    {
      onFrame: (frame, timestamp, isConcealed) => {
        heard.push(...frame);
        places.push(timestamp);
        if (isConcealed) concealed += 1;
      },
      onDigit: (digit) => keys.push(digit),
    },
    rate,
    theirs,
  );
  inbound.setMedia(MEDIA);
  const sizes: number[] = [];
  const stamps: number[] = [];
  const view = createRtpView();
  let at = 0;
  let count = 0;
  const outbound = new OutboundStream({
    ssrc: 1,
    sequence: 10,
    timestamp: 1000,
    rate,
    opus: ours,
    send: (packet, length) => {
      const bytes = Buffer.from(packet.subarray(0, length));
      parseRtp(bytes, view);
      sizes.push(length - 12);
      stamps.push(view.timestamp);
      if (!drops(count++)) inbound.receive(bytes, view, at, at);
    },
  });
  outbound.setMedia(MEDIA);
  const size = rate / 50;
  const tick = (frame: Int16Array | null): void => {
    at += 20;
    const fill = (out: Int16Array): boolean => {
      if (frame !== null) out.set(frame);
      return frame !== null;
    };
    const sink = { fill, onAudio: () => {}, onDtmf: () => {}, onMediaTimeout: () => {} };
    outbound.tick(sink, true, 0, at);
    inbound.tick(at);
  };
  for (let from = 0; from + size <= pcm.length; from += size) tick(pcm.subarray(from, from + size));
  return {
    heard: Int16Array.from(heard),
    places,
    keys,
    sizes,
    stamps,
    outbound,
    inbound,
    tick,
    concealed: () => concealed,
  };
}

/** Bytes of which many are well-formed: few frames, short lengths, padding. */
const anyPacket = fc
  .tuple(
    fc.nat(255),
    fc.constantFrom(0, 1, 2, 3, 0x41, 0x42, 0x81, 0x82, 0x83, 0xc2, 0xff),
    fc.array(fc.oneof(fc.nat(8), fc.nat(255)), { maxLength: 40 }),
    fc.constantFrom(0, 0, 0, 1_270, 2_600),
  )
  .map(([toc, count, rest, more]) => Uint8Array.of(toc, count, ...rest, ...new Uint8Array(more)))
  .chain((packet) => fc.nat(packet.length - 1).map((cut) => packet.subarray(0, packet.length - cut)));

describe('Opus', () => {
  it('reads how long a packet lasts as the library does', async () => {
    const encoder = await createEncoder({ sampleRate: 48_000, channels: 1 });
    for (const ms of [2.5, 5, 10, 20, 40, 60]) {
      const packet = encoder.encode(new Int16Array(48 * ms), { frameSize: 48 * ms });
      expect(opusTicks(packet)).toBe(48 * ms);
      expect((await getPacketInfo(packet, { sampleRate: 48_000 })).samples).toBe(48 * ms);
    }
    encoder.free();
    await fc.assert(
      fc.asyncProperty(anyPacket, async (packet) => {
        const known = await getPacketInfo(packet, { sampleRate: 48_000 }).catch(() => null);
        expect(opusTicks(packet)).toBe(known?.samples ?? 0);
      }),
    );
    expect(opusTicks(new Uint8Array(0))).toBe(0);
  });

  it('never throws at hostile packets, and gives no more than they may last', async () => {
    const opus = await Opus.open(RATE);
    const pcm = new Int16Array(RATE);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(4_000), (packet, samples) => {
        for (const made of [
          opus.decode(pcm, packet),
          opus.recover(pcm, packet, samples),
          opus.conceal(pcm, samples),
        ])
          expect(made).toBeLessThanOrEqual((RATE * 120) / 1000);
      }),
    );
    opus.close();
    opus.close();
    expect([
      opus.decode(pcm, new Uint8Array([0])),
      opus.encode(new Uint8Array(400), 0, pcm.subarray(0, FRAME)),
    ]).toEqual([0, 0]);
  });

  it.each([8000, 16_000] as const)(
    'passes a voice at %i Hz in packets of 20 ms of the 48 kHz clock',
    async (rate) => {
      const said = voice(2_000, rate);
      const { heard, sizes, stamps, places } = await passed(said, () => false, rate);
      expect(likeness(said, heard, rate)).toBeGreaterThan(0.9);
      expect(new Set(stamps.slice(1).map((stamp, n) => stamp - (stamps[n] ?? 0)))).toEqual(new Set([960]));
      expect(new Set(places.slice(1).map((place, n) => place - (places[n] ?? 0)))).toEqual(
        new Set([rate / 50]),
      );
      // 24 kbit/s at most in the mean.
      const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      expect(mean).toBeGreaterThan(25);
      expect(mean).toBeLessThan(80);
    },
  );

  it('fills lost packets: every fifth, and three in a row', async () => {
    const said = voice(2_000);
    const every = await passed(said, (n) => n % 5 === 4);
    const row = await passed(said, (n) => n >= 40 && n < 43);
    expect(likeness(said, every.heard)).toBeGreaterThan(0.9);
    expect(likeness(said, row.heard)).toBeGreaterThan(0.85);
    for (const { places } of [every, row])
      expect(new Set(places.slice(1).map((place, n) => place - (places[n] ?? 0)))).toEqual(new Set([FRAME]));
    expect([every.concealed(), row.concealed()]).toEqual([19, 3]);
  });

  it('sends keys as events of the same clock, and knows packets of its own type alone', async () => {
    const { keys, outbound, tick, inbound } = await passed(voice(200));
    outbound.queueDigits(['4', '2']);
    for (let n = 0; n < 40; n++) tick(null);
    expect(keys).toEqual(['4', '2']);
    expect([111, 110, 0, 8, 13].map((type) => inbound.knows(type))).toEqual([true, true, false, false, true]);
    const without = new InboundStream({ onFrame: () => {}, onDigit: () => {} }, RATE);
    without.setMedia(MEDIA);
    expect(without.knows(111)).toBe(false);
  });

  it('takes packets by the number of our offer where the answer has another', async () => {
    const { inbound } = await passed(voice(100));
    inbound.setMedia({ ...MEDIA, codec: { ...MEDIA.codec, payloadType: 96, receiveType: 111 } });
    expect([96, 111, 112].map((type) => inbound.knows(type))).toEqual([true, true, false]);
  });
});
