import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentilesOf, type Histogram } from './histogram.ts';

/** As the SQL function `reaction_bucket`. */
const bucketOf = (ms: number): number =>
  ms < 20 ? 0 : Math.min(159, Math.floor(Math.log(ms / 20) / Math.log(1.05)) + 1);
function histogram(times: readonly number[]): Histogram {
  const counts = Array.from({ length: 160 }, () => 0);
  for (const ms of times) counts[bucketOf(ms)]! += 1;
  return counts;
}

it('has no percentile without turns', () => {
  expect(percentilesOf([])).toEqual({ turns: 0, p50: null, p95: null, p99: null });
  expect(percentilesOf([[0, 0], []]).p99).toBeNull();
});

it('knows each percentile to 2.5 % and half a millisecond, up to the last bucket', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 20, max: 44_000 }), { minLength: 1, maxLength: 300 }), (times) => {
      const sorted = times.toSorted((a, b) => a - b);
      const found = percentilesOf([histogram(times)]);
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

it('has the percentiles of the sum of histograms, whatever their lengths and their order', () => {
  const [slow, quick] = [histogram([3000, 2000]), histogram([200, 210, 600]).slice(0, 80)];
  const all = percentilesOf([histogram([200, 210, 600, 2000, 3000])]);
  expect(percentilesOf([slow, quick])).toEqual(all);
  expect(percentilesOf([quick, slow])).toEqual(all);
});

it('gives a time under 20 ms as 10 ms, and one above 44.6 s as 46 s', () => {
  expect(percentilesOf([histogram([3, 12, 19])]).p50).toBe(10);
  expect(percentilesOf([histogram([90_000])]).p50).toBe(Math.round(20 * 1.05 ** 158.5));
});
