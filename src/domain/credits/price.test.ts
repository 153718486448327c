import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affordableMs, lockFor, priceOf, pulsePrice, toCredits, toMicroCredits, type Rate } from './price.ts';

const perMinute: Rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const perSix: Rate = { creditsPerMinute: 0.5, pulseSeconds: 6 };

describe('price', () => {
  it.each([
    [0, perMinute, 0],
    [1, perMinute, 1_000_000],
    [60_000, perMinute, 1_000_000],
    [60_001, perMinute, 2_000_000],
    [6_000, perSix, 50_000],
    [6_001, perSix, 100_000],
    [-5, perMinute, 0],
    [Number.NaN, perMinute, 0],
  ])('%i ms', (ms, rate, price) => expect(priceOf(ms, rate)).toBe(price));

  it('locks the price of the longest call, or of the call that the balance covers', () => {
    expect(lockFor(240_000, 10_000_000, perMinute)).toEqual({ capMs: 240_000, amount: 4_000_000 });
    expect(lockFor(240_000, 2_999_999, perMinute)).toEqual({ capMs: 120_000, amount: 2_000_000 });
    expect(lockFor(240_000, 999_999, perMinute)).toBeNull();
    expect(lockFor(240_000, -1, perMinute)).toBeNull();
    expect(lockFor(240_000, 0, { creditsPerMinute: 0, pulseSeconds: 60 })).toEqual({
      capMs: 240_000,
      amount: 0,
    });
  });

  it('never locks more than the balance, and the lock covers the capped call', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e12 }),
        fc.integer({ min: 1, max: 3_600_000 }),
        fc.integer({ min: 1, max: 120 }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (available, maxCallMs, pulseSeconds, creditsPerMinute) => {
          const rate = { creditsPerMinute, pulseSeconds };
          const lock = lockFor(maxCallMs, available, rate);
          const capMs = lock?.capMs ?? 0;
          const amount = lock?.amount ?? 0;
          expect(lock === null).toBe(available < pulsePrice(rate));
          expect(amount).toBeLessThanOrEqual(available);
          expect(capMs).toBeLessThanOrEqual(maxCallMs);
          expect(priceOf(capMs, rate)).toBe(amount);
          expect(Number.isSafeInteger(amount)).toBe(true);
        },
      ),
    );
  });

  it('shows whole and partial credits', () => {
    expect(toCredits(1_500_000)).toBe(1.5);
    expect(toMicroCredits(0.1 + 0.2)).toBe(300_000);
    expect(affordableMs(5, { creditsPerMinute: 0, pulseSeconds: 60 })).toBe(Number.POSITIVE_INFINITY);
  });
});
