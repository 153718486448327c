import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { writtenNumber } from './number-format.ts';

const INDIA = { format: 'national', callingCode: '91' } as const;

describe('the number as a carrier writes it', () => {
  it.each([
    ['+919812345678', { format: 'e164', callingCode: null }, '+919812345678'],
    ['+919812345678', { format: 'digits', callingCode: null }, '919812345678'],
    ['+919812345678', INDIA, '09812345678'],
    ['+14155550100', INDIA, '0014155550100'],
    ['+14155550100', { format: 'national', callingCode: '1' }, '4155550100'],
    ['+919812345678', { format: 'national', callingCode: '1' }, '011919812345678'],
    ['+390612345678', { format: 'national', callingCode: '39' }, '0612345678'],
    ['+919812345678', { format: 'digits', callingCode: null, prefix: '7788#' }, '7788#919812345678'],
    ['+919812345678', { ...INDIA, prefix: '9' }, '909812345678'],
  ] as const)('%s with %o is %s', (number, rule, written) => {
    expect(writtenNumber(number, rule)).toBe(written);
  });

  it.each(['sip:desk@pbx.example', '1001', 'anonymous', '', '+', '+0123456'])(
    'leaves %j unchanged',
    (text) => {
      expect(writtenNumber(text, { ...INDIA, prefix: '9' })).toBe(text);
    },
  );

  it.each(getCountries())('in national form is read as the same number in %s', (country) => {
    const number = getExampleNumber(country, examples);
    const callingCode = number?.countryCallingCode ?? '';
    const written = writtenNumber(number?.number ?? '', { format: 'national', callingCode });
    expect(written).toMatch(/^\d+$/);
    const read = parsePhoneNumberFromString(written, { defaultCallingCode: callingCode });
    expect(read?.number).toBe(number?.number);
  });
});
