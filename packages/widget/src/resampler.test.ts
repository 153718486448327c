import { describe, expect, it } from 'vitest';
import { Resampler } from './resampler.ts';

const tone = (rate: number, hz: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / rate));

function converted(from: number, to: number, input: Float32Array, piece: number): Float32Array {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  const taken = new Float32Array(160);
  for (let at = 0; at < input.length; at += piece) {
    resampler.push(input.subarray(at, at + piece));
    for (let count = resampler.pull(taken); count > 0; count = resampler.pull(taken)) {
      out.push(...taken.subarray(0, count));
    }
  }
  return Float32Array.from(out);
}
const rms = (of: Float32Array): number =>
  Math.sqrt(of.reduce((sum, sample) => sum + sample * sample, 0) / of.length);

describe('a resampler', () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [16_000, 48_000],
    [16_000, 44_100],
    [16_000, 16_000],
  ])('keeps a tone of 1 kHz from %i to %i', (from, to) => {
    const out = converted(from, to, tone(from, 1_000, 1), 128);
    const wanted = tone(to, 1_000, 1);
    const skip = 400;
    let error = 0;
    for (let n = skip; n < out.length - skip; n++) {
      error = Math.max(error, Math.abs((out[n] ?? 0) - (wanted[n] ?? 0)));
    }
    expect(out.length).toBeGreaterThan(to * 0.98);
    expect(error).toBeLessThan(0.01);
  });

  it('removes what the lower rate cannot carry', () => {
    expect(rms(converted(48_000, 16_000, tone(48_000, 11_000, 1), 128))).toBeLessThan(0.005);
  });

  it('gives the same samples whatever the size of the pieces', () => {
    const input = tone(44_100, 700, 0.5);
    const [small, large] = [converted(44_100, 16_000, input, 128), converted(44_100, 16_000, input, 1_000)];
    expect(small.length).toBe(large.length);
    // The position counts in floating point, which rounds apart.
    expect(Math.max(...small.map((sample, n) => Math.abs(sample - (large[n] ?? 0))))).toBeLessThan(1e-6);
  });

  it('starts anew after it was cleared', () => {
    const resampler = new Resampler(16_000, 48_000);
    resampler.push(tone(16_000, 500, 0.1));
    resampler.clear();
    expect(resampler.available).toBe(0);
  });
});
