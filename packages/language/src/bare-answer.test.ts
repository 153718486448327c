import { describe, expect, it } from 'vitest';
import { bareAnswer, takesBack } from './bare-answer.ts';
import { LANGUAGES } from './languages.ts';
import { phrasesOf } from './phrases.ts';

const ENGLISH = phrasesOf('en-US');

describe('a line that is a yes or no and nothing else', () => {
  it.each([
    ['Yeah.', 'yes'],
    ['That is right.', 'yes'],
    ["Yes, that's quite right.", 'yes'],
    ['Yes, exactly, that is correct.', 'yes'],
    ['No.', 'no'],
    ['No, that is wrong.', 'no'],
    ["That isn't right.", 'no'],
  ] as const)('%s', (text, answer) => {
    expect(bareAnswer(text, ENGLISH)).toBe(answer);
  });

  it.each([
    'Tuesday.',
    'Yes, on Tuesday.',
    'Right, and I need a taxi.',
    'No, Wednesday.',
    'Not Tuesday.',
    'November.',
    'That is my name.',
    '',
  ])('says more, or neither: %j', (text) => {
    expect(bareAnswer(text, ENGLISH)).toBeNull();
  });

  it.each(LANGUAGES)('in every way of saying it, and twice, in %s', (language) => {
    const table = phrasesOf(language);
    for (const answer of ['yes', 'no'] as const)
      for (const word of table[answer]) {
        const lines = [`${word}.`, `${word}, ${word}`, `${word} 17`];
        expect([word, ...lines.map((line) => bareAnswer(line, table))]).toEqual([word, answer, answer, null]);
      }
  });

  it.each([
    ['hi-IN', 'जी हाँ, बिल्कुल सही है।'],
    ['ms-MY', 'Ya, betul.'],
    ['zh-CN', '是的，没问题。'],
    ['ar-AE', 'نعم، صحيح.'],
    ['ta-IN', 'ஆமா, சரி.'],
    ['bn-IN', 'হ্যাঁ, ঠিক আছে।'],
    ['my-MM', 'ဟုတ်ကဲ့၊ ဟုတ်တယ်။'],
  ] as const)('in %s: %s', (language, text) => {
    expect(bareAnswer(text, phrasesOf(language))).toBe('yes');
  });
});

describe('a line that takes an answer back', () => {
  it.each([
    ['en-US', 'No, that is wrong.'],
    ['en-US', 'No, that is wrong, it is five.'],
    ['en-GB', 'That is incorrect.'],
    ['hi-IN', 'नहीं, गलत है।'],
    ['ms-MY', 'Tidak, salah.'],
    ['zh-CN', '不对。'],
    ['ar-AE', 'لا، خطأ.'],
    ['ta-IN', 'இல்லை, தவறு.'],
    ['te-IN', 'కాదు, తప్పు.'],
    ['my-MM', 'မဟုတ်ဘူး၊ မှား ပါ။'],
  ] as const)('in %s: %s', (language, text) => {
    expect(takesBack(text, phrasesOf(language))).toBe(true);
  });

  it.each(['No.', 'No, on Tuesday.', 'Nothing is wrong with Tuesday.', 'The wrong colour came.', 'Yes.'])(
    'unlike %j',
    (text) => {
      expect(takesBack(text, ENGLISH)).toBe(false);
    },
  );
});
