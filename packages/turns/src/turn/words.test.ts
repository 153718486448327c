import { describe, expect, it } from 'vitest';
import { beginsPhrase, consistsOf, textAfter, wordsOf } from './words.ts';

const list = ['hmm', 'okay', 'uh huh', 'जी हाँ', '嗯', '好的', 'အင်း', "that's right"];

describe('words', () => {
  it.each(['Hmmmm.', 'okay okay', 'Uh-huh!', 'OKAY, hmm', 'जी हाँ', '嗯嗯，好的', 'အင်းအင်း။', 'That’s right'])(
    '%j is made of the list',
    (text) => expect(consistsOf(text, list)).toBe(true),
  );

  it.each(['', '...', 'okay but', 'huh', 'जी', '嗯不', 'hmm wait'])('%j is not', (text) =>
    expect(consistsOf(text, list)).toBe(false),
  );

  it('begin a longer phrase of the list', () => {
    expect(['uh', 'okay uh', 'जी', "that's"].filter((text) => !beginsPhrase(text, list))).toEqual([]);
    const others = ['', 'okay', 'uh huh', 'uh no', 'no uh', 'that', 'hmm wait'];
    expect(others.filter((text) => beginsPhrase(text, list))).toEqual([]);
  });

  it('are lower case without punctuation, marks of vowels kept', () => {
    expect(wordsOf("Don't, नहीं! 42")).toEqual(['dont', 'नहीं', '42']);
  });

  it.each([
    ['My number is, nine eight.', 'my number is', 'nine eight.'],
    ['My number is', 'my number is', ''],
    ['My name is Sam', 'my number', 'name is Sam'],
    ['我要预订。明天', '我要预', '订。明天'],
    ['Book it', '', 'Book it'],
  ])('%j after %j is %j', (text, known, rest) => expect(textAfter(text, known)).toBe(rest));
});
