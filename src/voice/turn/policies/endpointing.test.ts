import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import type { Expected } from '../../ports.ts';
import { conversationPhrases } from '../../../language/phrases.ts';
import { closureOf } from './endpointing.ts';

const closure = (text: string, language: Language = 'en-US', expected: Expected | null = null) =>
  closureOf(text, { ...conversationPhrases(language), language }, expected);

describe('words of the caller', () => {
  it.each([
    'I want to book a table.',
    'When?',
    'yes',
    'No thank you',
    'okay',
    'Goodbye.',
    'my number is 9876543210.',
  ])('%j are complete', (text) => expect(closure(text)).toBe('complete'));

  it.each([
    'I want to book a table and',
    'it is',
    'um',
    'I was thinking,',
    'well...',
    'my number is nine eight seven',
    'nine eight',
    '987',
    'it is spelled k u m',
    'so',
  ])('%j are open', (text) => expect(closure(text)).toBe('open'));

  it.each(['I want to book a table', 'tomorrow morning', '9876543210', 'flat two'])(
    '%j are neither',
    (text) => expect(closure(text)).toBe('default'),
  );

  it.each([
    ['hi-IN', 'मुझे कल आना है और', 'open'],
    ['hi-IN', 'मुझे कल आना है।', 'complete'],
    ['hi-IN', 'जी हाँ', 'complete'],
    ['hi-IN', 'मेरा नंबर नौ आठ', 'open'],
    ['hi-IN', 'मेरा नंबर ९८७', 'open'],
    ['hi-IN', 'haan par', 'open'],
    ['zh-CN', '我想订位然后', 'open'],
    ['zh-CN', '我想订位。', 'complete'],
    ['ta-IN', 'நாளைக்கு வரணும் ஆனால்', 'open'],
    ['ar-AE', 'أريد موعدا لكن', 'open'],
    ['ar-AE', 'متى؟', 'complete'],
  ] as const)('in %s %j are judged', (language, text, wanted) => {
    expect(closure(text, language)).toBe(wanted);
  });

  it('that match the expected answer are complete', () => {
    const expected: Expected = { kinds: ['choice'], phrases: ['the red one'] };
    expect(closure('the red one', 'en-US', { ...expected, kinds: ['free'] })).toBe('complete');
    expect(closure('next tuesday', 'en-US', { kinds: ['date'], phrases: [] })).toBe('complete');
    expect(closure('next tuesday or', 'en-US', { kinds: ['date'], phrases: [] })).toBe('open');
    expect(closure('nine', 'en-US', { kinds: ['number'], phrases: [] })).toBe('complete');
    expect(closure('nine', 'en-US', { kinds: ['digits'], phrases: [] })).toBe('open');
    expect(closure('it would be on tuesday I guess', 'en-US', { kinds: ['date'], phrases: [] })).toBe(
      'default',
    );
  });

  it.each(LANGUAGES)('of a yes or no in %s are complete', (language) => {
    for (const answer of conversationPhrases(language).shortAnswers)
      expect(closure(answer, language)).toBe('complete');
  });
});
