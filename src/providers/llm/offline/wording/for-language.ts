import { readNativeBranch } from '../native.ts';
import { english } from './en.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { LanguageData, Wording } from './types.ts';

const DATA: Readonly<Record<Language, LanguageData>> = {
  'en-US': english,
  'en-GB': english,
  'en-AU': english,
  'en-IN': english,
} as never;

/** What the engine says and hears in a language. */
export function wordingFor(language: Language): Wording {
  const data = DATA[language];
  return {
    ...data,
    readsBranch: (sentence) => (data.locale === 'en' ? null : readNativeBranch(sentence, data)),
  };
}
