import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterTaking, FULL, isFull, type FullAt, type Rate, waitMs } from './bucket.ts';

const rates: fc.Arbitrary<Rate> = fc.record({
  burst: fc.integer({ min: 20, max: 500 }),
  perSecond: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(0.1, 0.5, 1 / 3)),
});
const takes = fc.array(
  fc.record({ after: fc.nat({ max: 5_000 }), amount: fc.integer({ min: 1, max: 20 }) }),
  {
    minLength: 1,
    maxLength: 200,
  },
);

describe('a token bucket', () => {
  it('lets at most a burst and the rate times the time pass, whatever is asked when', () => {
    fc.assert(
      fc.property(rates, takes, (rate, list) => {
        let bucket: FullAt = FULL;
        let now = 1_000_000;
        const passed: { at: number; amount: number }[] = [];
        for (const { after, amount } of list) {
          now += after;
          if (waitMs(bucket, rate, amount, now) > 0) continue;
          bucket = afterTaking(bucket, rate, amount, now);
          passed.push({ at: now, amount });
        }
        for (const [i, { at: from }] of passed.entries()) {
          let sum = 0;
          for (const { at, amount } of passed.slice(i)) {
            sum += amount;
            expect(sum).toBeLessThanOrEqual(rate.burst + ((at - from) * rate.perSecond) / 1000 + 0.01);
          }
        }
      }),
    );
  });

  it('refuses nothing that comes at its rate, and holds what it promised after the wait', () => {
    fc.assert(
      fc.property(rates, takes, (rate, list) => {
        let bucket: FullAt = FULL;
        let now = 50;
        for (const { amount } of list) {
          const wait = waitMs(bucket, rate, amount, now);
          now += wait;
          expect(waitMs(bucket, rate, amount, now)).toBe(0);
          bucket = afterTaking(bucket, rate, amount, now);
        }
        expect(isFull(bucket, now + (rate.burst * 1000) / rate.perSecond + 0.01)).toBe(true);
      }),
    );
  });

  it('never holds more than a burst', () => {
    expect(waitMs(FULL, { burst: 5, perSecond: 100 }, 6, 1_000_000)).toBe(Infinity);
  });
});
