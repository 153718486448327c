import { assert, double, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { alignedMs } from './aligned.ts';

it('leaves waits below a second as they are', () => {
  expect([alignedMs(0, 123), alignedMs(999, 123)]).toEqual([0, 999]);
});

it('ends at a whole second, at most 50 ms later than asked and less than a second sooner', () => {
  assert(
    property(
      double({ min: 0, max: 1e9, noNaN: true }),
      integer({ min: 1_000, max: 100_000 }),
      (now, wait) => {
        const aligned = alignedMs(wait, now);
        expect(aligned).toBeGreaterThan(wait - 1_000);
        expect(aligned).toBeLessThanOrEqual(wait + 50);
        expect(Math.round((now + aligned) * 1e3) % 1e6).toBe(0);
      },
    ),
  );
});

it('keeps a poller of a second at a second, also after a timer that fired early', () => {
  expect([alignedMs(1_000, 7_005), alignedMs(1_000, 6_999.4)]).toEqual([995, 1_000.6000000000004]);
});
