import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameEvery, niceTicks } from './ticks.ts';

describe('the values of an axis', () => {
  it('are round', () => {
    expect(niceTicks(64)).toEqual([0, 20, 40, 60, 80]);
    expect(niceTicks(3)).toEqual([0, 1, 2, 3]);
    expect(niceTicks(0)).toEqual([0, 1]);
    expect(niceTicks(0.8, 4, false)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8]);
  });

  it('rise in equal whole steps from 0, reach the largest value, and are few', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (most) => {
        const ticks = niceTicks(most);
        const step = ticks[1] ?? 1;
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.at(-1)! - step).toBeLessThan(Math.max(most, 1));
        expect(ticks.every((tick, index) => Number.isInteger(tick) && tick === index * step)).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });
});

describe('the names under bars', () => {
  it('leave each other room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 200 }), (barPx, namePx) => {
        expect(nameEvery(barPx, namePx) * barPx).toBeGreaterThanOrEqual(namePx);
      }),
    );
    expect(nameEvery(0, 40)).toBe(1);
  });
});
