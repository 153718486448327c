import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pagesOf } from './day-pages.ts';

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });

it('pages hold every instant once, whatever the span', () => {
  fc.assert(
    fc.property(instant, instant, fc.integer({ min: 1, max: 40 }), instant, (a, b, count, at) => {
      const pages = pagesOf({ first: Math.min(a, b), last: Math.max(a, b) }, count);
      const holding = pages.filter(
        ({ from, to }) => (from === null || at >= from) && (to === null || at < to),
      );
      expect(holding).toHaveLength(1);
      expect(pages.length).toBeLessThanOrEqual(count);
    }),
  );
});

it('pages of a long span are of equal length', () => {
  expect(pagesOf({ first: 0, last: 400 }, 4)).toEqual([
    { from: null, to: 100 },
    { from: 100, to: 200 },
    { from: 200, to: 300 },
    { from: 300, to: null },
  ]);
});
