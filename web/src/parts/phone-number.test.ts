import { expect, it } from 'vitest';
import { callingCode, countryOf, internationalNumber } from './phone-number.ts';

it.each([
  ['(415) 555-0123', 'US', '+14155550123'],
  ['415 555 0123', 'US', '+14155550123'],
  ['+44 20 7946 0018', 'US', '+442079460018'],
  ['030 901820', 'DE', '+4930901820'],
  ['+1 (415) 555-0123', '', '+14155550123'],
  ['(415) 555-0123', '', null],
  ['12', 'US', null],
  ['call me', 'US', null],
] as const)('reads %s of country "%s" as %s', (typed, country, number) => {
  expect(internationalNumber(typed, country)).toBe(number);
});

it('takes the country from the language of the browser', () => {
  expect([countryOf('en-US'), countryOf('de'), countryOf('hi-IN')]).toEqual(['US', 'DE', 'IN']);
});

it('knows the calling code of a country', () => {
  expect([callingCode('US'), callingCode('IN'), callingCode(null), callingCode('XX')]).toEqual([
    '+1',
    '+91',
    '',
    '',
  ]);
});
