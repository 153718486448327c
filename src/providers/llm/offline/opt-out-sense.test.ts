import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import type { BrainContext, OptOutSense } from '../../../voice/ports.ts';
import { optOutSense } from './opt-out-sense.ts';
import { wordingFor } from './wording/for-language.ts';

const senseOf = (over: Partial<BrainContext> = {}): OptOutSense =>
  optOutSense({
    prompt: '',
    sections: [],
    introMessage: 'Hello, this is Maya. Press 9 to stop these calls.',
    agentName: 'Maya',
    language: 'en-US',
    secondaryLanguage: null,
    tools: [],
    understandsSpeech: true,
    callDirection: 'outbound',
    variables: {},
    ...over,
  });

describe('words against more calls', () => {
  it.each(LANGUAGES)('in %s, and in English beside it', (language: Language) => {
    const { hears, locale } = wordingFor(language);
    const own = hears.stop_calling ?? [];
    expect(own.length > 0 || locale === 'en').toBe(true);
    for (const phrase of [...own, 'stop calling me', 'please do not call me again', 'unsubscribe']) {
      expect([phrase, senseOf({ language }).words(phrase.replace(/^=/, ''))]).toEqual([phrase, true]);
    }
  });

  it('are heard in the second language of the agent, and not in one that it does not speak', () => {
    const [phrase = ''] = wordingFor('hi-IN').hears.stop_calling ?? [];
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
  ])('are not "%s"', (text) => {
    expect(senseOf().words(text)).toBe(false);
  });
});

describe('the key against more calls', () => {
  const asked = (
    question: string,
    kinds?: readonly ('yes_no' | 'digits' | 'number' | 'time' | 'date')[],
  ) => ({
    question,
    expected: kinds === undefined ? null : { kinds, phrases: [] },
  });

  it('is the one that the agent names, and no other', () => {
    const pressed = (keys: string): boolean => senseOf().keys(keys, asked('Can you make it?'));
    expect(['9', '1', '99', '19', '*', ''].map(pressed)).toEqual([true, false, false, false, false, false]);
    expect(senseOf({ introMessage: 'Hello.' }).keys('9', asked('Can you make it?'))).toBe(false);
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
  ] as const)('after "%s" (%s): %s', (question, kinds, counts) => {
    expect(senseOf().keys('9', asked(question, kinds))).toBe(counts);
  });

  it('is no digit of an answer where it is no digit', () => {
    const sense = senseOf({ introMessage: 'To opt out, press star.' });
    expect(sense.keys('*', asked('How many people are coming?'))).toBe(true);
  });
});
