import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { callerNumber, isCallerOneOf } from './caller-number.ts';

const US = '+14155550100';
const DE = '+4930123456';
const GB = '+442079460100';

describe('callerNumber', () => {
  it.each([
    ['+14155557777', US, '+14155557777'],
    ['+1 (415) 555-7777', DE, '+14155557777'],
    ['14155557777', US, '+14155557777'],
    ['4155557777', US, '+14155557777'],
    ['0014155557777', DE, '+14155557777'],
    ['0014155557777', US, '+14155557777'],
    ['0114915112345678', US, '+4915112345678'],
    ['14155557777', DE, '+14155557777'],
    ['4915112345678', DE, '+4915112345678'],
    ['04915112345678', DE, '+4915112345678'],
    ['015112345678', DE, '+4915112345678'],
    ['0491512345', DE, '+49491512345'],
    ['447911123456', GB, '+447911123456'],
    ['07911123456', GB, '+447911123456'],
    ['01144960123', GB, '+441144960123'],
  ])('parses %s, called on %s, as %s', (from, called, e164) => {
    expect(callerNumber(from, called)).toBe(e164);
  });

  it.each(['anonymous', '', 'Restricted', '100', '+100', '+4155557777', 'alice', '04915112345678', '+'])(
    'leaves %s unchanged',
    (from) => {
      expect(callerNumber(from, US)).toBe(from);
    },
  );

  it('truncates text that is not a number', () => {
    expect(callerNumber('x'.repeat(100), US)).toBe('x'.repeat(64));
  });

  it('parses a mobile number of every country in national and international notation', () => {
    for (const country of getCountries()) {
      const number = getExampleNumber(country, examples);
      if (number?.isValid() !== true) continue;
      const national = (number.formatNational() ?? '').replaceAll(/\D/g, '');
      const forms = [number.number, `00${number.number.slice(1)}`, number.number.slice(1), national];
      for (const form of forms) {
        expect([country, form, callerNumber(form, number.number)]).toEqual([country, form, number.number]);
      }
    }
  });
});

describe('isCallerOneOf', () => {
  it.each([
    ['+14155557777', US],
    ['0014155557777', US],
    ['4155557777', US],
    ['+4155557777', US],
    ['1-415-555-7777', DE],
    ['00014155557777', DE],
  ])('matches %s', (from, called) => {
    expect(isCallerOneOf(from, called, ['+4915112345678', '+14155557777'])).toBe(true);
  });

  it.each(['+15105557777', '5105557777', 'anonymous', '', '5557777', '+1**********'])(
    'does not match %s',
    (from) => {
      expect(isCallerOneOf(from, US, ['+14155557777'])).toBe(false);
    },
  );
});
