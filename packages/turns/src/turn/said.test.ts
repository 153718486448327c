import { conversationPhrases, dictatedSoFar, type Language } from '@callwright/language';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinText } from '../sentences.ts';
import { beginsPhrase, consistsOf, endsWith, hasWords } from './phrases.ts';
import { closureOf } from './policies/closure.ts';
import { Said, saidIn } from './said.ts';
import { normalised, wordsOf } from './words.ts';

const LANGUAGE: readonly Language[] = ['en-US', 'hi-IN', 'zh-CN', 'my-MM'];
const PIECES = [
  'yes',
  'okay',
  'uh huh',
  'Hmmmm',
  "that's right",
  'my number is',
  'nine eight',
  'ninety',
  'double seven',
  'plus 91',
  'K U M A R',
  'Kumar',
  '98',
  'and then',
  'one moment',
  'What time is it?',
  '...',
  '?!',
  ', and',
  'हम्म्म',
  'जी हाँ',
  'नौ आठ',
  '好的',
  '好的好的',
  '嗯嗯',
  '九八一二',
  '十一',
  '二十',
  '加',
  '然后',
  '你们几点开门？',
  'い',
  'အင်း',
  'တစ်နှစ်',
  'နှစ်။',
  'ΑΣ',
  "'",
  '’s',
  'é́',
  '𠮷',
  'a三',
  'ninety三',
];

/** Texts that grow by pieces, as lines are joined or as a recogniser writes on within a word. */
const growing = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.boolean()), { minLength: 1, maxLength: 24 })
  .map((pieces) => {
    const texts: string[] = [];
    let text = '';
    for (const [piece, isWithinWord] of pieces) {
      text = isWithinWord ? text + piece : joinText([text, piece]);
      texts.push(text);
    }
    return texts;
  });

type Settings = ReturnType<typeof conversationPhrases> & { readonly language: Language };

/** Everything that the turn machine asks about a text. */
function allOf(said: Said, settings: Settings): unknown {
  const { language, ...phrases } = settings;
  const { backchannels, shortAnswers, farewells, waits } = phrases;
  const lists = [backchannels, shortAnswers, farewells, waits];
  return {
    words: said.words,
    squeezed: said.squeezed,
    marks: said.marks,
    consists: [lists, [backchannels], [backchannels, farewells]].map((all) => consistsOf(said, ...all)),
    begins: [lists, [waits]].map((all) => beginsPhrase(said, ...all)),
    ends: lists.map((list) => endsWith(said, list, 3)),
    counts: [1, 2, 5].map((least) => hasWords(said, least)),
    dictated: dictatedSoFar(said.text, language, said.dictation).dictated,
    closure: closureOf(
      said,
      settings,
      { kinds: ['yes_no'], phrases: ['okay'] },
      'What is your phone number?',
    ),
  };
}

describe('a text that grows', () => {
  it.each(LANGUAGE)('is judged in %s as if it were analysed whole each time', (language) => {
    const settings = { ...conversationPhrases(language), language };
    fc.assert(
      fc.property(growing, (texts) => {
        let said: Said | null = null;
        for (const text of texts) {
          said = Said.of(text, said);
          expect(said.words).toEqual(wordsOf(text));
          expect(allOf(said, settings)).toEqual(allOf(Said.of(text), settings));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is read for digits as if it were read whole, also when it was read before some of its lines only', () => {
    fc.assert(
      fc.property(growing, fc.constantFrom(...LANGUAGE), fc.nat({ max: 3 }), (texts, language, skipped) => {
        let before: ReturnType<typeof dictatedSoFar> | null = null;
        for (const text of texts.filter((_, i) => i % (skipped + 1) === 0)) {
          before = dictatedSoFar(text, language, before);
          expect(before.dictated).toEqual(dictatedSoFar(text, language, null).dictated);
        }
      }),
      { numRuns: 1_000, examples: [[[', and', ', andい', ', andい98'], 'my-MM', 1]] },
    );
  });

  it('is analysed once in its conversation, and apart from other conversations', () => {
    const [one, other] = [{}, {}];
    const first = saidIn(one, 'I want a table');
    expect(saidIn(one, 'I want a table')).toBe(first);
    expect(saidIn(other, 'I want a table')).not.toBe(first);
    const grown = saidIn(one, 'I want a table for two');
    expect(grown.words.join(' ')).toBe(normalised('I want a table for two'));
    expect(saidIn(one, 'I want a table')).toBe(first);
  });
});
