import { describe, expect, it } from 'vitest';
import { filteredNumber, toE164 } from './phone-text.ts';

describe('toE164', () => {
  it.each([
    ['+14155550123', '+14155550123'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+1 (415) 555-0123', '+14155550123'],
    ['0044 20 7946 0958', '+442079460958'],
    [' +49 30/901820 ', '+4930901820'],
    ['(415) 555-0123', null],
    ['020 7946 0958', null],
    ['0012', null],
    ['+44 (0)20 7946 0958', null],
    ['+1 415 555 0123 ext 5', null],
    ['Priya', null],
  ])('reads %j as %s', (text, e164) => {
    expect(toE164(text)).toBe(e164);
  });
});

describe('a number in a filter', () => {
  it.each([
    [' 14155550123', '+14155550123'],
    ['14155550123', '+14155550123'],
    ['+1 415 555 0123', '+14155550123'],
    ['Priya', 'Priya'],
  ])('%j is %s', (text, meant) => {
    expect(filteredNumber(text)).toBe(meant);
  });
});
