import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dbfs } from './level.ts';
import { createResampler, maxResampled, resample, resampleTo } from './resample.ts';
import { sineTone } from './tones.ts';

/** Ratio of the best-fitting sine at `hz` to everything else, in dB. */
function snr(pcm: Int16Array, hz: number, rate: number): number {
  let re = 0;
  let im = 0;
  for (let i = 0; i < pcm.length; i++) {
    re += (pcm[i] as number) * Math.cos((2 * Math.PI * hz * i) / rate);
    im += (pcm[i] as number) * Math.sin((2 * Math.PI * hz * i) / rate);
  }
  re *= 2 / pcm.length;
  im *= 2 / pcm.length;
  let signal = 0;
  let noise = 0;
  for (let i = 0; i < pcm.length; i++) {
    const fit = re * Math.cos((2 * Math.PI * hz * i) / rate) + im * Math.sin((2 * Math.PI * hz * i) / rate);
    signal += fit * fit;
    noise += ((pcm[i] as number) - fit) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

/** The steady middle second of two seconds of tone, resampled. */
function middle(from: number, to: number, hz: number): Int16Array {
  const out = resample(createResampler(from, to), sineTone(hz, 2000, from), true);
  return out.slice(Math.round(to / 2), Math.round((to * 3) / 2));
}

const PAIRS = [
  [8000, 16_000],
  [16_000, 8000],
  [22_050, 8000],
  [22_050, 16_000],
  [24_000, 8000],
  [24_000, 16_000],
  [48_000, 8000],
  [44_100, 8000],
] as const;

describe('resample', () => {
  it.each(PAIRS)('%i to %i keeps tones in band at 40 dB and their level', (from, to) => {
    for (const hz of [200, 1000, 2500, 3200]) {
      const out = middle(from, to, hz);
      expect(snr(out, hz, to)).toBeGreaterThan(60);
      expect(Math.abs(dbfs(out) - dbfs(sineTone(hz, 1000, from)))).toBeLessThan(0.1);
    }
  });

  it.each(PAIRS.filter(([from, to]) => from > to))('%i to %i rejects aliases', (from, to) => {
    for (const hz of [to * 0.53, to * 0.65, to * 0.9].filter((tone) => tone < from / 2)) {
      expect(dbfs(middle(from, to, hz))).toBeLessThan(dbfs(sineTone(hz, 1000, from)) - 55);
    }
  });

  it('rejects the image above the old band when the rate rises', () => {
    const out = middle(8000, 16_000, 3000);
    let re = 0;
    let im = 0;
    for (let i = 0; i < out.length; i++) {
      re += (out[i] as number) * Math.cos((2 * Math.PI * 5000 * i) / 16_000);
      im += (out[i] as number) * Math.sin((2 * Math.PI * 5000 * i) / 16_000);
    }
    expect((2 * Math.hypot(re, im)) / out.length).toBeLessThan(16);
  });

  it.each(PAIRS)('%i to %i returns the number of samples of the rate ratio', (from, to) => {
    const out = resample(createResampler(from, to), new Int16Array(from), true);
    expect(Math.abs(out.length - to)).toBeLessThanOrEqual(1);
  });

  it('returns the same samples for any chunking', () => {
    const input = Int16Array.from({ length: 3000 }, (_, i) => Math.round(9000 * Math.sin(i * i * 1e-4)));
    fc.assert(
      fc.property(
        fc.constantFrom(...PAIRS),
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 20 }),
        ([from, to], sizes) => {
          const whole = resample(createResampler(from, to), input);
          const chunked = createResampler(from, to);
          const parts: number[] = [];
          let at = 0;
          for (const size of [...sizes, input.length]) {
            const chunk = input.subarray(at, at + size);
            const out = new Int16Array(maxResampled(chunked, chunk.length));
            parts.push(...out.subarray(0, resampleTo(chunked, chunk, out)));
            at = Math.min(input.length, at + size);
          }
          expect(parts).toEqual([...whole]);
        },
      ),
      { numRuns: 40, seed: 3 },
    );
  });

  it('saturates instead of wrapping', () => {
    const square = Int16Array.from({ length: 800 }, (_, i) => (i % 40 < 20 ? 32767 : -32768));
    const out = resample(createResampler(8000, 16_000), square);
    const jumps = out.filter((value, i) => i > 0 && Math.abs(value - (out[i - 1] as number)) > 60_000);
    expect(jumps).toHaveLength(0);
  });
});
