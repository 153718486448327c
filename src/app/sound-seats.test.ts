import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seatsFor } from './sound-seats.ts';

const count = fc.integer({ min: 0, max: 500 });
const loads = fc.record({
  calls: count,
  ears: fc.record({ used: count, limit: fc.option(count, { nil: null }) }),
});

describe('the seats of rehearsed calls', () => {
  it('and the calls of people together are never more than what fits', () => {
    fc.assert(
      fc.property(count, fc.boolean(), loads, (fit, needsEars, load) => {
        const seats = seatsFor({ fit, needsEars, load });
        expect(seats).toBeGreaterThanOrEqual(0);
        expect(seats === 0 || seats + load.calls <= fit).toBe(true);
        const { used, limit } = load.ears;
        expect(seats === 0 || !needsEars || seats + used <= (limit ?? Infinity)).toBe(true);
      }),
    );
  });

  it('are all of them on an idle machine', () => {
    const load = { calls: 0, ears: { used: 0, limit: null } };
    expect(seatsFor({ fit: 160, needsEars: false, load })).toBe(160);
    expect(seatsFor({ fit: 160, needsEars: true, load: { ...load, ears: { used: 3, limit: 10 } } })).toBe(7);
  });
});
