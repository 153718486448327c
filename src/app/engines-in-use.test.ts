import { describe, expect, it } from 'vitest';
import type { LocalModel } from '../domain/providers/local-models.ts';
import { betterSpeech, enginesInUse } from './engines-in-use.ts';

const none = (): null => null;
const phrases = { hasPhrases: true, hasNatural: false };
const english = (language: string) =>
  language.startsWith('en-') ? { id: 'vosk-small-en-us', reader: null } : null;

describe('the engines in use', () => {
  it('hear expected phrases without a model, and the keypad without their engine', () => {
    const offline = { stt: 'offline', tts: 'offline' };
    expect(enginesInUse(offline, none, phrases)).toEqual({
      ears: 'expected phrases',
      voices: 'espeak-ng and flite',
    });
    expect(enginesInUse(offline, none, { ...phrases, hasPhrases: false }).ears).toBe('the keypad alone');
  });

  it('name the model of each language that is heard by words', () => {
    const models = (language: string) =>
      language === 'hi-IN' ? { id: 'vosk-small-hi', reader: null } : english(language);
    expect(enginesInUse({ stt: 'offline', tts: 'offline' }, models, phrases).ears).toBe(
      'every word of en-US, en-GB, en-AU, en-IN (vosk-small-en-us) and every word of hi-IN (vosk-small-hi), else expected phrases',
    );
  });

  it('name the net that reads utterances again', () => {
    const reader = { id: 'moonshine-tiny-en', folder: '', module: '' };
    const models = (language: string) => {
      const model = english(language);
      return model === null ? null : { ...model, reader };
    };
    expect(enginesInUse({ stt: 'offline', tts: 'offline' }, models, phrases).ears).toBe(
      'every word of en-US, en-GB, en-AU, en-IN (vosk-small-en-us with moonshine-tiny-en), else expected phrases',
    );
  });

  it('name the natural voice where it is installed', () => {
    const natural = { hasPhrases: true, hasNatural: true };
    expect(enginesInUse({ stt: 'offline', tts: 'cartesia,offline' }, none, natural).voices).toBe(
      'cartesia, then hibari in English (Claire), espeak-ng and flite',
    );
  });

  it("name the operator's own voices", () => {
    const offline = { stt: 'offline', tts: 'offline' };
    expect(enginesInUse(offline, none, { ...phrases, own: 2 }).voices).toBe(
      '2 voices of own-voices, espeak-ng and flite',
    );
    expect(enginesInUse(offline, none, { ...phrases, own: 1 }).voices).toBe(
      '1 voice of own-voices, espeak-ng and flite',
    );
  });

  it('name the vendors in their order', () => {
    expect(enginesInUse({ stt: 'deepgram,sarvam,offline', tts: 'cartesia,offline' }, none, phrases)).toEqual({
      ears: 'deepgram, then sarvam, then expected phrases',
      voices: 'cartesia, then espeak-ng and flite',
    });
  });
});

describe('what would be better', () => {
  const model = (more: Partial<LocalModel>): LocalModel => ({
    id: 'ears',
    part: 'ears',
    engine: 'Vosk',
    languages: [],
    bytes: 60_000_001,
    licence: '',
    quality: '',
    cost: '',
    improves: 'every word is heard',
    isPinned: true,
    runsHere: true,
    state: 'absent',
    download: null,
    ...more,
  });
  const library = model({ id: 'library', part: 'library', bytes: 20_000_000, improves: null });

  it('is the pack with the command that fetches it, unless it is on its way', () => {
    expect(betterSpeech([model({}), library], false)).toBe(
      'callwright models get fetches the English pack (81 MB): every word is heard',
    );
    expect(betterSpeech([model({}), library], true)).toBe(
      'the English pack (81 MB) is being fetched; in calls that start after it, every word is heard',
    );
  });

  it('says what each missing model improves', () => {
    const voice = model({ id: 'voice', part: 'voice', improves: 'agents speak with a natural voice' });
    expect(betterSpeech([model({}), library, voice], false)).toContain(
      ': every word is heard, and agents speak with a natural voice',
    );
    expect(betterSpeech([model({ state: 'installed' }), voice], false)).toMatch(
      / \(61 MB\): agents speak with a natural voice$/,
    );
  });

  it('counts what is missing alone', () => {
    expect(betterSpeech([model({ state: 'installed' }), library], false)).toContain('(20 MB)');
    expect(betterSpeech([model({ state: 'damaged' })], false)).toContain('(61 MB)');
  });

  it('is nothing once the pack is installed, or on a system without one', () => {
    expect(betterSpeech([model({ state: 'installed' })], false)).toBeNull();
    expect(betterSpeech([model({ runsHere: false })], false)).toBeNull();
  });
});
