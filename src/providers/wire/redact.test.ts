import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

const KEY = 'sk-0123456789abcdefghij';

describe('what a vendor quotes', () => {
  it.each([
    [`bad key ${KEY}!`, 'bad key ***!'],
    [`${KEY}${KEY}`, '******'],
    ['cut at its end: sk-0123456789', 'cut at its end: ***'],
    ['cut at its start: 89abcdefghij', 'cut at its start: ***'],
    ['nothing of it', 'nothing of it'],
    ['sk-012345', 'sk-012345'],
    ['', ''],
  ])('%s', (text, shown) => expect(redact(text, [KEY, null])).toBe(shown));

  it('loses short keys as a whole', () => {
    expect(redact('is secret1 wrong?', ['secret1'])).toBe('is *** wrong?');
    expect(redact('text', [''])).toBe('text');
  });

  it('never holds ten characters of a key in a row, wherever it is quoted or cut', () => {
    const keys = fc.string({ minLength: 11, maxLength: 40 }).filter((key) => !key.includes('*'));
    const cut = fc.nat(40);
    fc.assert(
      fc.property(fc.string(), keys, fc.string(), cut, cut, (before, key, after, from, to) => {
        const shown = redact(before + key.slice(from, to) + after, [key]);
        for (let i = 0; i + 10 <= key.length; i++) expect(shown).not.toContain(key.slice(i, i + 10));
      }),
    );
  });
});
