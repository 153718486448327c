import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { differenceOf } from './proportions.ts';

it('agrees with the examples of Newcombe (1998, method 10)', () => {
  // His difference is the first minus the second: 56/70 − 48/80, 9/10 − 3/10, 10/10 − 0/20.
  const examples = [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
  ] as const;
  for (const [first, ofFirst, second, ofSecond, low, high] of examples) {
    const found = differenceOf({ count: second, total: ofSecond }, { count: first, total: ofFirst });
    expect(found?.low).toBeCloseTo(low, 4);
    expect(found?.high).toBeCloseTo(high, 4);
    expect(found?.isBeyondChance).toBe(true);
  }
});

it('finds no difference without calls, and none beyond chance between equal shares or few calls', () => {
  expect(differenceOf({ count: 0, total: 0 }, { count: 3, total: 9 })).toBeNull();
  expect(differenceOf({ count: 30, total: 90 }, { count: 10, total: 30 })).toMatchObject({
    difference: 0,
    isBeyondChance: false,
  });
  expect(differenceOf({ count: 1, total: 4 }, { count: 3, total: 4 })).toMatchObject({
    difference: 0.5,
    isBeyondChance: false,
  });
  expect(differenceOf({ count: 100, total: 400 }, { count: 300, total: 400 })?.isBeyondChance).toBe(true);
});

it('turns its sign when the sides are exchanged, and keeps the interval around the difference', () => {
  const proportion = fc
    .tuple(fc.nat(1000), fc.nat(1000))
    .map(([a, b]) => ({ count: Math.min(a, b), total: Math.max(a, b, 1) }));
  fc.assert(
    fc.property(proportion, proportion, (a, b) => {
      const [there, back] = [differenceOf(a, b)!, differenceOf(b, a)!];
      expect(there.low).toBeCloseTo(-back.high, 10);
      expect(there.low).toBeLessThanOrEqual(there.difference + 1e-9);
      expect(there.high).toBeGreaterThanOrEqual(there.difference - 1e-9);
      expect(there.low).toBeGreaterThanOrEqual(-1 - 1e-9);
      expect(there.high).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});

it('covers the true difference in about 95 % of draws', () => {
  // A seeded generator: draws of 60 and 80 calls answered with shares 0.3 and 0.45.
  let state = 20_261_125;
  const draw = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const count = (total: number, share: number): number =>
    Array.from({ length: total }, draw).filter((value) => value < share).length;
  let covered = 0;
  for (let round = 0; round < 2000; round += 1) {
    const found = differenceOf({ count: count(60, 0.3), total: 60 }, { count: count(80, 0.45), total: 80 })!;
    if (found.low <= 0.15 && 0.15 <= found.high) covered += 1;
  }
  expect(covered / 2000).toBeGreaterThan(0.93);
  expect(covered / 2000).toBeLessThan(0.97);
});
