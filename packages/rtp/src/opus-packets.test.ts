import { createEncoder, Signal } from 'libopus-wasm';
import { describe, expect, it } from 'vitest';
import { likeness, voice } from '../test/voice.ts';
import { InboundStream } from './inbound-stream.ts';
import type { NegotiatedMedia } from './media.ts';
import { Opus, type OpusPreferences } from './opus.ts';
import { OutboundStream } from './outbound-stream.ts';
import { createRtpView, parseRtp, writeRtpHeader } from './packet.ts';

const RATE = 16_000;
const FRAME = RATE / 50;
const HEADER = 12;
const SAID_MS = 2_400;

const mediaOf = (opus: OpusPreferences): NegotiatedMedia => ({
  remoteAddress: '192.0.2.9',
  remotePort: 6000,
  remoteRtcpPort: 6001,
  rtcpMux: false,
  codec: { name: 'OPUS', payloadType: 111, clockRate: 48_000, opus },
  dtmfPayloadType: null,
  ptimeMs: 20,
  direction: 'sendrecv',
});

/** Two packets of one frame each as one packet of two (RFC 6716 section 3.2.4). */
function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const frame = first.subarray(1);
  const length = frame.length < 252 ? [frame.length] : [252 + (frame.length & 3), (frame.length - 252) >> 2];
  return Uint8Array.of(((first[0] ?? 0) & 0xfc) | 2, ...length, ...frame, ...second.subarray(1));
}

/** `pcm` as the far side sends it, in packets of `ms`, which repeat speech of the one before. */
async function packetsOf(pcm: Int16Array, ms: number): Promise<Uint8Array[]> {
  const frameMs = Math.min(ms, 60);
  const size = (RATE / 1000) * frameMs;
  const encoder = await createEncoder({
    sampleRate: RATE,
    channels: 1,
    bitrate: 32_000,
    signal: Signal.Voice,
    fec: true,
    packetLossPercent: 20,
  });
  const packets: Uint8Array[] = [];
  for (let from = 0; from + size <= pcm.length; from += size)
    packets.push(encoder.encode(pcm.subarray(from, from + size), { frameSize: size }));
  encoder.free();
  if (ms <= 60) return packets;
  return packets.flatMap((packet, n) => (n % 2 === 0 ? [] : [joined(packets[n - 1] ?? packet, packet)]));
}

/** What we hear of the packets; null: the network lost it. */
async function heardOf(packets: readonly (Uint8Array | null)[], ms: number) {
  const opus = await Opus.open(RATE);
  const heard: number[] = [];
  const places: number[] = [];
  let concealed = 0;
  const onFrame = (frame: Int16Array, place: number, isConcealed: boolean): void => {
    heard.push(...frame);
    places.push(place);
    if (isConcealed) concealed += 1;
  };
  const inbound = new InboundStream({ onFrame, onDigit: () => {} }, RATE, opus);
  inbound.setMedia(mediaOf({}));
  const view = createRtpView();
  let at = 0;
  for (const [n, payload] of packets.entries()) {
    for (const until = at + ms; at + 20 <= until; at += 20) inbound.tick(at);
    at = (n + 1) * ms;
    if (payload === null) continue;
    const bytes = Buffer.alloc(HEADER + payload.length);
    writeRtpHeader(bytes, 111, n === 0, n, n * ms * 48, 7);
    bytes.set(payload, HEADER);
    parseRtp(bytes, view);
    inbound.receive(bytes, view, at, at);
  }
  opus.close();
  const steps = new Set(places.slice(1).map((place, n) => place - (places[n] ?? 0)));
  return { heard: Int16Array.from(heard), steps, concealed, lost: inbound.window.lost };
}

describe('Opus packets of the far side', () => {
  const said = voice(SAID_MS);
  it.each([10, 20, 40, 60, 120])('are heard whole where they last %i ms', async (ms) => {
    const { heard, steps, concealed, lost } = await heardOf(await packetsOf(said, ms), ms);
    expect([heard.length, [...steps], concealed, lost]).toEqual([said.length, [FRAME], 0, 0]);
    expect(likeness(said, heard)).toBeGreaterThan(0.9);
  });

  it.each([10, 20, 40, 60, 120])('are lost packets where they are damaged, at %i ms each', async (ms) => {
    const packets = await packetsOf(said, ms);
    const at = Math.ceil(1_000 / ms);
    const with_ = (packet: Uint8Array | null): (Uint8Array | null)[] =>
      packets.with(at, packet as Uint8Array);
    const lost = await heardOf(with_(null), ms);
    expect([lost.heard.length, [...lost.steps], lost.lost]).toEqual([said.length, [FRAME], 1]);
    expect(lost.concealed).toBe(Math.ceil(ms / 20));
    const whole = packets[at] ?? new Uint8Array(1);
    const toc = (whole[0] ?? 0) & 0xfc;
    for (const damaged of [
      Uint8Array.of(toc | 3),
      Uint8Array.of(toc | 3, 0, 1, 2, 3),
      Uint8Array.of(toc | 1, 1, 2, 3),
      Uint8Array.of(toc | 2, 251, 1),
      Uint8Array.of(toc | 3, 0x41, 255, 255),
      Uint8Array.of(toc, ...new Uint8Array(1_300)),
    ])
      expect(await heardOf(with_(damaged), ms)).toEqual(lost);
  });

  it('bring back the one before that was lost, where they repeat it', async () => {
    const packets = await packetsOf(said, 20);
    expect(await lossOf(packets)).toBeLessThan(0.75 * (await lossOf(packets, false)));
  });
});

