import { describe, expect, it } from 'vitest';
import { isUuid } from '../shared/ids.ts';
import { LANGUAGES } from '@callwright/language';
import { defaultVoice, voiceById, voices, voicesFor } from './voices.ts';

describe('voice catalogue', () => {
  it('has unique UUIDs and names and keys of known engines', () => {
    const all = voices();
    expect(new Set(all.map((voice) => voice.id)).size).toBe(all.length);
    expect(new Set(all.map((voice) => voice.name)).size).toBe(all.length);
    for (const voice of all) {
      expect(isUuid(voice.id)).toBe(true);
      expect(voice.voiceKey).toMatch(
        /^(espeak:[fm][1-8]|flite:(slt|rms|awb)|hibari:(heart|fenrir|kore)|library:(joe|hf_alpha|hm_omega))$/,
      );
      expect(voiceById(voice.id)).toBe(voice);
      expect(voiceById(voice.id.toUpperCase())).toBe(voice);
    }
    expect(voiceById('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });

  it.each(LANGUAGES)('%s has a female and a male voice and a default', (language) => {
    const genders = new Set(voicesFor([language]).map((voice) => voice.gender));
    expect([...genders].sort()).toEqual(['female', 'male']);
    expect(defaultVoice(language).languages).toContain(language);
  });

  it.each(LANGUAGES)('%s has its natural voices first, and one of them as default', (language) => {
    const isNatural = (voiceKey: string): boolean => /^(hibari|library):/.test(voiceKey);
    const natural = voicesFor([language]).map(({ voiceKey }) => isNatural(voiceKey));
    expect(natural).toEqual(natural.toSorted((a, b) => Number(b) - Number(a)));
    expect(isNatural(defaultVoice(language).voiceKey)).toBe(natural[0]);
  });

  it('has Claire as the default of English and Anika as that of Hindi', () => {
    expect(['en-US', 'en-GB', 'en-AU', 'en-IN'].map((tag) => defaultVoice(tag as 'en-US').name)).toEqual(
      Array(4).fill('Claire'),
    );
    expect(defaultVoice('hi-IN').name).toBe('Anika');
    expect(defaultVoice('ta-IN').name).toBe('Meena');
  });

  it('keeps the voice ids that agents store', () => {
    expect(voiceById('5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e01')?.name).toBe('Grace');
    expect(voiceById('5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e06')?.name).toBe('Asha');
    expect(voiceById('5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e13')?.name).toBe('Omar');
    expect(voiceById('5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e14')?.name).toBe('Claire');
  });

  it('has no two voices with the same voice key for one language', () => {
    for (const language of LANGUAGES) {
      const keys = voicesFor([language]).map((voice) => voice.voiceKey);
      expect(keys).toEqual([...new Set(keys)]);
    }
  });

  it('filters by any of several languages and lists all without a filter', () => {
    expect(voicesFor([])).toHaveLength(voices().length);
    expect(voicesFor(['ar-AE', 'ms-MY']).map((voice) => voice.name)).toEqual([
      'Aisyah',
      'Hafiz',
      'Layla',
      'Omar',
    ]);
    expect(voicesFor(['fr-FR'])).toEqual([]);
  });
});
