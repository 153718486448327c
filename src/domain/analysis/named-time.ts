import { type Language, phrasesOf, readTime, resolveDate, resolveTime } from '@callwright/language';

/** When and where the words were spoken. */
export interface Spoken {
  readonly at: number;
  readonly zone: string;
  readonly language: Language;
}

/** The future instant that words such as "tomorrow at three" name; null unless they name the hour. */
export function namedTime(words: string, { at, zone, language }: Spoken): number | null {
  const found = resolveTime(readTime(words, phrasesOf(language)), { now: at, zone });
  return found?.granularity === 'minute' && found.at > at ? found.at : null;
}

/** The day that words name, as YYYY-MM-DD; null when they name none. */
export const namedDate = (words: string, { at, zone, language }: Spoken): string | null =>
  resolveDate(readTime(words, phrasesOf(language), { isAnswer: true }), { now: at, zone });
