import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draw, pick, seedOf, spread } from './draw.ts';

const numbers = (count: number, of: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => of(at)).toSorted((a, b) => a - b);

describe('draws with names', () => {
  it('depend on seed and key alone, and lie in [0, 1)', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 }),
        (seed, key) => {
          const drawn = draw(seed, ...key);
          expect(drawn).toBe(draw(seed, ...key));
          expect(drawn).toBeGreaterThanOrEqual(0);
          expect(drawn).toBeLessThan(1);
        },
      ),
    );
  });

  it('spread evenly over seeds and over numbers in the key', () => {
    for (const of of [(at: number) => draw(at, 'habit', 3), (at: number) => draw(7, 'habit', at)]) {
      const drawn = numbers(10_000, of);
      for (const share of [0.1, 0.5, 0.9])
        expect(Math.abs(drawn[10_000 * share]! - share)).toBeLessThan(0.02);
    }
  });

  it('have the median and the 99th percentile of a delay', () => {
    const drawn = numbers(20_000, (at) => spread({ median: 250, p99: 330 }, at, 'recogniser'));
    expect(drawn[10_000]).toBeGreaterThan(247);
    expect(drawn[10_000]).toBeLessThan(253);
    expect(drawn[19_800]).toBeGreaterThan(322);
    expect(drawn[19_800]).toBeLessThan(340);
    expect(spread({ median: 50, p99: 50 }, 1, 'voice')).toBe(50);
  });

  it('choose every member of a list, and refuse an empty one', () => {
    const chosen = new Set(Array.from({ length: 100 }, (_, at) => pick(['a', 'b', 'c'], at, 'variant')));
    expect([...chosen].toSorted()).toEqual(['a', 'b', 'c']);
    expect(() => pick([], 1)).toThrow('empty');
  });

  it('give each call of a run its own seed', () => {
    expect(new Set(Array.from({ length: 5_000 }, (_, call) => seedOf(1, call))).size).toBe(5_000);
  });
});
