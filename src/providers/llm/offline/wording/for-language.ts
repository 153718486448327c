import { readNativeBranch } from '../native.ts';
import { arabic } from './ar.ts';
import { bengali } from './bn.ts';
import { english } from './en.ts';
import { gujarati } from './gu.ts';
import { hindi } from './hi.ts';
import { kannada } from './kn.ts';
import { marathi } from './mr.ts';
import { malay } from './ms.ts';
import { burmese } from './my.ts';
import { odia } from './od.ts';
import { punjabi } from './pa.ts';
import { tamil } from './ta.ts';
import { telugu } from './te.ts';
import { chinese } from './zh.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { LanguageData, Wording } from './types.ts';

const DATA: Readonly<Record<Language, LanguageData>> = {
  'en-US': english,
  'en-GB': english,
  'en-AU': english,
  'en-IN': english,
  'hi-IN': hindi,
  'ta-IN': tamil,
  'te-IN': telugu,
  'bn-IN': bengali,
  'mr-IN': marathi,
  'kn-IN': kannada,
  'gu-IN': gujarati,
  'pa-IN': punjabi,
  'od-IN': odia,
  'ms-MY': malay,
  'zh-CN': chinese,
  'my-MM': burmese,
  'ar-AE': arabic,
};

/** What the engine says and hears in a language. */
export function wordingFor(language: Language): Wording {
  const data = DATA[language];
  return {
    ...data,
    readsBranch: (sentence) => (data.locale === 'en' ? null : readNativeBranch(sentence, data)),
  };
}
