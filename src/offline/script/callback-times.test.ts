import { describe, expect, it } from 'vitest';
import { namedTime } from '../../domain/analysis/named-time.ts';
import { callbackTime } from '../../domain/tools/callback-time.ts';
import { LANGUAGES, type Language } from '@callwright/language';
import {
  ANSWERED,
  DISPUTED,
  IN_OTHER_LANGUAGES,
  NOW,
  TIMELESS,
  WRITTEN,
  ZONE,
  daysAndTimes,
  local,
} from '../../../packages/language/src/time/test-phrases.ts';
import { callOf } from './test-call.ts';
import { wordingFor } from './wording.ts';

/** The time the script brain's callback tool is called with after these lines, and the brain's last reply. */
function callbackIn(language: Language, ...lines: readonly string[]): { at: string | null; said: string } {
  const call = callOf({ language, callDirection: 'outbound', script: 'Ask when to call back.' });
  let last = call.hear('yes');
  for (const line of lines) last = call.hear(line);
  const when = last.tools.find(({ name }) => name === 'schedule_callback')?.args['when'];
  return { at: local(callbackTime(String(when), NOW, ZONE, language)), said: last.text.join(' ') };
}

describe.each(LANGUAGES)('the callback time in %s', (language) => {
  it.each(daysAndTimes(language))('%j', (words, expected) => {
    expect(callbackIn(language, words.join(' ')).at).toBe(expected);
  });
  it('is two hours ahead after two answers without a time', () => {
    expect(callbackIn(language, 'banana', 'banana').at).toBe('2026-01-05T17:30');
  });
});

describe('the callback time', () => {
  it.each(ANSWERED)('of "%s" is %s', (line, at, said) => {
    const found = callbackIn('en-US', line);
    expect(found.at).toBe(at);
    expect(found.said).toContain(said);
  });

  it.each(IN_OTHER_LANGUAGES)('in %s of "%s" is %s', (language, line, at) => {
    expect(callbackIn(language, line).at).toBe(at);
  });

  it('is repeated to the caller when the brain chose it', () => {
    expect(callbackIn('en-US', 'banana', 'banana').said).toContain('in 2 hours');
  });
});

/** A phrase of several lists is tested once. */
const isFirst = (
  row: readonly [Language, string, string],
  index: number,
  all: readonly (readonly [Language, string, string])[],
): boolean => all.findIndex((other) => other.every((value, at) => value === row[at])) === index;

describe('the callback tool, the analysis and the script brain', () => {
  const ALL: readonly (readonly [Language, string, string])[] = [
    ...[...WRITTEN, ...ANSWERED, ...DISPUTED].map(([phrase, at]) => ['en-US', phrase, at] as const),
    ...IN_OTHER_LANGUAGES,
    ...LANGUAGES.flatMap((language) =>
      daysAndTimes(language).map(([words, at]) => [language, words.join(' '), at] as const),
    ),
  ];

  it.each(ALL.filter(isFirst))('read the same instant in %s "%s": %s', (language, phrase, at) => {
    expect(local(callbackTime(phrase, NOW, ZONE, language))).toBe(at);
    expect(callbackIn(language, phrase).at).toBe(at);
    // An analysis names no instant unless the caller named the hour.
    expect([at, null]).toContain(local(namedTime(phrase, { at: NOW, zone: ZONE, language })));
  });

  it.each(TIMELESS.filter((phrase) => !/\d/.test(phrase)))('read no instant in "%s"', (phrase) => {
    expect(callbackTime(phrase, NOW, ZONE, 'en-US')).toBeNull();
    expect(namedTime(phrase, { at: NOW, zone: ZONE, language: 'en-US' })).toBeNull();
  });

  it('differ only in what the analysis leaves open', () => {
    const analysed = (language: Language, phrase: string): string | null =>
      local(namedTime(phrase, { at: NOW, zone: ZONE, language }));
    const named = ALL.filter(([language, phrase]) => analysed(language, phrase) !== null);
    const open = ALL.filter(([language, phrase]) => analysed(language, phrase) === null).map(
      ([, phrase]) => phrase,
    );
    expect(named.length).toBeGreaterThan(100);
    for (const phrase of ['tomorrow', 'tomorrow morning', 'this weekend', 'any time', 'tonight', 'कल शाम'])
      expect(open).toContain(phrase);
  });
});

describe('a callback that the service refuses', () => {
  it.each(LANGUAGES)('is not announced in %s', (language) => {
    const { script } = wordingFor(language);
    const settings = { language, callDirection: 'outbound', script: 'Ask when to call back.' } as const;
    const said = (refusesCallbacks: boolean): { text: string; tools: string[] } => {
      const call = callOf({ ...settings, refusesCallbacks });
      call.hear('yes');
      call.hear('banana');
      const reply = call.hear('banana');
      return { text: reply.text.join(' '), tools: reply.tools.map(({ name }) => name) };
    };
    const [promise = ''] = script.say.callbackNoted.map((text) => text.split('{when}')[0]);
    const refused = said(true);
    expect(script.say.noCallback.some((text) => refused.text.includes(text))).toBe(true);
    expect(refused.text).not.toContain(promise);
    expect(refused.tools).toEqual(['schedule_callback', 'end_call']);
    expect(said(false).text).toContain(promise);
  });

  it('is announced only after the service has answered', () => {
    const call = callOf({ callDirection: 'outbound', script: 'Ask when to call back.' });
    call.hear('yes');
    const history = [
      { role: 'caller', text: 'yes', by: 'speech' },
      { role: 'caller', text: 'tomorrow at ten', by: 'speech' },
    ] as const;
    const reply = call.replyTo(history, call.last.memory);
    expect([reply.text, reply.tools.map(({ name }) => name)]).toEqual([[], ['schedule_callback']]);
  });
});
