import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../languages.ts';
import { phrasesOf } from '../phrases.ts';
import { resolveDate, resolveTime } from './resolve-time.ts';
import { momentIn, readTime } from './spoken-time.ts';
import { ANSWERED, daysAndTimes, DISPUTED, local, NOW, WRITTEN, ZONE } from './test-phrases.ts';

const REFERENCE = { now: NOW, zone: ZONE };
const instantOf = (text: string, language: Language, isAnswer = false): string | null =>
  local(resolveTime(readTime(text, phrasesOf(language), { isAnswer }), REFERENCE)?.at ?? null);

const DAYS = ['tomorrow', 'tonight', 'next friday', 'in three days', 'in a week', 'this weekend', 'the 3rd'];
const DATES = ['May 21st', 'the fifth of May', '12/2', 'end of the month'];
const TIMES = ['at 3', '3 p.m.', 'at 10:30', 'half past two', 'quarter to six', 'in the evening', 'at noon'];

describe('a day and a time', () => {
  const pairs = [...DAYS, ...DATES].flatMap((day) => TIMES.map((time) => [day, time] as const));

  it.each(pairs)('"%s" and "%s" mean the same in both orders', (day, time) => {
    const instant = instantOf(`${day} ${time}`, 'en-US');
    expect(instant).not.toBeNull();
    expect(instantOf(`${time} ${day}`, 'en-US')).toBe(instant);
    expect(instantOf(`please call me ${day} ${time}`, 'en-US')).toBe(instant);
  });
});

/** A phrase of several lists is tested once. */
const isFirst = (
  [language, phrase]: readonly [Language, string],
  index: number,
  all: readonly (readonly [Language, string])[],
): boolean => all.findIndex((other) => other[0] === language && other[1] === phrase) === index;

describe('the English form of a moment', () => {
  const spoken: readonly (readonly [Language, string])[] = [
    ...[...WRITTEN, ...ANSWERED, ...DISPUTED].map(([phrase]) => ['en-US', phrase] as const),
    ...LANGUAGES.flatMap((language) =>
      daysAndTimes(language).map(([words]) => [language, words.join(' ')] as const),
    ),
  ];

  it.each(spoken.filter(isFirst))('of %s "%s" resolves to the same instant', (language, phrase) => {
    const english = momentIn(phrase, phrasesOf(language), { isAnswer: true })?.english ?? '';
    expect(english).not.toBe('');
    expect(instantOf(english, language)).toBe(instantOf(phrase, language, true));
  });
});

describe('a text without a time to call', () => {
  it.each([
    'good morning',
    'I am busy this morning so please call me later',
    'one moment, I have two kids here',
    'the first time you called me',
    'I may come',
    'call me on 98765 43210',
  ])('"%s" names no instant', (text) => {
    expect(instantOf(text, 'en-US')).toBeNull();
  });
});

describe('a named day', () => {
  it.each([
    ['on Tuesday', '2026-01-06'],
    ['in two days', '2026-01-07'],
    ['the 20th', '2026-01-20'],
    ['February 30', null],
    ['next week', null],
    ['at three', null],
  ])('"%s" is the date %s', (text, date) => {
    expect(resolveDate(readTime(text, phrasesOf('en-US')), REFERENCE)).toBe(date);
  });
});

it('reads any text in any language without an error, as a finite instant or none', () => {
  const words = fc.constantFrom(
    ...DAYS,
    ...DATES,
    ...TIMES,
    'at',
    'in',
    'may',
    'second',
    '24',
    '99:99',
    '31/2',
    'कल',
    '两',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(words).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...LANGUAGES), fc.boolean(), (line, language, isAnswer) => {
      const found = resolveTime(readTime(line, phrasesOf(language), { isAnswer }), REFERENCE);
      expect(found === null || Number.isFinite(found.at)).toBe(true);
    }),
  );
});