/**
 * Energy of the difference that the loss of every fourth packet of 20 ms makes in the lost frames, as a share of the
 * sound's. `repeats` false: what the next packet repeats is not used.
 */
async function lossOf(packets: readonly Uint8Array[], repeats = true): Promise<number> {
  const isLost = (n: number): boolean => n % 4 === 3;
  const { heard: whole } = await heardOf(packets, 20);
  const opus = await Opus.open(RATE);
  const pcm = new Int16Array(RATE);
  const continued = packets.flatMap((packet, n) => {
    const made = isLost(n) ? opus.conceal(pcm, FRAME) : opus.decode(pcm, packet);
    return Array.from(pcm.subarray(0, made));
  });
  opus.close();
  const kept = packets.map((packet, n) => (isLost(n) ? null : packet));
  const heard = repeats ? (await heardOf(kept, 20)).heard : Int16Array.from(continued);
  let [error, energy] = [0, 1];
  for (let i = RATE / 2; i < whole.length; i++) {
    if (!isLost(Math.floor(i / FRAME))) continue;
    error += ((heard[i] ?? 0) - (whole[i] ?? 0)) ** 2;
    energy += (whole[i] ?? 0) ** 2;
  }
  return error / energy;
}

describe('Opus packets of ours', () => {
  /** Sizes and timestamps of the packets that carry `pcm` to a far side with these preferences. */
  async function sent(pcm: Int16Array, preferences: OpusPreferences) {
    const opus = await Opus.open(RATE);
    const packets: { bytes: number; timestamp: number; marker: boolean }[] = [];
    const payloads: Uint8Array[] = [];
    const view = createRtpView();
    const outbound = new OutboundStream({
      ssrc: 1,
      sequence: 1,
      timestamp: 0,
      rate: RATE,
      opus,
      send: (packet, length) => {
        parseRtp(packet.subarray(0, length), view);
        packets.push({ bytes: length - HEADER, timestamp: view.timestamp, marker: view.marker });
        payloads.push(Uint8Array.from(packet.subarray(HEADER, length)));
      },
    });
    outbound.setMedia(mediaOf(preferences));
    for (let from = 0; from + FRAME <= pcm.length; from += FRAME) {
      const fill = (out: Int16Array): boolean => (out.set(pcm.subarray(from, from + FRAME)), true);
      outbound.tick({ fill, onAudio: () => {}, onDtmf: () => {}, onMediaTimeout: () => {} }, true, 0, 0);
    }
    opus.close();
    const rate = (packets.reduce((sum, { bytes }) => sum + bytes, 0) * 8) / (pcm.length / RATE);
    return { packets, payloads, rate };
  }
  const said = voice(SAID_MS);

  it.each([
    ['as many as it takes', { maxBitrate: 10_000 }, 10_000],
    ['the fewest of the codec where it takes fewer', { maxBitrate: 1 }, 6_000],
    ['our own number where it takes more', { maxBitrate: 510_000 }, 24_000],
    ['a few more for repeated speech', { usesFec: true }, 32_000],
    ['no repeated speech where it takes fewer', { usesFec: true, maxBitrate: 24_000 }, 24_000],
  ] as const)('have bits a second: %s', async (_what, preferences, bits) => {
    const { rate } = await sent(said, { ...preferences, isConstant: true });
    expect(Math.round(rate / 400)).toBe(bits / 400);
  });

  it('have one length where it prefers that', async () => {
    const { packets } = await sent(said, { isConstant: true });
    expect(new Set(packets.slice(1).map(({ bytes }) => bytes)).size).toBe(1);
    const { packets: usual } = await sent(said, {});
    expect(new Set(usual.slice(1).map(({ bytes }) => bytes)).size).toBeGreaterThan(5);
  });

  it('repeat speech where it makes use of that, in the whole band', async () => {
    const { payloads } = await sent(said, { usesFec: true });
    // RFC 6716 section 3.1: SILK at wideband.
    expect(new Set(payloads.map((packet) => (packet[0] ?? 0) >> 3))).toEqual(new Set([9]));
    expect(await lossOf(payloads)).toBeLessThan(0.75 * (await lossOf(payloads, false)));
  });

  it('stay away in pauses where it prefers that, and begin again with a marker in their place', async () => {
    const pause = new Int16Array(2 * RATE);
    const pcm = Int16Array.from([...voice(600), ...pause, ...voice(600)]);
    const { packets } = await sent(pcm, { skipsPauses: true });
    const usual = await sent(pcm, {});
    expect(usual.packets).toHaveLength(pcm.length / FRAME);
    expect(packets.length).toBeLessThan((0.7 * pcm.length) / FRAME);
    const gaps = packets
      .slice(1)
      .filter(({ timestamp }, n) => timestamp - (packets[n]?.timestamp ?? 0) > 960);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.every(({ marker }) => marker)).toBe(true);
    expect(packets.at(-1)?.timestamp).toBe(usual.packets.at(-1)?.timestamp);
  });
});
