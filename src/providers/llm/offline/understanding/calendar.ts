import { hasPhrase, normal, words } from '../text.ts';
import { numberAt, ordinalIn } from './numbers.ts';
import type { LanguageData } from '../wording/types.ts';

const names = (
  locale: string,
  options: Intl.DateTimeFormatOptions,
  count: number,
  day: (at: number) => Date,
): string[] => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return Array.from({ length: count }, (_, at) => format.format(day(at)));
};

/** Monday to Sunday in the language, as spoken. */
export const weekdays = (locale: string): string[] =>
  names(locale, { weekday: 'long' }, 7, (at) => new Date(Date.UTC(2026, 0, 5 + at)));

const months = (locale: string): string[] =>
  names(locale, { month: 'long' }, 12, (at) => new Date(Date.UTC(2026, at, 15)));

/** A day or date as the caller put it, ready to be said back; null when there is none. */
export function dateIn(text: string, language: LanguageData): string | null {
  const line = normal(text);
  const english = language.locale === 'en' ? null : englishDate(line);
  return nativeDate(line, language) ?? english;
}

function nativeDate(line: string, language: LanguageData): string | null {
  if (language.locale === 'en') return englishDate(line);
  for (const [phrases, value] of [
    [language.dayAfterTomorrow, language.dayAfterTomorrow[0]],
    [language.tomorrow, language.tomorrow[0]],
    [language.today, language.today[0]],
  ] as const) {
    if (value !== undefined && phrases.some((phrase) => hasPhrase(line, normal(phrase)))) return value;
  }
  const date = dayOfMonth(line, language);
  if (date !== null) return `${date.day} ${months(language.locale)[date.month] ?? ''}`;
  return weekdays(language.locale)[weekdayAt(line, language)] ?? null;
}

const weekdayAt = (line: string, { locale }: LanguageData): number =>
  weekdays(locale).findIndex((name) => line.includes(normal(name)) || line.includes(dayStem(name)));

function dayOfMonth(line: string, { locale }: LanguageData): { day: string; month: number } | null {
  const month = months(locale).findIndex((name) => normal(name).length > 1 && hasPhrase(line, normal(name)));
  const day = /\b(\d{1,2})\b/.exec(line)?.[1];
  return month === -1 || day === undefined ? null : { day, month };
}

/** The English name of the weekday in a line of another language. */
export const weekdayIn = (line: string, language: LanguageData): string | null =>
  weekdays('en')[weekdayAt(line, language)] ?? null;

/** "5 May" for a date in another language. */
export function monthDayIn(line: string, language: LanguageData): string | null {
  const date = dayOfMonth(line, language);
  return date === null ? null : `${date.day} ${months('en')[date.month] ?? ''}`;
}

/** "सोमवार" is also said "सोम": the name without its word for day. */
const dayStem = (name: string): string => {
  const stem = normal(name).replace(/(?:वार|বার|વાર|ਵਾਰ|ବାର|వారం|ವಾರ|க்கிழமை|क्किळमै)$/u, '');
  return stem === '' || stem === normal(name) ? normal(name) : stem;
};

const DAYS = weekdays('en').map((day) => day.toLowerCase());
const MONTHS = months('en').map((month) => month.toLowerCase());

function englishDate(line: string): string | null {
  const relative =
    /\b(day after tomorrow|tomorrow|today|tonight|this weekend|next weekend|(?:this|next) (?:week|month)|(?:in|after) (?:\w+ ){1,2}(?:days?|weeks?|months?)|end of the (?:week|month))\b/.exec(
      line,
    );
  const tokens = words(line);
  const day = DAYS.find((name) =>
    tokens.some(
      (token) =>
        token === name ||
        token === `${name}s` ||
        (token.length >= 3 &&
          token === name.slice(0, token.length) &&
          token.length <= 4 &&
          !/^(?:mon|sun|sat|wed)$/.test(token)) ||
        token === name.slice(0, 3),
    ),
  );
  const at = tokens.findIndex((token) =>
    MONTHS.some(
      (name) => token === name || (token !== 'may' && token.length === 3 && name.startsWith(token)),
    ),
  );
  const month = at < 0 ? undefined : MONTHS.find((name) => name.startsWith(tokens[at] ?? '-'));
  const ordinal = ordinalIn(tokens);
  if (
    month !== undefined &&
    !(month === 'may' && ordinal === null && !/\bmay \d|\d (?:of )?may\b|in may\b/.test(line))
  ) {
    const number = ordinal ?? numberNear(tokens, at);
    const name = capital(month);
    return number === null ? name : `${name} ${number}`;
  }
  if (day !== undefined) return `${/\bnext\b/.test(line) ? 'next ' : ''}${capital(day)}`;
  if (relative) return relative[1] ?? null;
  if (ordinal !== null && !/\b(?:option|one)\b/.test(line)) return `the ${ordinal}${suffix(ordinal)}`;
  const numeric = /\b(\d{1,2})[ /.-](\d{1,2})(?:[ /.-]\d{2,4})?\b/.exec(line);
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])];
    if (first >= 1 && first <= 31 && second >= 1 && second <= 12)
      return `${first} ${capital(MONTHS[second - 1] ?? '')}`;
  }
  return /\b(?:any ?day|any ?time|whenever)\b/.test(line) ? 'any day' : null;
}

