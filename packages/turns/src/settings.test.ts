import { describe, expect, it } from 'vitest';
import { LANGUAGES, conversationPhrases } from '@callwright/language';
import { consistsOf } from './turn/phrases.ts';
import { Said } from './turn/said.ts';
import { turnSettings } from './settings.ts';

const base = { callConfig: {}, introMessage: 'Hi.', language: 'en-US', direction: 'outbound' } as const;

describe('the settings of a call', () => {
  it('have the defaults of the interface', () => {
    expect(turnSettings(base)).toMatchObject({
      maxCallMs: 240_000,
      idleWarningMs: 5_000,
      idleEndMs: 10_000,
      muteDuringIntro: true,
      muteWhileAgentSpeaks: false,
      speaksFirst: true,
    });
  });

  it('end the call no later than the balance covers', () => {
    expect(turnSettings({ ...base, affordableMs: 60_000 }).maxCallMs).toBe(60_000);
    expect(turnSettings({ ...base, affordableMs: 600_000 }).maxCallMs).toBe(240_000);
  });

  it('keep a configured zero and the interruption sensitivity', () => {
    const settings = turnSettings({
      ...base,
      callConfig: { idle_timeout_warning: 0, mute_during_intro: false },
      interruptionSensitivity: 'low',
    });
    expect(settings.idleWarningMs).toBe(0);
    expect(settings.muteDuringIntro).toBe(false);
    expect(settings.interruption).toEqual({ lowerMs: 160, minSpeechMs: 450, minWords: 2 });
  });
});

const SCRIPTS: Record<string, RegExp> = {
  en: /\p{Script=Latin}/u,
  ms: /\p{Script=Latin}/u,
  hi: /\p{Script=Devanagari}/u,
  mr: /\p{Script=Devanagari}/u,
  bn: /\p{Script=Bengali}/u,
  ta: /\p{Script=Tamil}/u,
  te: /\p{Script=Telugu}/u,
  kn: /\p{Script=Kannada}/u,
  gu: /\p{Script=Gujarati}/u,
  pa: /\p{Script=Gurmukhi}/u,
  od: /\p{Script=Oriya}/u,
  zh: /\p{Script=Han}/u,
  my: /\p{Script=Myanmar}/u,
  ar: /\p{Script=Arabic}/u,
};

describe.each(LANGUAGES)('the words of %s', (language) => {
  const wording = conversationPhrases(language);
  const script = SCRIPTS[language.slice(0, 2)] ?? /never^/u;
  const said = Object.values(wording.phrases).flat();

  it('are whole sentences in the script of the language', () => {
    const others = Object.values(SCRIPTS).filter((other) => other.source !== script.source);
    for (const phrase of said) {
      expect(phrase).toMatch(script);
      expect(phrase).toMatch(/[.?।？。؟။]$/u);
      for (const other of others) expect(phrase).not.toMatch(other);
      expect(phrase.length).toBeLessThan(140);
    }
    expect(new Set(said).size).toBe(9);
  });

  it('are classified correctly', () => {
    for (const word of wording.backchannels)
      expect(consistsOf(Said.of(word), wording.backchannels)).toBe(true);
    for (const phrase of said) expect(consistsOf(Said.of(phrase), wording.backchannels)).toBe(false);
  });
});
