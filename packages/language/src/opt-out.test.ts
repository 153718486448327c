import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from './languages.ts';
import { optOutKey, optOutSense, type OptOutSense } from './opt-out.ts';
import { phrasesOf } from './phrases.ts';

const senseOf = (over: Partial<Parameters<typeof optOutSense>[0]> = {}): OptOutSense =>
  optOutSense({
    prompt: '',
    introMessage: 'Hello, this is Maya. Press 9 to stop these calls.',
    language: 'en-US',
    secondaryLanguage: null,
    tools: [],
    ...over,
  });

describe('optOutKey', () => {
  it.each([
    ['Hello, this is Maya. Press 9 to stop these calls.', '9'],
    ['To opt out, press star.', '*'],
    ['If you want no more calls, press the key "three" at any time.', '3'],
    ['If the caller presses 8, they opt out.', '8'],
    ['Press 1 to confirm. Press 2 to be removed from our list.', '2'],
    ['Press 1 to confirm.', null],
    ['Press 1 to confirm. We will stop calling you after that.', null],
    ['Press 90 to stop these calls.', null],
  ])('%s', (text, key) => {
    expect(optOutKey(['', text])).toBe(key);
  });
});

describe('spoken opt-outs', () => {
  it.each(LANGUAGES)('are recognised in %s and in English', (language: Language) => {
    const { intents, locale } = phrasesOf(language);
    const own = intents.stop_calling ?? [];
    expect(own.length > 0 || locale === 'en').toBe(true);
    for (const phrase of [...own, 'stop calling me', 'please do not call me again', 'unsubscribe']) {
      expect([phrase, senseOf({ language }).words(phrase.replace(/^=/, ''))]).toEqual([phrase, true]);
    }
  });

  it('are recognised in the secondary language and not in a language the agent does not speak', () => {
    const [phrase = ''] = phrasesOf('hi-IN').intents.stop_calling ?? [];
    expect(senseOf({ secondaryLanguage: 'hi-IN' }).words(phrase)).toBe(true);
    expect(senseOf().words(phrase)).toBe(false);
  });

  it.each([
    '',
    'do not call me before five',
    'call me later',
    'not interested',
    'goodbye',
    'please do not stop',
    'I will call you again',
    'who is calling me',
  ])('do not include "%s"', (text) => {
    expect(senseOf().words(text)).toBe(false);
  });
});

describe('the opt-out key', () => {
  const prompt = (
    question: string,
    kinds?: readonly ('yes_no' | 'digits' | 'number' | 'time' | 'date')[],
  ) => ({
    question,
    expected: kinds === undefined ? null : { kinds, phrases: [] },
  });

  it('is only the key that the agent names', () => {
    const pressed = (keys: string): boolean => senseOf().keys(keys, prompt('Can you make it?'));
    expect(['9', '1', '99', '19', '*', ''].map(pressed)).toEqual([true, false, false, false, false, false]);
    expect(senseOf({ introMessage: 'Hello.' }).keys('9', prompt('Can you make it?'))).toBe(false);
  });

  it.each([
    ['How many people are coming?', undefined, false],
    ['What is your order number?', undefined, false],
    ['How many people are coming? Or press 9 to stop these calls.', undefined, true],
    ['Can you make it on Tuesday?', undefined, true],
    ['', undefined, true],
    ['How many people are coming?', ['yes_no'], true],
    ['Well?', ['digits'], false],
    ['Well?', ['yes_no', 'number'], false],
    ['Well?', ['date', 'time'], false],
  ] as const)('after the question "%s" (expected %s) opts out: %s', (question, kinds, counts) => {
    expect(senseOf().keys('9', prompt(question, kinds))).toBe(counts);
  });

  it('opts out after a question for a number when it is not a digit', () => {
    const sense = senseOf({ introMessage: 'To opt out, press star.' });
    expect(sense.keys('*', prompt('How many people are coming?'))).toBe(true);
  });
});
