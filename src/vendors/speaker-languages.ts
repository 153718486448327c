import { LANGUAGES, type Language } from '@callwright/language';
import { ISO, type LanguageCodes } from './recogniser-languages.ts';
import type { TtsVendorName } from './catalogue.ts';

const only = (...languages: readonly Language[]): LanguageCodes =>
  Object.fromEntries(
    LANGUAGES.map((language) => [language, languages.includes(language) ? ISO[language] : null]),
  ) as unknown as LanguageCodes;
const without = (...languages: readonly Language[]): LanguageCodes =>
  only(...LANGUAGES.filter((language) => !languages.includes(language)));

const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN'] as const;

/** What a vendor speaks with the models that the adapters use; null: it has no voice for the language. */
export const SPEAKER_LANGUAGES: Readonly<Record<TtsVendorName, LanguageCodes>> = {
  // Flash and Turbo v2.5; v3, which speaks more, has no WebSocket.
  elevenlabs: only(...ENGLISH, 'hi-IN', 'ta-IN', 'ms-MY', 'zh-CN', 'ar-AE'),
  cartesia: without('my-MM'),
  deepgram: only(...ENGLISH),
  sarvam: {
    ...(Object.fromEntries(
      LANGUAGES.map((language) => [language, language.endsWith('-IN') ? language : null]),
    ) as unknown as LanguageCodes),
    'en-US': 'en-IN',
    'en-GB': 'en-IN',
    'en-AU': 'en-IN',
  },
  openai: without('od-IN'),
  // Kokoro; the operator may say what another server speaks.
  'openai-compatible': only(...ENGLISH, 'hi-IN', 'zh-CN'),
};

/**
 * The code of a language at a speech vendor; null: the vendor does not speak it. `served`: languages of the operator's own
 * server (`hi`, `hi-IN`); absent or empty: the usual ones.
 */
export function speakerCode(
  vendor: TtsVendorName,
  language: Language,
  served: readonly string[] = [],
): string | null {
  if (vendor !== 'openai-compatible' || served.length === 0) return SPEAKER_LANGUAGES[vendor][language];
  return served.includes(language) || served.includes(ISO[language] ?? '') ? ISO[language] : null;
}

/** The languages that a vendor speaks, in the order of `LANGUAGES`. */
export const spokenLanguages = (vendor: TtsVendorName, served?: readonly string[]): readonly Language[] =>
  LANGUAGES.filter((language) => speakerCode(vendor, language, served) !== null);
