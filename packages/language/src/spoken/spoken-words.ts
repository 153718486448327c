import { LANGUAGES, type Language } from '../languages.ts';
import { PHRASE_DATA, WRITTEN } from '../phrases/phrase-data.ts';

/** Money as people name it: the unit, and its hundredth; [one, several] where they differ. */
export interface CurrencyWords {
  readonly unit: readonly [string, string];
  readonly part: readonly [string, string] | null;
}
export type Currency = 'INR' | 'USD' | 'GBP' | 'EUR' | 'AUD' | 'AED' | 'MYR' | 'CNY' | 'MMK';

/** How numbers, money, dates and times are said in one written language. Digits below a thousand are left to the voice. */
interface SaidWords {
  /** Between a digit and a word; empty in Chinese. */
  readonly gap: string;
  readonly point: string;
  readonly percent: string;
  /** Joins unit and hundredth ("rupees and 50 paise"). */
  readonly and: string;
  /** Templates of a time of day on the hour, and with minutes; {part}, {h}, {m} are filled. */
  readonly clock: { readonly hour: string; readonly minute: string };
  /** Names of the parts of the day as they stand in those templates. */
  readonly parts: {
    readonly morning: string;
    readonly afternoon: string;
    readonly evening: string;
    readonly night: string;
  };
  /** Template of a date; {d}, {month} and {y} are filled. Without a year, `short`. */
  readonly date: { readonly full: string; readonly short: string };
}

export interface SpokenWords extends SaidWords {
  /** For month names (Intl). */
  readonly locale: string;
  /** Names of powers of ten, largest first; a number is split at them. */
  readonly scales: readonly (readonly [value: number, word: string])[];
  readonly currencies: Readonly<Record<Currency, CurrencyWords>>;
}

/**
 * The words in a language's file. Month and day names come from Intl; its names of currencies have the country in them ("US
 * dollars"), which people leave out.
 */
export interface SpokenData extends SaidWords {
  /** The value of each name, largest first. */
  readonly scales: Readonly<Record<string, number>>;
  /** One word for every number, or one for a single unit and one for several. Without hundredths, `part` is empty. */
  readonly currencies: Readonly<
    Record<Currency, { readonly unit: readonly string[]; readonly part: readonly string[] }>
  >;
}

const pair = (words: readonly string[]): readonly [string, string] | null => {
  const [one, several = one] = words;
  return one === undefined || several === undefined ? null : [one, several];
};

const scalesOf = (scales: SpokenData['scales']): SpokenWords['scales'] =>
  Object.entries(scales).map(([word, value]) => [value, word]);

function wordsOf(locale: string, { scales, currencies, ...said }: SpokenData): SpokenWords {
  const named = Object.entries(currencies).map(([currency, { unit, part }]) => [
    currency,
    { unit: pair(unit) ?? ['', ''], part: pair(part) },
  ]);
  return {
    ...said,
    locale,
    scales: scalesOf(scales),
    currencies: Object.fromEntries(named) as SpokenWords['currencies'],
  };
}

/** Everywhere but in America the day comes first. */
const BRITISH_DATE = { full: '{d} of {month} {y}', short: '{d} of {month}' };
const INDIAN_SCALES = scalesOf({ crore: 10_000_000, lakh: 100_000, thousand: 1_000 });
/** How the English of other countries differs from the American one. */
const VARIANTS: Readonly<Partial<Record<Language, Partial<SpokenWords>>>> = {
  'en-GB': { date: BRITISH_DATE },
  'en-AU': { date: BRITISH_DATE },
  'en-IN': { date: BRITISH_DATE, scales: INDIAN_SCALES },
};

export const SPOKEN_WORDS = Object.fromEntries(
  LANGUAGES.map((language) => {
    const { locale, spoken } = PHRASE_DATA[WRITTEN[language]];
    return [language, { ...wordsOf(locale, spoken), ...VARIANTS[language] }];
  }),
) as Readonly<Record<Language, SpokenWords>>;
