import { LANGUAGES, type Language } from '@callwright/language';
import type { LanguageCodes } from './vendor.ts';

export const NO_LANGUAGES: LanguageCodes = {
  'en-US': null,
  'en-GB': null,
  'en-AU': null,
  'en-IN': null,
  'hi-IN': null,
  'ta-IN': null,
  'te-IN': null,
  'bn-IN': null,
  'mr-IN': null,
  'kn-IN': null,
  'ms-MY': null,
  'zh-CN': null,
  'od-IN': null,
  'pa-IN': null,
  'my-MM': null,
  'gu-IN': null,
  'ar-AE': null,
};

/** ISO 639-1. */
export const ISO: LanguageCodes = {
  'en-US': 'en',
  'en-GB': 'en',
  'en-AU': 'en',
  'en-IN': 'en',
  'hi-IN': 'hi',
  'ta-IN': 'ta',
  'te-IN': 'te',
  'bn-IN': 'bn',
  'mr-IN': 'mr',
  'kn-IN': 'kn',
  'ms-MY': 'ms',
  'zh-CN': 'zh',
  'od-IN': 'or',
  'pa-IN': 'pa',
  'my-MM': 'my',
  'gu-IN': 'gu',
  'ar-AE': 'ar',
};

/** Whisper, and models that follow its list. */
export const WHISPER: LanguageCodes = { ...ISO, 'od-IN': null };

export const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN'] as const;

/** One code for every English. */
export const english = (code: string): Partial<LanguageCodes> => ({
  'en-US': code,
  'en-GB': code,
  'en-AU': code,
  'en-IN': code,
});
export const ENGLISH_ONLY: LanguageCodes = { ...NO_LANGUAGES, ...english('en') };

export const only = (...languages: readonly Language[]): LanguageCodes => ({
  ...NO_LANGUAGES,
  ...Object.fromEntries(languages.map((language) => [language, ISO[language]])),
});
export const without = (...languages: readonly Language[]): LanguageCodes =>
  only(...LANGUAGES.filter((language) => !languages.includes(language)));
