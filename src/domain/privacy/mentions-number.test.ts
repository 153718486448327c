import * as fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { numberMentions } from './mentions-number.ts';

describe('numberMentions', () => {
  const mentions = numberMentions(['+14155551234', '+79161234567']);

  it.each([
    '+14155551234',
    '14155551234',
    '(415) 555-1234',
    '415.555.1234',
    '0014155551234',
    '011 1 415 555 1234',
    "'+1 415 555 1234",
    '4.155551234E+9',
    '14155551234.0',
    'call her at 415-555-1234, please',
    '４１５５５５１２３４',
    '415 555 1234 / 415 555 9999',
    '8 (916) 123-45-67',
    '"Ann","415\u2011555\u20111234"',
  ])('finds %s', (text) => {
    expect(mentions(text)).toBe(true);
  });

  it.each([
    '',
    '+14155551235',
    '5551234',
    '415 555',
    '415,555,1234',
    '415\n5551234',
    'row 41555',
    '1.4155E+10',
  ])('does not take %s for it', (text) => {
    expect(mentions(text)).toBe(false);
  });

  it('finds a number of every country as it is written there and abroad, and no other one', () => {
    for (const country of getCountries()) {
      const number = getExampleNumber(country, examples);
      if (number === undefined) continue;
      const own = numberMentions([number.number]);
      const forms = [
        number.number,
        number.formatInternational(),
        number.format('IDD', { fromCountry: 'DE' }),
      ];
      if (number.nationalNumber.length >= 7) forms.push(number.formatNational(), number.nationalNumber);
      for (const form of forms) expect([country, form, own(form ?? '')]).toEqual([country, form, true]);
      const last = number.number.at(-1) === '1' ? '2' : '1';
      expect([country, own(number.number.slice(0, -1) + last)]).toEqual([country, false]);
    }
  });

  it('finds it in the middle of any text', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mentions(`${before} x+1 (415) 555-1234x ${after}`)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
