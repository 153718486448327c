import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intentOf, phrasesOf, understand } from '@callwright/language';
import type { Expected } from '@callwright/turns';
import { CONTROL_PHRASES, expectedGrammar, phraseWords, RULES } from './grammar.ts';
import { letterSounds, pronunciations } from './pronunciations.ts';

const KINDS = ['yes_no', 'number', 'digits', 'date', 'time', 'choice', 'name', 'free'] as const;
const alternatives = (jsgf: string): string[] =>
  (/<said> = (.*);/.exec(jsgf)?.[1] ?? '').split(' | ').filter((part) => part !== '');

describe('phraseWords', () => {
  it.each([
    ['Large Pizza!', ['large', 'pizza']],
    ["It's 10 o'clock", ["it's", 'ten', "o'clock"]],
    ['José & Zoë', ['jose', 'and', 'zoe']],
    ['नमस्ते', null],
    ['room 4512', null],
    ['', null],
    ['x | y ; <said> = (z)*', ['x', 'y', 'said', 'z']],
  ])('%j is %j', (phrase, words) => {
    expect(phraseWords(phrase)).toEqual(words);
  });
});

describe('CONTROL_PHRASES', () => {
  it('are all understood as an intent or as an answer', () => {
    const english = phrasesOf('en-US');
    const heard = (phrase: string): boolean =>
      intentOf(phrase, english) !== null ||
      understand({ text: phrase, by: 'speech' }, { answer: 'yes_no', choices: [] }, english) !== null;
    expect(CONTROL_PHRASES.filter((phrase) => !heard(phrase))).toEqual([]);
  });
});

describe('expectedGrammar', () => {
  it('always contains the control phrases, the phrases of the step and the vocabulary', () => {
    const grammar = expectedGrammar({ kinds: ['choice'], phrases: ['Red', 'blue'] }, ['Callwright']);
    const said = alternatives(grammar.jsgf);
    for (const phrase of [...CONTROL_PHRASES, 'red', 'blue', 'callwright']) expect(said).toContain(phrase);
    expect(grammar.words).toContain('callwright');
    expect(said).not.toContain('yes');
  });

  it.each(KINDS)('defines every rule and knows every word of %s', (kind) => {
    const { jsgf, words } = expectedGrammar({ kinds: [kind], phrases: [] }, []);
    const known = new Set(words);
    for (const [, rule] of jsgf.matchAll(/<(\w+)>/g)) expect(jsgf).toContain(`<${rule}> =`);
    const body = jsgf
      .split('\n')
      .slice(2)
      .join(' ')
      .replace(/<\w+>|\/[\d.]+\/|public/g, ' ');
    for (const word of body.match(/[a-z][a-z']*/g) ?? []) expect(known).toContain(word);
    expect(jsgf).not.toMatch(/[*+]/);
  });

  it('changes only with the expected answers', () => {
    const expected: Expected = { kinds: ['date'], phrases: [] };
    expect(expectedGrammar(expected, [])).toEqual(expectedGrammar({ ...expected }, []));
    expect(expectedGrammar(null, []).jsgf).not.toBe(expectedGrammar(expected, []).jsgf);
  });

  it('stays valid JSGF with hostile phrases or vocabulary', () => {
    const phrases = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 400 });
    fc.assert(
      fc.property(phrases, (list) => {
        const { jsgf } = expectedGrammar({ kinds: ['yes_no'], phrases: list }, list);
        expect(jsgf.match(/;/g)).toHaveLength(3);
        for (const part of alternatives(jsgf)) expect(part).toMatch(/^[a-z' ]+$/);
        expect(alternatives(jsgf).length).toBeLessThanOrEqual(301);
      }),
      { seed: 6 },
    );
  });

  it('has balanced rules', () => {
    for (const [name, body] of Object.entries(RULES)) {
      for (const [open, close] of ['()', '[]']) {
        expect(`${name} ${body.split(open!).length}`).toBe(`${name} ${body.split(close!).length}`);
      }
    }
  });
});

describe('pronunciations', () => {
  const of = pronunciations("a AH\na's EY Z\na(2) EY\nabe EY B\nyes Y EH S\nyes(2) Y AE S");

  it('finds all forms of a word and only its own', () => {
    expect(of('a')).toEqual(['AH', 'EY']);
    expect(of('yes')).toEqual(['Y EH S', 'Y AE S']);
    expect(of('abe')).toEqual(['EY B']);
  });

  it('derives missing words by letter rules', () => {
    expect(of('pizza')).toEqual(['P IH Z AE'.replace('AE', 'AH')]);
    expect(of('be')).toEqual(['B']);
  });

  it('uses only phones of the model', () => {
    const phones = new Set(
      'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z']{1,30}$/), (word) => {
        for (const phone of letterSounds(word).split(' ').filter(Boolean)) expect(phones).toContain(phone);
      }),
      { seed: 7, numRuns: 1000 },
    );
  });
});
