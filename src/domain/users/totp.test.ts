import { describe, expect, it } from 'vitest';
import { matchingStep, toBase32, totpCode } from './totp.ts';

/** The secret of the test vectors in RFC 6238, appendix B. */
const SECRET = toBase32(Buffer.from('12345678901234567890'));

describe('time-based codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('match RFC 6238 at %i s', (seconds, code) => {
    expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
    expect(matchingStep(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('are accepted one step early and late, and no further', () => {
    const at = (step: number): number | null => matchingStep(SECRET, totpCode(SECRET, step), 3_000_000);
    expect([98, 99, 100, 101, 102].map(at)).toEqual([null, 99, 100, 101, null]);
    expect(matchingStep(SECRET, '', 0)).toBeNull();
    expect(matchingStep(SECRET, '28708２', 59_000)).toBeNull();
  });

  it('encodes secrets of any length in base 32 (RFC 4648)', () => {
    expect(
      ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text))),
    ).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
  });
});
