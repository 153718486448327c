import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lexicon, type Pronunciation } from './lexicon.ts';
import { pronounce, type Speller } from './pronounce.ts';
import { taggerOf } from './tagger.ts';
import { piecesOf } from './voice.ts';

/** A few entries in the form of the voice's dictionaries. */
const GOLD: Readonly<Record<string, Pronunciation>> = {
  ...Object.fromEntries('ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('').map((letter) => [letter, 'ˌi'])),
  hello: 'həlˈO',
  read: { DEFAULT: 'ɹˈid', VBD: 'ɹˈɛd' },
  that: { DEFAULT: 'ðæt', None: 'ðˈæt' },
  visit: 'vˈɪzɪt',
  call: 'kˈɔl',
  apple: 'ˈæpᵊl',
  twenty: 'twˈɛnti',
  three: 'θɹˈi',
  third: 'θˈɜɹd',
  one: 'wˈʌn',
  oh: 'ˈO',
  nineteen: 'nIntˈin',
  five: 'fˈIv',
  book: 'bˈʊk',
  store: 'stˈɔɹ',
};
const speller: Speller = {
  lexicon: new Lexicon(new Map(Object.entries(GOLD)), new Map([['obiter', 'ˈObɪɾəɹ']])),
  tagger: taggerOf({
    tags: ['NN', 'VBD', 'DT', '.', ',', 'CD', 'HYPH'],
    tagdict: { read: 'VBD', the: 'DT', a: 'DT', '.': '.', ',': ',', '-': 'HYPH', '3': 'CD', '23': 'CD' },
    vocab: [],
    weights: {},
  }),
  exceptions: new Map(),
};
const said = (text: string): string => pronounce(text, speller, (word) => `<${word}>`);

describe('the phonemes of a sentence', () => {
  it.each([
    ['Hello.', 'həlˈO.'],
    ['read that', 'ɹˈɛd ðˈæt'],
    ['the apple, the call', 'ði ˈæpᵊl, ðə kˈɔl'],
    ['visits visited calling called', 'vˈɪzɪts vˈɪzɪTᵻd kˈɔlɪŋ kˈɔld'],
    ['to apple', 'tʊ ˈæpᵊl'],
    ['23 calls, 3rd', 'twˈɛnti θɹˈi kˈɔlz, θˈɜɹd'],
    ['1905', 'nIntˈin ˈO fˈIv'],
    ['obiter', 'ˈObɪTəɹ'],
    ['book-store', 'bˌʊkstˈɔɹ'],
    ['a call, plan A, or B', 'ɐ kˈɔl, <plan> ˈA, <or> ˈi'],
    ['A B, call', 'ˈA ˈi, kˈɔl'],
    ['Zorblax called', '<Zorblax> kˈɔld'],
  ])('%j are %j', (text, phonemes) => {
    expect(said(text)).toBe(phonemes);
  });

  it('are there for any text, without an end of the process', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), (text) => {
        expect(typeof said(text)).toBe('string');
      }),
    );
  });
});

describe('the inputs of the net', () => {
  it('hold every phoneme once, in at most 200', () => {
    const clause = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ', '), maxLength: 1500 });
    fc.assert(
      fc.property(clause, (phonemes) => {
        const pieces = piecesOf(phonemes.trim());
        expect(pieces.every((piece) => piece.length <= 200)).toBe(true);
        // A single word that is longer is cut.
        const kept = phonemes.replaceAll(/([^ ]{200})[^ ]+/g, '$1');
        expect(pieces.join(' ').replaceAll(' ', '')).toBe(kept.replaceAll(' ', ''));
      }),
    );
  });
});
