import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordPieces } from './word-pieces.ts';

const VOCABULARY = ['[UNK]', '[CLS]', '[SEP]', 'park', '##ing', '##s', 'where', 'cafe', '?', "'", '中'];
const pieces = new WordPieces(Object.fromEntries(VOCABULARY.map((piece, id) => [piece, id])));
const read = (text: string): string[] => pieces.idsOf(text).map((id) => VOCABULARY[id] ?? 'none');

describe('word pieces', () => {
  it.each([
    ['Where parking?', ['where', 'park', '##ing', '?']],
    ['  PARKS  ', ['park', '##s']],
    ['Café', ['cafe']],
    ["where's", ['where', "'", '[UNK]']],
    ['中中', ['中', '中']],
    ['parkxs', ['[UNK]']],
    ['', []],
  ])('of %j are the longest of the vocabulary', (text, found) => {
    expect(read(text)).toEqual(['[CLS]', ...found, '[SEP]']);
  });

  it('are at most 128, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('park '.repeat(500))),
        (text) => {
          const found = read(text);
          expect(found.length).toBeLessThanOrEqual(128);
          expect([found[0], found.at(-1), found.includes('none')]).toEqual(['[CLS]', '[SEP]', false]);
        },
      ),
      { numRuns: 200, seed: 31 },
    );
  });

  it('need the marks of BERT', () => {
    expect(() => new WordPieces({ park: 0 })).toThrow('the vocabulary is not of BERT');
  });
});
