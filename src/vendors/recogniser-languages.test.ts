import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@callwright/language';
import {
  recogniserCode,
  recogniserLanguages,
  supportedLanguages,
  type RecogniserName,
} from './recogniser-languages.ts';
import { STT_VENDOR_NAMES } from './catalogue.ts';

const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN'];
const without = (...codes: string[]) => LANGUAGES.filter((language) => !codes.includes(language));
const NAMES: readonly RecogniserName[] = [...STT_VENDOR_NAMES, 'offline'];

describe('languages of recognisers', () => {
  it.each(NAMES)('%s has an entry for each of the 17 codes, with every model', (name) => {
    const { any, models = [] } = recogniserLanguages(name);
    for (const codes of [any, ...models.map(([, own]) => own)]) {
      expect(Object.keys(codes).toSorted()).toEqual([...LANGUAGES].toSorted());
      for (const code of Object.values(codes)) expect(code ?? 'none').toMatch(/^[a-z]{2,4}(?:-[A-Z]{2})?$/);
    }
    expect(LANGUAGES).toHaveLength(17);
  });

  it.each<[RecogniserName, string | null, readonly string[]]>([
    ['deepgram', null, without('od-IN', 'my-MM')],
    ['deepgram', 'nova-3', without('od-IN', 'my-MM')],
    ['deepgram', 'flux-general-en', ENGLISH],
    ['deepgram', 'flux-general-multi', [...ENGLISH, 'hi-IN']],
    ['deepgram', 'nova-2-phonecall', [...ENGLISH, 'hi-IN', 'ms-MY', 'zh-CN']],
    ['deepgram', 'nova-3-medical', ENGLISH],
    ['sarvam', null, without('ms-MY', 'zh-CN', 'my-MM', 'ar-AE')],
    ['openai', null, without('od-IN')],
    ['assemblyai', null, without('od-IN')],
    ['assemblyai', 'universal-3-5-pro', [...ENGLISH, 'hi-IN', 'zh-CN', 'ar-AE']],
    ['assemblyai', 'universal-3-6-pro', [...ENGLISH, 'hi-IN', 'mr-IN', 'zh-CN', 'ar-AE']],
    ['assemblyai', 'universal-streaming-multilingual', ENGLISH],
    ['assemblyai', 'whisper-rt', without('od-IN')],
    ['elevenlabs', null, LANGUAGES],
    ['openai-compatible', 'whisper-large-v3', without('od-IN')],
    ['vosk', null, [...ENGLISH, 'hi-IN', 'te-IN', 'zh-CN', 'gu-IN', 'ar-AE']],
    ['sherpa', null, LANGUAGES],
    ['offline', null, ENGLISH],
  ])('%s with the model %s', (name, model, languages) => {
    expect(supportedLanguages(name, model)).toEqual(languages);
  });

  it('takes the word of the operator about a server of their own', () => {
    expect(supportedLanguages('vosk', null, ['bn'])).toEqual(['bn-IN']);
    expect(supportedLanguages('openai-compatible', null, ['od-IN', 'en'])).toEqual([...ENGLISH, 'od-IN']);
    expect(supportedLanguages('sherpa', null, ['or'])).toEqual(['od-IN']);
    expect(recogniserCode('openai-compatible', null, 'od-IN', ['od-IN'])).toBe('or');
    expect(supportedLanguages('deepgram', 'nova-3', ['my-MM'])).not.toContain('my-MM');
  });

  it('spells Odia as each vendor does', () => {
    expect(recogniserCode('sarvam', null, 'od-IN')).toBe('or-IN');
    expect(recogniserCode('elevenlabs', null, 'od-IN')).toBe('or');
    expect(recogniserCode('openai', null, 'od-IN')).toBeNull();
  });
});
