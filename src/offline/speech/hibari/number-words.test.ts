import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberIn } from '@callwright/language';
import { cardinal, decimal, ordinal, year } from './number-words.ts';

const said = (words: readonly string[]): string => words.join(' ');

describe('numbers in words', () => {
  it('are those that the recogniser of numbers reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), (value) => {
        expect(numberIn(said(cardinal(value)))).toBe(value);
      }),
    );
  });

  it.each([
    [0, 'zero'],
    [1_000_001, 'one million one'],
    [2_000_000_000_000, 'two trillion'],
  ])('%i is %s', (value, words) => {
    expect(said(cardinal(value))).toBe(words);
  });

  it.each([
    [1, 'first'],
    [12, 'twelfth'],
    [20, 'twentieth'],
    [31, 'thirty first'],
    [101, 'one hundred first'],
  ])('ordinal %i is %s', (value, words) => {
    expect(said(ordinal(value))).toBe(words);
  });

  it.each([
    [1905, 'nineteen oh five'],
    [2005, 'two thousand five'],
    [2026, 'twenty twenty six'],
    [1900, 'nineteen hundred'],
  ])('year %i is %s', (value, words) => {
    expect(said(year(value))).toBe(words);
  });

  it('decimals leave zeros at the end out', () => {
    expect(said(decimal('3.140'))).toBe('three point one four');
    expect(said(decimal('10.00'))).toBe('ten');
  });
});
