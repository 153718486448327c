import { describe, expect, it } from 'vitest';
import { textAfter, wordsOf } from './words.ts';

describe('words', () => {
  it('are lower case without punctuation, marks of vowels kept', () => {
    expect(wordsOf("Don't, नहीं! 42")).toEqual(['dont', 'नहीं', '42']);
  });

  it.each([
    ['My number is, nine eight.', 'my number is', 'nine eight.'],
    ['My number is', 'my number is', ''],
    ['My name is Sam', 'my number', 'name is Sam'],
    ['我要预订。明天', '我要预', '订。明天'],
    ['Book it', '', 'Book it'],
    ['the cats of', 'the cat', 'cats of'],
    ['it is, Sam. Yes', 'it is, Sam.', 'Yes'],
    ["it is 'tis", "it is '", 'tis'],
  ])('%j after %j is %j', (text, known, rest) => expect(textAfter(text, known)).toBe(rest));
});
