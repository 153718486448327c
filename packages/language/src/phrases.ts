import type { Language } from './languages.ts';
import { arabic } from './phrases/ar.ts';
import { bengali } from './phrases/bn.ts';
import { english } from './phrases/en.ts';
import { gujarati } from './phrases/gu.ts';
import { hindi } from './phrases/hi.ts';
import { kannada } from './phrases/kn.ts';
import { marathi } from './phrases/mr.ts';
import { malay } from './phrases/ms.ts';
import { burmese } from './phrases/my.ts';
import { odia } from './phrases/od.ts';
import { punjabi } from './phrases/pa.ts';
import { tamil } from './phrases/ta.ts';
import { telugu } from './phrases/te.ts';
import { chinese } from './phrases/zh.ts';
import type { ConversationPhrases, PhraseTable } from './phrases/phrase-table.ts';

const TABLES: Readonly<Record<Language, PhraseTable>> = {
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

/** The phrase table of a language. */
export const phrasesOf = (language: Language): PhraseTable => TABLES[language];

/** One table for each written language. */
export const PHRASE_TABLES: readonly PhraseTable[] = [...new Set(Object.values(TABLES))];

/** The conversation core's phrases. Lists to match include the English words, because callers mix them in. */
export function conversationPhrases(language: Language): ConversationPhrases {
  const own = TABLES[language].conversation;
  const { conversation } = english;
  if (own === conversation) return conversation;
  return {
    phrases: own.phrases,
    backchannels: [...own.backchannels, ...conversation.backchannels],
    farewells: [...own.farewells, ...conversation.farewells],
    greetings: [...own.greetings, ...conversation.greetings],
    shortAnswers: [...own.shortAnswers, ...conversation.shortAnswers],
    waits: [...own.waits, ...conversation.waits],
    refusals: [...own.refusals, ...conversation.refusals],
  };
}
