import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mosOf, ratingOf } from './e-model.ts';

describe('E-model', () => {
  it.each([
    [90, 4.34],
    [80, 4.03],
    [70, 3.6],
    [60, 3.1],
    [50, 2.58],
  ])('gives rating %i the MOS %f of ITU-T G.107 table B.1 to a hundredth', (rating, mos) => {
    expect(Math.abs(mosOf(rating) - mos)).toBeLessThan(0.01);
  });

  it('rates a call at the defaults of G.107 with 93.2, which is a MOS of 4.41', () => {
    expect(ratingOf({ lostShare: 0, delayMs: 0 })).toBe(93.2);
    expect(mosOf(93.2)).toBeCloseTo(4.41, 2);
  });

  // The planning values that G.113 gave for G.711 with concealment before it had a formula.
  it.each([
    [0.02, 7],
    [0.03, 10],
    [0.05, 15],
    [0.07, 20],
    [0.1, 25],
  ])('impairs a call with a share of %f lost by about the %i points of ITU-T G.113', (lostShare, points) => {
    expect(Math.abs(93.2 - ratingOf({ lostShare, delayMs: 0 }) - points)).toBeLessThan(2.2);
  });

  it('counts no delay up to 100 ms, and 3.0 points at 200 ms by formula 7-27 of G.107', () => {
    expect(ratingOf({ lostShare: 0, delayMs: 100 })).toBe(93.2);
    expect(93.2 - ratingOf({ lostShare: 0, delayMs: 200 })).toBeCloseTo(3.04, 2);
    expect(93.2 - ratingOf({ lostShare: 0, delayMs: 400 })).toBeCloseTo(24.07, 1);
  });

  it('never rises with more loss or more delay, and stays between 1 and 4.41', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const delay = fc.double({ min: 0, max: 5000, noNaN: true });
    fc.assert(
      fc.property(share, share, delay, delay, (lostA, lostB, delayA, delayB) => {
        const better = ratingOf({ lostShare: Math.min(lostA, lostB), delayMs: Math.min(delayA, delayB) });
        const worse = ratingOf({ lostShare: Math.max(lostA, lostB), delayMs: Math.max(delayA, delayB) });
        expect(worse).toBeLessThanOrEqual(better + 1e-9);
        expect(mosOf(worse)).toBeGreaterThanOrEqual(1);
        expect(mosOf(better)).toBeLessThanOrEqual(4.42);
      }),
    );
  });
});
