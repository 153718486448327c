import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guarded, guardedToReturn, unguarded } from './formula-guard.ts';

describe('the formula guard', () => {
  it.each([
    ['plain', 'plain'],
    ['+14155550123', '+14155550123'],
    ['+1 (415) 555-0123', "'+1 (415) 555-0123"],
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ["'+14155550123", "''+14155550123"],
    ["O'Neill", "O'Neill"],
    ["'s Gravenhage", "'s Gravenhage"],
    ["x;'=1", "x;''=1"],
  ])('%j that is to return is written %j', (value, written) => {
    expect(guardedToReturn(value)).toBe(written);
    expect(unguarded(written)).toBe(value);
  });

  it('is reversible for every text and guards at least as much as the irreversible guard', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[=+\-@ \t"',;\r\n\uFF1Dx]{0,12}$/),
      fc.stringMatching(/^'{0,2}\+[1-9]\d{6,14}$/),
    );
    fc.assert(
      fc.property(text, (value) => {
        const written = guardedToReturn(value);
        expect(unguarded(written)).toBe(value);
        expect(written).toBe(guarded(written));
      }),
      { numRuns: 5000 },
    );
  });

  it('takes linear time for long runs of blanks, quotes and delimiters', () => {
    for (const unit of ['\n', ' ', '"', ';', "'", '\n '.repeat(2)]) {
      const value = `x${unit.repeat(250_000)}x`;
      expect(unguarded(guardedToReturn(value))).toBe(value);
      expect(guarded(value)).toBe(value);
    }
  });
});
