import { LANGUAGES, type Language } from '@callwright/language';
import type { SttVendorName } from './catalogue.ts';

/** Every recogniser that an agent may be given; `offline` recognises phrases only. */
export type RecogniserName = SttVendorName | 'offline';

/** The code to send for each language; null: the recogniser does not have it. */
export type LanguageCodes = Readonly<Record<Language, string | null>>;

const NONE: LanguageCodes = {
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

const english = (code: string): Partial<LanguageCodes> => ({
  'en-US': code,
  'en-GB': code,
  'en-AU': code,
  'en-IN': code,
});
const ENGLISH_ONLY: LanguageCodes = { ...NONE, ...english('en') };

const FLUX_MULTI: LanguageCodes = { ...ENGLISH_ONLY, 'hi-IN': 'hi' };
const NOVA_3: LanguageCodes = {
  'en-US': 'en-US',
  'en-GB': 'en-GB',
  'en-AU': 'en-AU',
  'en-IN': 'en-IN',
  'hi-IN': 'hi',
  'ta-IN': 'ta',
  'te-IN': 'te',
  'bn-IN': 'bn',
  'mr-IN': 'mr',
  'kn-IN': 'kn',
  'ms-MY': 'ms',
  'zh-CN': 'zh-CN',
  'od-IN': null,
  'pa-IN': 'pa',
  'my-MM': null,
  'gu-IN': 'gu',
  'ar-AE': 'ar-AE',
};
const NOVA_2: LanguageCodes = {
  ...NONE,
  'en-US': 'en-US',
  'en-GB': 'en-GB',
  'en-AU': 'en-AU',
  'en-IN': 'en-IN',
  'hi-IN': 'hi',
  'ms-MY': 'ms',
  'zh-CN': 'zh-CN',
};
const SARVAM: LanguageCodes = {
  ...NONE,
  ...english('en-IN'),
  'hi-IN': 'hi-IN',
  'ta-IN': 'ta-IN',
  'te-IN': 'te-IN',
  'bn-IN': 'bn-IN',
  'mr-IN': 'mr-IN',
  'kn-IN': 'kn-IN',
  'gu-IN': 'gu-IN',
  // The realtime API spells Odia differently from the interface.
  'od-IN': 'or-IN',
  'pa-IN': 'pa-IN',
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
/** Whisper and what follows its list. */
const WHISPER: LanguageCodes = { ...ISO, 'od-IN': null };
const UNIVERSAL_PRO: LanguageCodes = { ...ENGLISH_ONLY, 'hi-IN': 'hi', 'zh-CN': 'zh', 'ar-AE': 'ar' };
/** Languages with a published vosk model. */
const VOSK: LanguageCodes = {
  ...ENGLISH_ONLY,
  'hi-IN': 'hi',
  'te-IN': 'te',
  'zh-CN': 'cn',
  'gu-IN': 'gu',
  'ar-AE': 'ar',
};

/** What a recogniser has with any of its models, then what a model alone has, by the beginning of its name. */
interface Coverage {
  readonly any: LanguageCodes;
  readonly models?: readonly (readonly [RegExp, LanguageCodes])[];
  /** A server of the operator's: the operator may say which languages it serves. */
  readonly isOwn?: true;
}

export const RECOGNISER_LANGUAGES: Readonly<Record<RecogniserName, Coverage>> = {
  deepgram: {
    any: NOVA_3,
    models: [
      [/^flux-.*-en$/, ENGLISH_ONLY],
      [/^flux/, FLUX_MULTI],
      [/^nova-3-medical/, ENGLISH_ONLY],
      [/^nova-2/, NOVA_2],
    ],
  },
  sarvam: { any: SARVAM },
  openai: { any: WHISPER },
  assemblyai: {
    any: WHISPER,
    models: [
      [/^universal-3-6/, { ...UNIVERSAL_PRO, 'mr-IN': 'mr' }],
      [/^(?:universal-3|u3)/, UNIVERSAL_PRO],
      [/^universal-streaming/, ENGLISH_ONLY],
    ],
  },
  elevenlabs: { any: ISO },
  'openai-compatible': { any: WHISPER, isOwn: true },
  vosk: { any: VOSK, isOwn: true },
  sherpa: { any: ISO, isOwn: true },
  offline: { any: ENGLISH_ONLY },
};

function codesOf(vendor: RecogniserName, model: string | null): LanguageCodes {
  const { any, models = [] } = RECOGNISER_LANGUAGES[vendor];
  return models.find(([names]) => model !== null && names.test(model))?.[1] ?? any;
}

/**
 * The code to send for a language; null: the recogniser does not have it with this model. `model` null: chosen by
 * language. `served`: languages that the operator's own server serves (`hi`, `hi-IN`); absent or empty: the usual ones.
 */
export function recogniserCode(
  vendor: RecogniserName,
  model: string | null,
  language: Language,
  served: readonly string[] = [],
): string | null {
  if (RECOGNISER_LANGUAGES[vendor].isOwn === true && served.length > 0) {
    const isServed = served.some(
      (one) => one === language || one === ISO[language] || one === language.slice(0, 2),
    );
    return isServed ? ISO[language] : null;
  }
  return codesOf(vendor, model)[language];
}

/** The languages that a recogniser understands with a model, in the order of `LANGUAGES`. Parameters: `recogniserCode`. */
export const supportedLanguages = (
  vendor: RecogniserName,
  model: string | null,
  served?: readonly string[],
): readonly Language[] =>
  LANGUAGES.filter((language) => recogniserCode(vendor, model, language, served) !== null);