function numberNear(tokens: readonly string[], month: number): number | null {
  const after = numberAt(tokens, month + 1)?.value;
  const before = numberAt(tokens, tokens[month - 1] === 'of' ? month - 2 : month - 1)?.value;
  const value = after ?? before;
  return value !== undefined && value >= 1 && value <= 31 ? value : null;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const suffix = (day: number): string =>
  day > 10 && day < 14 ? 'th' : day % 10 === 1 ? 'st' : day % 10 === 2 ? 'nd' : day % 10 === 3 ? 'rd' : 'th';

/** A time of day as said ("3 pm", "half past two", "morning"); null when there is none. */
export function timeIn(text: string, language: LanguageData): string | null {
  const clock = /\b(\d{1,2})[:.](\d{2})\s*(a\.?m\b|p\.?m\b)?/i.exec(text);
  if (clock && Number(clock[1]) < 24 && Number(clock[2]) < 60) {
    return `${clock[1] ?? ''}:${clock[2] ?? ''}${clock[3] === undefined ? '' : ` ${clock[3].replace(/\./g, '').toLowerCase()}`}`;
  }
  const line = normal(text);
  const part = language.timeWords.find((word) => hasPhrase(line, normal(word)));
  if (language.locale !== 'en') {
    const hour =
      /(\d{1,2})/.exec(line)?.[1] ??
      language.numbers.find(
        ([word, value]) => value >= 1 && value <= 12 && hasPhrase(line, normal(word)),
      )?.[0];
    if (hour !== undefined) return part === undefined ? hour : `${part} ${hour}`;
    return part ?? englishTime(line);
  }
  return englishTime(line);
}

function englishTime(line: string): string | null {
  const tokens = words(line.replace(/\b(\d{1,2})(am|pm)\b/g, '$1 $2').replace(/\b([ap]) m\b/g, '$1m'));
  const joined = tokens.join(' ');
  const phase = /\b(morning|afternoon|evening|night|noon|midday|midnight|lunchtime)\b/.exec(joined)?.[1];
  const half = /\b(half past|quarter past|quarter to) (\w+)\b/.exec(joined);
  if (half && numberAt([half[2] ?? ''], 0)) return `${half[1] ?? ''} ${half[2] ?? ''}`;
  for (let at = 0; at < tokens.length; at++) {
    const read = numberAt(tokens, at);
    if (!read || read.value > 24) continue;
    const minutes = numberAt(tokens, read.end);
    const withMinutes = minutes !== null && minutes.value >= 10 && minutes.value < 60;
    const end = withMinutes ? minutes.end : read.end;
    const half12 = tokens[end] === 'am' || tokens[end] === 'pm' ? ` ${tokens[end] ?? ''}` : '';
    const hour = withMinutes ? `${read.value}:${minutes.value}` : `${read.value}`;
    const clock = tokens[end] === 'oclock' || (tokens[end] === 'o' && tokens[end + 1] === 'clock');
    const plain = half12 === '' && phase !== undefined && phase !== 'noon' ? ` in the ${phase}` : half12;
    return `${hour}${plain === '' && (clock || !withMinutes) ? " o'clock" : plain}`;
  }
  if (phase === undefined) return /\b(?:any ?time|whenever)\b/.test(joined) ? 'any time' : null;
  return phase;
}
