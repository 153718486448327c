import * as fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { dialableNumber, isPremium } from './dialable-number.ts';
import { isUsualNumber, mayBeRefusedKind } from './usual-number.ts';

const fully = (e164: string): unknown => {
  try {
    return dialableNumber('n', e164, { allowPremium: false });
  } catch (error) {
    return (error as Error).message;
  }
};
const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
const nearExamples: string[] = getCountries().flatMap((country) => {
  const number = getExampleNumber(country, examples);
  return number === undefined ? [] : [number.number];
});

describe('the fast path for numbers of no refused kind', () => {
  it('never clears a number that the full check refuses as premium', () => {
    let cleared = 0;
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), (digits) => {
        const parsed = parsePhoneNumberFromString(`+${digits}`);
        if (mayBeRefusedKind(`+${digits}`)) return;
        cleared += 1;
        expect(parsed !== undefined && isPremium(parsed)).toBe(false);
      }),
      { numRuns: 20_000 },
    );
    expect(cleared).toBeGreaterThan(5000);
  });

  it.each([
    '+19005550123',
    '+881612345678',
    '+448712345678',
    '+491371234567',
    '+33899123456',
    '+611900123456',
  ])('leaves %s to the full check', (number) => {
    expect(mayBeRefusedKind(number)).toBe(true);
  });
});

describe('the fast path for ordinary numbers', () => {
  it('accepts only numbers that the full check accepts unchanged', () => {
    const random = fc
      .tuple(fc.constantFrom(...codes), fc.stringMatching(/^\d{3,13}$/))
      .map(([code, national]) => `+${code}${national}`.slice(0, 16));
    const near = fc
      .tuple(fc.constantFrom(...nearExamples), fc.nat(11), fc.stringMatching(/^\d{1,8}$/))
      .map(([number, keep, tail]) => number.slice(0, 3 + keep) + tail)
      .map((number) => number.slice(0, 16));
    // Same length as the examples, so that nearly every number has a possible length.
    const alike = fc
      .tuple(fc.constantFrom(...nearExamples), fc.nat(8), fc.stringMatching(/^\d{12}$/))
      .map(([number, keep, tail]) => (number.slice(0, 3 + keep) + tail).slice(0, number.length));
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(random, near, alike), (text) => {
        if (!/^\+[1-9]\d{6,14}$/.test(text) || !isUsualNumber(text)) return;
        taken += 1;
        expect([text, fully(text)]).toEqual([text, { e164: text, inNumberingPlan: true }]);
      }),
      { numRuns: 60_000 },
    );
    expect(taken).toBeGreaterThan(5000);
  });

  it('accepts most example mobile numbers', () => {
    const usual = nearExamples.filter((number) => isUsualNumber(number));
    expect(usual.length / nearExamples.length).toBeGreaterThan(0.5);
    for (const number of [
      '+919876543210',
      '+14155550123',
      '+447400123456',
      '+4915123456789',
      '+33612345678',
    ]) {
      expect([number, isUsualNumber(number)]).toEqual([number, true]);
    }
  });

  it('leaves premium, satellite and unknown numbers to the full check', () => {
    for (const number of ['+19005550123', '+449098790000', '+881612345678', '+9999999999', '+1415555012']) {
      expect([number, isUsualNumber(number)]).toEqual([number, false]);
    }
  });
});
