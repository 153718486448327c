import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsThatFit } from './machine-capacity.ts';

describe('the calls that fit on a machine', () => {
  it('are few where a recogniser writes every word, and many where a vendor does', () => {
    const shares = { media: 0.01, words: 0.21, phrases: 0.05, voice: 0.008 };
    expect(callsThatFit(2, shares)).toEqual({ vendors: 114, words: 6, phrases: 41 });
  });

  it('name no engine that is not there', () => {
    expect(callsThatFit(2, { media: 0.01, words: null, phrases: null, voice: null })).toEqual({
      vendors: 160,
      words: null,
      phrases: null,
    });
  });

  it('never become more by an engine that takes more', () => {
    const share = fc.double({ min: 0.001, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 128 }), share, share, share, (cores, media, words, more) => {
        const costs = { media, words, phrases: words, voice: 0 };
        const less = callsThatFit(cores, costs);
        const greater = callsThatFit(cores, { ...costs, words: words + more, phrases: words + more });
        expect(greater.words).toBeLessThanOrEqual(less.words ?? 0);
        expect(greater.phrases).toBeLessThanOrEqual(less.phrases ?? 0);
        expect(less.words).toBeLessThanOrEqual(less.vendors);
      }),
      { seed: 33 },
    );
  });
});
