import { normal } from './text.ts';
import { polarity } from './understanding/answer.ts';
import { dateIn, timeIn, weekdays } from './understanding/calendar.ts';
import { asksSomething, intentOf } from './understanding/intents.ts';
import { numberAt, numberIn, ordinalIn } from './understanding/numbers.ts';
import { wordingFor } from './wording/for-language.ts';
import type { LanguageData } from './wording/types.ts';
import type { Language } from '../../../shared/languages.ts';

type Day =
  | { kind: 'in_days'; days: number }
  | { kind: 'weekday'; weekday: number }
  | { kind: 'date'; month: number | null; day: number };

/** What lines of a conversation say, for those who read it afterwards. */
export const languageSense = {
  intent: (text: string, language: Language): string | null => intentOf(text, wordingFor(language)),
  polarity: (text: string, language: Language): 'yes' | 'no' | null => polarity(text, wordingFor(language)),
  asks: (text: string, language: Language): boolean => asksSomething(text, wordingFor(language)),
  number: (text: string): number | null => numberIn(text),
  day: (text: string, language: Language): Day | null => dayIn(text, wordingFor(language)),
  time: (text: string, language: Language): { hour: number; minute: number } | null =>
    hourIn(text, wordingFor(language)),
};

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

function dayIn(text: string, language: LanguageData): Day | null {
  const found = dateIn(text, language);
  if (found === null) return null;
  const line = normal(found);
  const isOne = (words: readonly string[]): boolean => words.some((word) => normal(word) === line);
  if (line === 'day after tomorrow' || isOne(language.dayAfterTomorrow)) return { kind: 'in_days', days: 2 };
  if (line === 'tomorrow' || isOne(language.tomorrow)) return { kind: 'in_days', days: 1 };
  if (line === 'today' || line === 'tonight' || isOne(language.today)) return { kind: 'in_days', days: 0 };
  const bare = line.replace(/^next /, '');
  for (const locale of [language.locale, 'en']) {
    const weekday = weekdays(locale).findIndex((name) => normal(name) === bare);
    if (weekday >= 0) return { kind: 'weekday', weekday: weekday + 1 };
  }
  const month = MONTHS.findIndex((name) => line.split(' ').includes(name));
  const day = ordinalIn(line.split(' ')) ?? numberIn(line);
  if (day === null || day < 1 || day > 31) return null;
  if (month >= 0) return { kind: 'date', month: month + 1, day };
  return /^the \d/.test(line) ? { kind: 'date', month: null, day } : null;
}

/** Hours from one to seven without "am" are those of the afternoon, as people mean them when they make plans. */
function hourIn(text: string, language: LanguageData): { hour: number; minute: number } | null {
  const found = timeIn(text, language);
  if (found === null) return null;
  const line = found.toLowerCase();
  if (/^(?:noon|midday)$/.test(line)) return { hour: 12, minute: 0 };
  if (line === 'midnight') return { hour: 0, minute: 0 };
  const past = /^(half past|quarter past|quarter to) (\w+)$/.exec(line);
  const clock = /^(\d{1,2})(?::(\d{2}))?/.exec(line);
  const said = past === null ? Number(clock?.[1]) : numberAt([past[2] ?? ''], 0)?.value;
  if (said === undefined || !Number.isInteger(said) || said > 23) return null;
  const minute =
    past === null ? Number(clock?.[2] ?? 0) : { half: 30, quarter: 15 }[past[1]?.split(' ')[0] as 'half'];
  const isMorning = /\bam\b|morning/.test(line);
  const isLater = /\bpm\b|afternoon|evening|night/.test(line);
  const hour =
    isLater || (!isMorning && said >= 1 && said <= 7)
      ? (said % 12) + 12
      : isMorning && said === 12
        ? 0
        : said;
  if (past !== null && (past[1] ?? '').endsWith('to')) {
    return { hour: (hour + 23) % 24, minute: 45 };
  }
  return { hour, minute: minute ?? 0 };
}
