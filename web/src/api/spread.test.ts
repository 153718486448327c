import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { around, reconnectMs } from './spread.ts';

/** Random numbers that repeat in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('pages that come back', () => {
  it('after a restart reach the service one after another: at most 30 of 1,000 in any 20 ms of two seconds', () => {
    const random = numbers(7);
    const times = Array.from({ length: 1_000 }, () => reconnectMs(1, 0, random));
    const counts = new Map<number, number>();
    for (const at of times) counts.set(Math.floor(at / 20), (counts.get(Math.floor(at / 20)) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(30);
    expect(Math.max(...times)).toBeLessThan(2_000);
  });

  it.each([429, 503])('after the answer %i wait for half a minute at least', (status) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (n, r) => {
        const wait = reconnectMs(n, status, () => r);
        expect(wait).toBeGreaterThanOrEqual(30_000);
        expect(wait).toBeLessThanOrEqual(180_000);
      }),
    );
  });

  it('wait longer with each failure, up to two minutes', () => {
    const bounds = Array.from({ length: 12 }, (_, n) => reconnectMs(n + 1, 0, () => 1));
    expect(bounds.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(bounds.at(-1)).toBe(120_000);
  });

  it('read again around the time between two reads, never at once', () => {
    const random = numbers(3);
    const waits = Array.from({ length: 1_000 }, () => around(5_000, random));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(7_500);
  });
});
