import { describe, expect, it } from 'vitest';
import type { SampleRate } from '@callwright/audio';
import { type AudioCodec, codecByName } from './codecs.ts';
import { InboundStream } from './inbound-stream.ts';
import type { MediaSink } from './media-leg.ts';
import type { NegotiatedMedia } from './media.ts';
import { OutboundStream } from './outbound-stream.ts';
import { createRtpView, parseRtp } from './packet.ts';

const mediaOf = (name: AudioCodec['name'], dtmfPayloadType: number | null = 101): NegotiatedMedia => ({
  remoteAddress: '192.0.2.1',
  remotePort: 4000,
  remoteRtcpPort: 4001,
  rtcpMux: false,
  codec: { name, payloadType: codecByName(name).payloadType, clockRate: 8000 },
  dtmfPayloadType,
  ptimeMs: 20,
  direction: 'sendrecv',
});

/** Sends `frames` of a tone at one rate through a codec, and returns what a leg of another rate hears. */
function passed(
  name: AudioCodec['name'],
  { from, to, hz, frames = 50 }: { from: SampleRate; to: SampleRate; hz: number; frames?: number },
) {
  const heard: number[] = [];
  const places: number[] = [];
  const keys: string[] = [];
  const inbound = new InboundStream(
    {
      onFrame: (pcm, timestamp) => {
        heard.push(...pcm);
        places.push(timestamp);
      },
      onDigit: (digit) => keys.push(digit),
    },
    to,
  );
  inbound.setMedia(mediaOf(name, null));
  const view = createRtpView();
  let now = 0;
  const sizes = new Set<number>();
  const outbound = new OutboundStream({
    ssrc: 5,
    sequence: 1,
    timestamp: 0,
    rate: from,
    send: (packet, length) => {
      const bytes = Uint8Array.from(packet.subarray(0, length));
      sizes.add(length - 12);
      parseRtp(bytes, view);
      inbound.receive(bytes, view, now, now);
      inbound.tick(now);
    },
  });
  outbound.setMedia(mediaOf(name, null));
  let at = 0;
  const sink: MediaSink = {
    onAudio: () => undefined,
    fill: (out) => {
      for (let i = 0; i < out.length; i++) {
        out[i] = Math.round(8_000 * Math.sin((2 * Math.PI * hz * at) / from));
        at += 1;
      }
      return true;
    },
    onDtmf: () => undefined,
    onMediaTimeout: () => undefined,
  };
  for (let i = 0; i < frames; i++) {
    now += 20;
    outbound.tick(sink, true, 0, now);
  }
  return { heard, places, keys, sizes, outbound, tick: () => outbound.tick(null, true, 0, (now += 20)) };
}

/** Share of the power that is at `hz`. */
function toneShare(samples: readonly number[], rate: number, hz: number): number {
  let [re, im, power] = [0, 0, 0];
  for (const [i, sample] of samples.entries()) {
    const angle = (2 * Math.PI * hz * i) / rate;
    re += sample * Math.cos(angle);
    im += sample * Math.sin(angle);
    power += sample * sample;
  }
  return (2 * (re * re + im * im)) / (samples.length * power);
}

describe('streams of a codec at the rate of the leg', () => {
  it.each([
    ['G.722 to 16 kHz', 'G722', 16_000, 16_000, 5_000],
    ['G.722 to 8 kHz', 'G722', 16_000, 8_000, 1_000],
    ['PCMU from 8 kHz to 16 kHz', 'PCMU', 8_000, 16_000, 1_000],
    ['PCMA from 16 kHz to 16 kHz', 'PCMA', 16_000, 16_000, 3_000],
    ['PCMU at 8 kHz', 'PCMU', 8_000, 8_000, 1_000],
  ] as const)('%s', (_, name, from, to, hz) => {
    const { heard, places, sizes } = passed(name, { from, to, hz });
    expect([...sizes]).toEqual([160]);
    expect(places).toEqual(places.map((__, i) => (i * to) / 50));
    expect(places.length).toBeGreaterThanOrEqual(48);
    expect(toneShare(heard.slice(to / 10), to, hz)).toBeGreaterThan(0.99);
  });

  it('above 4 kHz passes G.722 and not PCMU', () => {
    const energy = (name: AudioCodec['name']): number => {
      const { heard } = passed(name, { from: 16_000, to: 16_000, hz: 5_500 });
      return heard.slice(1_600).reduce((sum, sample) => sum + sample * sample, 0) / heard.length;
    };
    expect(energy('G722')).toBeGreaterThan(2e7);
    expect(energy('PCMU')).toBeLessThan(1e5);
  });

  it.each(['G722', 'PCMU'] as const)('silence of the sink is silent in %s', (name) => {
    const { heard, tick } = passed(name, { from: 16_000, to: 16_000, hz: 400, frames: 10 });
    heard.length = 0;
    for (let i = 0; i < 30; i++) tick();
    expect(heard.length).toBeGreaterThan(25 * 320);
    expect(Math.max(...heard.slice(640).map(Math.abs))).toBeLessThan(20);
  });

  it('hears keys that come as tones at 16 kHz', () => {
    const { keys, outbound, tick } = passed('G722', { from: 16_000, to: 16_000, hz: 400, frames: 5 });
    outbound.queueDigits(['5', '#']);
    for (let i = 0; i < 40; i++) tick();
    expect(keys).toEqual(['5', '#']);
  });
});
