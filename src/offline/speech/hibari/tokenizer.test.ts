import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from './tokenizer.ts';

const EXCEPTIONS = new Map<string, readonly string[]>([
  ["don't", ['do', "n't"]],
  ['Mr.', ['Mr.']],
  ['Sept.', ['Sept.']],
  ['p.m.', ['p.m.']],
]);
const texts = (text: string): string[] => tokenize(text, EXCEPTIONS).map((piece) => piece.text);

describe('the words of a sentence', () => {
  it.each([
    ['Hello, Anna!', ['Hello', ',', 'Anna', '!']],
    ["I don't know (yet).", ['I', 'do', "n't", 'know', '(', 'yet', ')', '.']],
    ['Mr. Lee’s car', ['Mr.', 'Lee', '’s', 'car']],
    ['in Sept., at 5 p.m.', ['in', 'Sept.', ',', 'at', '5', 'p.m.']],
    ['well-known and/or', ['well', '-', 'known', 'and', '/', 'or']],
    ['wait... 20% off', ['wait', '...', '20', '%', 'off']],
    ['mail a@b.com or www.b.org', ['mail', 'a@b.com', 'or', 'www.b.org']],
  ])('%j are %j', (text, words) => {
    expect(texts(text)).toEqual(words);
  });

  it('leave no character out', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        expect(
          tokenize(text, new Map())
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text.replaceAll(/\s/gu, ''));
      }),
    );
  });
});
