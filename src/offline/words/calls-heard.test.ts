import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { callsHeard } from './calls-heard.ts';

it.each([
  [2, 0.21, 6],
  [4, 0.21, 12],
  [1, 0.9, 1],
  [64, 0.1, 416],
])('%d cores hear with a share of %d of a core %d calls', (cores, share, calls) => {
  expect(callsHeard(cores, share)).toBe(calls);
});

it('never promises more than the processors have, beyond the first call', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 256 }),
      fc.double({ min: 0.001, max: 5, noNaN: true }),
      (cores, share) => {
        const calls = callsHeard(cores, share);
        expect(calls).toBeGreaterThanOrEqual(1);
        expect(calls === 1 || calls * share <= cores).toBe(true);
      },
    ),
    { seed: 31 },
  );
});
