import { describe, expect, it } from 'vitest';
import { concealTo, createConcealer, acceptSamples, resetConcealer } from './decode.ts';

/** A voice-like sound: a fundamental with six harmonics. */
const voice = (hz: number, rate: number, from: number, count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, i) => {
    let sum = 0;
    for (let k = 1; k <= 6; k++) sum += Math.sin((2 * Math.PI * hz * k * (from + i)) / rate + k) / k;
    return Math.round(5000 * sum);
  });

const power = (pcm: Int16Array): number => pcm.reduce((sum, value) => sum + value * value, 0) / pcm.length;

function segmentSnr(real: Int16Array, heard: Int16Array): number {
  const noise = real.map((value, i) => value - (heard[i] as number));
  return 10 * Math.log10(power(real) / Math.max(1, power(noise)));
}

describe.each([8000, 16_000])('concealment at %i Hz', (rate) => {
  const ms = rate / 1000;

  it.each([90, 110, 150, 190])('continues in phase with a voice of %i Hz', (hz) => {
    const concealer = createConcealer(rate);
    acceptSamples(concealer, voice(hz, rate, 0, 100 * ms));
    const synthesized = new Int16Array(10 * ms);
    concealTo(concealer, synthesized, 0, synthesized.length);
    expect(segmentSnr(voice(hz, rate, 100 * ms, 10 * ms), synthesized)).toBeGreaterThan(10);
  });

  it('starts without a click and fades to silence at 60 ms', () => {
    const concealer = createConcealer(rate);
    const before = voice(120, rate, 0, 100 * ms);
    acceptSamples(concealer, before);
    const synthesized = new Int16Array(100 * ms);
    concealTo(concealer, synthesized, 0, synthesized.length);
    const steps = before.slice(1).map((value, i) => Math.abs(value - (before[i] as number)));
    const largest = Math.max(...steps);
    expect(Math.abs((synthesized[0] as number) - (before.at(-1) as number))).toBeLessThanOrEqual(
      largest * 1.2,
    );
    const at = (from: number) => power(synthesized.slice(from * ms, (from + 10) * ms));
    expect(at(20)).toBeLessThan(at(0));
    expect(at(40)).toBeLessThan(at(20));
    expect(synthesized.slice(60 * ms).every((value) => value === 0)).toBe(true);
  });

  it('starts without a click for sound without a pitch', () => {
    const concealer = createConcealer(rate);
    const before = Int16Array.from({ length: 100 * ms }, (_, i) =>
      Math.round(12_000 * Math.sin((2 * Math.PI * 29 * i) / rate)),
    );
    acceptSamples(concealer, before);
    const synthesized = new Int16Array(ms);
    concealTo(concealer, synthesized, 0, synthesized.length);
    expect(Math.abs((synthesized[0] as number) - (before.at(-1) as number))).toBeLessThan(1500);
  });

  it('cross-fades into received audio without a step', () => {
    const concealer = createConcealer(rate);
    acceptSamples(concealer, voice(130, rate, 0, 100 * ms));
    const synthesized = new Int16Array(20 * ms);
    concealTo(concealer, synthesized, 0, synthesized.length);
    const real = voice(130, rate, 120 * ms + 13, 20 * ms);
    const joined = real.slice();
    acceptSamples(concealer, joined);
    expect(joined.slice(4 * ms)).toEqual(real.slice(4 * ms));
    const step = Math.abs((joined[0] as number) - (synthesized.at(-1) as number));
    expect(step).toBeLessThan(2500);
    expect(concealer.synthesized).toBe(0);
  });

  it('synthesizes silence without a history', () => {
    const concealer = createConcealer(rate);
    acceptSamples(concealer, voice(130, rate, 0, 100 * ms));
    resetConcealer(concealer);
    const synthesized = new Int16Array(20 * ms).fill(7);
    concealTo(concealer, synthesized, 0, synthesized.length);
    expect(synthesized.every((value) => value === 0)).toBe(true);
  });

  it('synthesizes the same samples in one call or in several', () => {
    const [a, b] = [createConcealer(rate), createConcealer(rate)];
    for (const concealer of [a, b]) acceptSamples(concealer, voice(100, rate, 5, 60 * ms));
    const [whole, pieces] = [new Int16Array(50 * ms), new Int16Array(50 * ms)];
    concealTo(a, whole, 0, whole.length);
    for (let at = 0; at < pieces.length; at += 7) concealTo(b, pieces, at, Math.min(7, pieces.length - at));
    expect(pieces).toEqual(whole);
  });
});
