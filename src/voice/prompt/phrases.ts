import type { Language } from '../../shared/languages.ts';
import { ARABIC } from './phrases/arabic.ts';
import { BENGALI } from './phrases/bengali.ts';
import { BURMESE } from './phrases/burmese.ts';
import { CHINESE } from './phrases/chinese.ts';
import { ENGLISH } from './phrases/english.ts';
import { GUJARATI } from './phrases/gujarati.ts';
import { HINDI } from './phrases/hindi.ts';
import { KANNADA } from './phrases/kannada.ts';
import { MALAY } from './phrases/malay.ts';
import { MARATHI } from './phrases/marathi.ts';
import { ODIA } from './phrases/odia.ts';
import { PUNJABI } from './phrases/punjabi.ts';
import { TAMIL } from './phrases/tamil.ts';
import { TELUGU } from './phrases/telugu.ts';
import type { Wording } from './phrases/wording.ts';

const BY_LANGUAGE: Readonly<Record<Language, Wording>> = {
  'en-US': ENGLISH,
  'en-GB': ENGLISH,
  'en-AU': ENGLISH,
  'en-IN': ENGLISH,
  'hi-IN': HINDI,
  'ta-IN': TAMIL,
  'te-IN': TELUGU,
  'bn-IN': BENGALI,
  'mr-IN': MARATHI,
  'kn-IN': KANNADA,
  'ms-MY': MALAY,
  'zh-CN': CHINESE,
  'od-IN': ODIA,
  'pa-IN': PUNJABI,
  'my-MM': BURMESE,
  'gu-IN': GUJARATI,
  'ar-AE': ARABIC,
};

/**
 * What the machine says itself in a language, and the words it listens for. English words are in every list,
 * since callers mix them in.
 */
export function phrasesFor(language: Language): Wording {
  const own = BY_LANGUAGE[language];
  if (own === ENGLISH) return ENGLISH;
  return {
    phrases: own.phrases,
    backchannels: [...own.backchannels, ...ENGLISH.backchannels],
    farewells: [...own.farewells, ...ENGLISH.farewells],
    greetings: [...own.greetings, ...ENGLISH.greetings],
    shortAnswers: [...own.shortAnswers, ...ENGLISH.shortAnswers],
  };
}
