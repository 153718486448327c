import * as fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { dialableNumber } from '../../numbers/dialable-number.ts';
import { isUsualNumber } from './usual-number.ts';

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

describe('the quick check of ordinary numbers', () => {
  it('takes only what the full check takes as it is', () => {
    const random = fc
      .tuple(fc.constantFrom(...codes), fc.stringMatching(/^\d{3,13}$/))
      .map(([code, national]) => `+${code}${national}`.slice(0, 16));
    const near = fc
      .tuple(fc.constantFrom(...nearExamples), fc.nat(11), fc.stringMatching(/^\d{1,8}$/))
      .map(([number, keep, tail]) => number.slice(0, 3 + keep) + tail)
      .map((number) => number.slice(0, 16));
    // As long as the examples are: nearly always the length is possible.
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

  it('takes most example mobile numbers, so that it is worth having', () => {
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
