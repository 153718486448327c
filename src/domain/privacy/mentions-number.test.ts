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
    '\u0664\u0661\u0665\u0665\u0665\u0665\u0661\u0662\u0663\u0664',
    '\u096A\u0967\u096B \u096B\u096B\u096B \u0967\u0968\u0969\u096A',
    '415\u200B555\u00AD1234',
    '\u200E+1\u200E415\u200F555\u20601234',
    '4\uFE0F\u20E31\uFE0F\u20E35\uFE0F\u20E35551234',
    '41555_51234',
    "415\u00B7555:12*3'4",
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
  ])('does not match %s', (text) => {
    expect(mentions(text)).toBe(false);
  });

  it('finds a number of every country in national and international notation, and no other', () => {
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

  it('finds digits of every script, also mixed', () => {
    const points = Array.from({ length: 0x11_0000 }, (_, at) => at);
    const all = points.filter((at) => /\p{Nd}/u.test(String.fromCodePoint(at)));
    const scripts = Array.from({ length: all.length / 10 }, (_, at) => all.slice(at * 10, at * 10 + 10));
    expect(scripts.length).toBeGreaterThan(70);
    const inScripts = (number: string, chosen: readonly number[]): string =>
      Array.from(number, (digit, at) =>
        String.fromCodePoint(scripts[chosen[at % chosen.length]!]![Number(digit)]!),
      ).join('');
    const script = fc.nat(scripts.length - 1);
    for (const at of scripts.keys()) {
      expect([at, mentions(inScripts('4155551234', [at]))]).toEqual([at, true]);
      expect([at, mentions(inScripts('4155551235', [at]))]).toEqual([at, false]);
    }
    fc.assert(
      fc.property(fc.array(script, { minLength: 1, maxLength: 10 }), (chosen) => {
        expect(mentions(inScripts('4155551234', chosen))).toBe(true);
        expect(mentions(inScripts('4155551235', chosen))).toBe(false);
      }),
    );
  });

  it('finds it inside any text', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mentions(`${before} x+1 (415) 555-1234x ${after}`)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
