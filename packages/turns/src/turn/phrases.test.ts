import { describe, expect, it } from 'vitest';
import { beginsPhrase, consistsOf, hasWords } from './phrases.ts';
import { Said } from './said.ts';

const list = ['hmm', 'okay', 'uh huh', 'जी हाँ', '嗯', '好的', 'အင်း', "that's right"];

describe('phrases', () => {
  it.each(['Hmmmm.', 'okay okay', 'Uh-huh!', 'OKAY, hmm', 'जी हाँ', '嗯嗯，好的', 'အင်းအင်း။', 'That’s right'])(
    '%j is made of the list',
    (text) => expect(consistsOf(Said.of(text), list)).toBe(true),
  );

  it.each(['', '...', 'okay but', 'huh', 'जी', '嗯不', 'hmm wait'])('%j is not', (text) =>
    expect(consistsOf(Said.of(text), list)).toBe(false),
  );

  it('begin a longer phrase of the list', () => {
    expect(['uh', 'okay uh', 'जी', "that's"].filter((text) => !beginsPhrase(Said.of(text), list))).toEqual(
      [],
    );
    const others = ['', 'okay', 'uh huh', 'uh no', 'no uh', 'that', 'hmm wait'];
    expect(others.filter((text) => beginsPhrase(Said.of(text), list))).toEqual([]);
  });

  it('of several lists count together', () => {
    expect(consistsOf(Said.of('okay bye hmm'), list, ['bye'])).toBe(true);
    expect(consistsOf(Said.of('okay bye hmm'), list)).toBe(false);
  });

  it.each([
    ['', 1, false],
    ['two words', 2, true],
    ['two words', 3, false],
    ['我要预订', 2, true],
    ['我要预订', 3, false],
    ['我要预', 2, true],
  ])('%j has at least %i words: %j', (text, least, is) => expect(hasWords(Said.of(text), least)).toBe(is));
});
