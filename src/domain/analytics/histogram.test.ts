import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentilesOf, type BucketCount } from './histogram.ts';

/** As `reaction_bucket` of migration 0104. */
const bucketOf = (ms: number): number =>
  ms < 20 ? 0 : Math.min(159, Math.floor(Math.log(ms / 20) / Math.log(1.05)) + 1);
const histogram = (times: readonly number[]): BucketCount[] =>
  times.map((ms) => ({ bucket: bucketOf(ms), turns: 1 }));

it('has no percentile without turns', () => {
  expect(percentilesOf([])).toEqual({ turns: 0, p50: null, p95: null, p99: null });
  expect(percentilesOf([{ bucket: 7, turns: 0 }]).turns).toBe(0);
});

it('knows each percentile to 2.5 % and half a millisecond, up to the last bucket', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 20, max: 44_000 }), { minLength: 1, maxLength: 300 }), (times) => {
      const sorted = times.toSorted((a, b) => a - b);
      const found = percentilesOf(histogram(times));
      expect(found.turns).toBe(times.length);
      for (const [share, value] of [
        [0.5, found.p50],
        [0.95, found.p95],
        [0.99, found.p99],
      ] as const) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1]!;
        expect(Math.abs(value! - exact)).toBeLessThanOrEqual(exact * 0.025 + 0.5);
      }
    }),
  );
});

it('adds rows of the same bucket, in any order', () => {
  const rows = [
    { bucket: 60, turns: 5 },
    { bucket: 40, turns: 90 },
    { bucket: 60, turns: 5 },
  ];
  expect(percentilesOf(rows)).toEqual(percentilesOf([rows[1]!, { bucket: 60, turns: 10 }]));
});

it('gives a time under 20 ms as 10 ms, and one above 44.6 s as 46 s', () => {
  expect(percentilesOf(histogram([3, 12, 19])).p50).toBe(10);
  expect(percentilesOf(histogram([90_000])).p50).toBe(Math.round(20 * 1.05 ** 158.5));
});
