import { describe, expect, it } from 'vitest';
import { concealTo, createConcealer, hearReal, resetConcealer } from './conceal.ts';

/** A voice-like sound: a pitch with six harmonics. */
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

  it.each([90, 110, 150, 190])('goes on in phase with a voice of %i Hz', (hz) => {
    const concealer = createConcealer(rate);
    hearReal(concealer, voice(hz, rate, 0, 100 * ms));
    const invented = new Int16Array(10 * ms);
    concealTo(concealer, invented, 0, invented.length);
    expect(segmentSnr(voice(hz, rate, 100 * ms, 10 * ms), invented)).toBeGreaterThan(10);
  });

  it('starts without a click and fades to silence at 60 ms', () => {
    const concealer = createConcealer(rate);
    const before = voice(120, rate, 0, 100 * ms);
    hearReal(concealer, before);
    const invented = new Int16Array(100 * ms);
    concealTo(concealer, invented, 0, invented.length);
    const steps = before.slice(1).map((value, i) => Math.abs(value - (before[i] as number)));
    const largest = Math.max(...steps);
    expect(Math.abs((invented[0] as number) - (before.at(-1) as number))).toBeLessThanOrEqual(largest * 1.2);
    const at = (from: number) => power(invented.slice(from * ms, (from + 10) * ms));
    expect(at(20)).toBeLessThan(at(0));
    expect(at(40)).toBeLessThan(at(20));
    expect(invented.slice(60 * ms).every((value) => value === 0)).toBe(true);
  });

  it('starts without a click where the sound has no pitch it can find', () => {
    const concealer = createConcealer(rate);
    const before = Int16Array.from({ length: 100 * ms }, (_, i) =>
      Math.round(12_000 * Math.sin((2 * Math.PI * 29 * i) / rate)),
    );
    hearReal(concealer, before);
    const invented = new Int16Array(ms);
    concealTo(concealer, invented, 0, invented.length);
    expect(Math.abs((invented[0] as number) - (before.at(-1) as number))).toBeLessThan(1500);
  });

  it('joins real audio without a step and forgets the loss', () => {
    const concealer = createConcealer(rate);
    hearReal(concealer, voice(130, rate, 0, 100 * ms));
    const invented = new Int16Array(20 * ms);
    concealTo(concealer, invented, 0, invented.length);
    const real = voice(130, rate, 120 * ms + 13, 20 * ms);
    const joined = real.slice();
    hearReal(concealer, joined);
    expect(joined.slice(4 * ms)).toEqual(real.slice(4 * ms));
    const step = Math.abs((joined[0] as number) - (invented.at(-1) as number));
    expect(step).toBeLessThan(2500);
    expect(concealer.invented).toBe(0);
  });

  it('invents silence when it knows nothing', () => {
    const concealer = createConcealer(rate);
    hearReal(concealer, voice(130, rate, 0, 100 * ms));
    resetConcealer(concealer);
    const invented = new Int16Array(20 * ms).fill(7);
    concealTo(concealer, invented, 0, invented.length);
    expect(invented.every((value) => value === 0)).toBe(true);
  });

  it('gives the same whether asked at once or in pieces', () => {
    const [a, b] = [createConcealer(rate), createConcealer(rate)];
    for (const concealer of [a, b]) hearReal(concealer, voice(100, rate, 5, 60 * ms));
    const [whole, pieces] = [new Int16Array(50 * ms), new Int16Array(50 * ms)];
    concealTo(a, whole, 0, whole.length);
    for (let at = 0; at < pieces.length; at += 7) concealTo(b, pieces, at, Math.min(7, pieces.length - at));
    expect(pieces).toEqual(whole);
  });
});
