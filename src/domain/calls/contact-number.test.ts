import { describe, expect, it } from 'vitest';
import { readContactNumber, sharedCallingCode, type NumberRead } from './contact-number.ts';

const read = (value: string, callingCode: string | null): NumberRead =>
  readContactNumber(value, { callingCode, allowPremium: false, allowUnassigned: false });

describe('a number outside the list’s country', () => {
  it.each([
    ['919876543210', '1', '+919876543210'],
    ['01191 98765 43210', '1', '+919876543210'],
    ['011 44 20 7946 0958', '1', '+442079460958'],
    ['442079460958', '91', '+442079460958'],
    // Ambiguous: no suggestion.
    ['12345', '91', null],
    ['112', '91', null],
    ['00 12', '91', null],
    ['011 12', '1', null],
  ])('%s with +%s may have been meant as %s', (value, code, suggestion) => {
    expect(read(value, code)).toMatchObject({ ok: false, suggestion });
  });

  it('is accepted after the prefix 00', () => {
    expect(read('0091 98765 43210', '1')).toEqual({ ok: true, e164: '+919876543210' });
  });
});

describe('a number without a country code, in a list without one', () => {
  it.each([
    // Of the country of the workspace's own numbers.
    ['98765 43210', '91', '+919876543210'],
    ['098765 43210', '91', '+919876543210'],
    // Only its plus is missing.
    ['919876543210', '91', '+919876543210'],
    ['919876543210', null, '+919876543210'],
    // A number of Singapore without its plus, or one of Florida.
    ['6562345678', '1', null],
    ['98765 43210', null, null],
  ])('%s of a workspace with +%s may have been meant as %s', (value, ownCallingCode, suggestion) => {
    const rules = { callingCode: null, ownCallingCode, allowPremium: false, allowUnassigned: false };
    expect(readContactNumber(value, rules)).toMatchObject({ ok: false, suggestion });
  });

  it('is only suggested from a calling code that all numbers of the workspace share', () => {
    expect(sharedCallingCode(['+919876543210', '+912212345678'])).toBe('91');
    expect(sharedCallingCode(['+919876543210', '+14155550123'])).toBeNull();
    expect(sharedCallingCode([])).toBeNull();
  });
});

describe('a number in national form', () => {
  it.each([
    ['0870 123 4567', '44'],
    // With a plus it would be an ordinary number of another country.
    ['1860 123 4567', '91'],
    ['1-900-555-0123', '1'],
  ])('is refused where it costs the caller extra: %s with +%s', (value, code) => {
    expect(read(value, code)).toEqual({
      ok: false,
      reason: expect.stringContaining('premium'),
      suggestion: null,
    });
  });

  it.each([
    ['06 1234567', '39', '+39061234567'],
    ['011 15 2345 6789', '54', '+5491123456789'],
    ['8 (495) 123-45-67', '7', '+74951234567'],
  ])('%s with +%s is %s', (value, code, e164) => {
    expect(read(value, code)).toEqual({ ok: true, e164 });
  });
});
