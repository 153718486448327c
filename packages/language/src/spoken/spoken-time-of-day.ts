import type { Language } from '../languages.ts';
import { spokenYear } from './spoken-number.ts';
import type { SpokenWords } from './spoken-words.ts';

/** The hours from which it is morning, afternoon, evening and night. */
const PART_FROM = {
  usual: [4, 12, 17, 20],
  ms: [4, 12, 14, 19],
  zh: [4, 12, 19, 19],
  ar: [4, 12, 16, 20],
} as const;

/** A time of day as people say it; null: not a time. `half`: am or pm, if given. */
export function spokenClock(
  hour: number,
  minute: number,
  half: 'am' | 'pm' | null,
  words: SpokenWords,
): string | null {
  if (hour > 24 || minute > 59 || (half !== null && (hour > 12 || hour === 0))) return null;
  const hours = half === null ? hour % 24 : (hour % 12) + (half === 'pm' ? 12 : 0);
  const template = minute === 0 ? words.clock.hour : words.clock.minute;
  const isEnglish = words.locale === 'en';
  return fill(template, {
    part: partOf(hours, words),
    h: String(hours % 12 === 0 ? 12 : hours % 12),
    m: isEnglish ? String(minute).padStart(2, '0') : String(minute),
  });
}

function partOf(hour: number, { parts, locale }: SpokenWords): string {
  if (locale === 'en') return hour < 12 ? parts.morning : parts.afternoon;
  const from = locale === 'ms' || locale === 'zh' || locale === 'ar' ? PART_FROM[locale] : PART_FROM.usual;
  if (hour < from[0] || hour >= from[3]) return parts.night;
  if (hour < from[1]) return parts.morning;
  return hour < from[2] ? parts.afternoon : parts.evening;
}

const MONTHS = new Map<string, readonly string[]>();

/** Names of the months, January first. */
function monthNames(locale: string): readonly string[] {
  let names = MONTHS.get(locale);
  if (names === undefined) {
    const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
      month: 'long',
      timeZone: 'UTC',
    });
    names = Array.from({ length: 12 }, (_, at) => format.format(new Date(Date.UTC(2026, at, 15))));
    MONTHS.set(locale, names);
  }
  return names;
}

/** A date in the language's order; null: there is no such date. */
export function spokenDate(
  { year, month, day }: { year: string | null; month: number; day: number },
  words: SpokenWords,
): string | null {
  const days = new Date(Date.UTC(Number(year ?? '2024'), month, 0)).getUTCDate();
  const name = monthNames(words.locale)[month - 1];
  if (name === undefined || day < 1 || day > days) return null;
  const template = year === null ? words.date.short : words.date.full;
  return fill(template, {
    d: words.locale === 'en' ? `${day}${ordinal(day)}` : String(day),
    month: name,
    y: year === null ? '' : spokenYear(year, words),
  });
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** Whether "3/4/2026" is the fourth of March. */
export const isMonthFirst = (language: Language): boolean => language === 'en-US';

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
