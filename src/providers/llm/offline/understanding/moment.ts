import { asciiDigits, hasPhrase, normal } from '../text.ts';
import type { LanguageData } from '../wording/types.ts';
import { dateIn, monthDayIn, timeIn, weekdayIn } from './calendar.ts';
import { dayPartIn, unitFromNow, without } from './day-parts.ts';

/** A time to call back: as it is said back, and in the English that every tool and time reader knows. */
export interface Moment {
  readonly said: string;
  readonly when: string;
}

const RELATIVE =
  /\b(?:in|after) (?:about )?(?:half an|an?|a couple of|a few|\d{1,3}|(?:twenty|thirty|forty|fifty) \w+|\w+) (?:minute|min|hour|day|week)s?\b|\b(?:half an|an?|\d{1,3}|(?:twenty|thirty|forty|fifty) \w+|\w+) (?:minute|min|hour)s? (?:later|from now)\b/;

/** Day and time as one phrase; a time that the day already holds is not repeated. */
export function momentOf(date: string | null, time: string | null): string {
  const clock = time !== null && /^\d/.test(time) ? `at ${time}` : time;
  if (date === null || clock === null) return date ?? clock ?? '';
  return date.includes(time?.split(' ')[0] ?? '') ? date : `${date} ${clock}`;
}

/** The time to call back that a line names; null when there is none. `date` and `time`: how it is said back. */
export function momentIn(
  text: string,
  language: LanguageData,
  date = dateIn(text, language),
  time = timeIn(text, language),
): Moment | null {
  const relative = RELATIVE.exec(normal(text))?.[0];
  if (relative !== undefined) return { said: relative, when: relative };
  const said = momentOf(date, time);
  if (language.locale === 'en') return said === '' ? null : { said, when: said };
  return nativeMoment(text, language, said);
}

/** Where no time was understood: soon, and it is said when. */
export const soon = (language: LanguageData): Moment => fromNow(language, 2, 'hour');

const fromNow = ({ locale }: LanguageData, amount: number, unit: 'hour' | 'minute'): Moment => ({
  said: new Intl.RelativeTimeFormat(locale).format(amount, unit),
  when: `in ${amount} ${unit}s`,
});

function nativeMoment(text: string, language: LanguageData, said: string): Moment | null {
  const line = normal(text).replace(/[\u064b-\u0652]/gu, '');
  const unit = unitFromNow(line, language.locale);
  const amount = unit === null ? null : (numberIn(line, language, 59) ?? 1);
  if (unit !== null && amount !== null) return fromNow(language, amount, unit);
  const { day, rest } = dayIn(line, language);
  const part = dayPartIn(rest, language.locale);
  const clock = /(?<!\d)(\d{1,2}[:.]\d{2})(?!\d)/.exec(asciiDigits(text))?.[1];
  const hour = clock ?? numberIn(rest, language, 24);
  const at = hour === null ? part : `at ${hour}${part === null ? '' : ` in the ${part}`}`;
  const when = [day, at].filter((word) => word !== null).join(' ');
  // What was said in English is read as English.
  if (when === '') return said === '' ? null : { said, when: said };
  const isEnglish = day === null && part === null && /[a-z]/.test(said);
  return { said: said === '' ? when : said, when: isEnglish ? said : when };
}

/** The day in English, and what is left of the line without it: "မနက်ဖြန်", tomorrow, begins like "မနက်", morning. */
function dayIn(line: string, language: LanguageData): { day: string | null; rest: string } {
  for (const [day, phrases] of [
    ['day after tomorrow', language.dayAfterTomorrow],
    ['tomorrow', language.tomorrow],
  ] as const) {
    const rest = without(
      line,
      phrases.map((phrase) => normal(phrase)),
    );
    if (rest !== null) return { day, rest };
  }
  const weekday = weekdayIn(line, language);
  if (weekday !== null) return { day: weekday, rest: line };
  const date = monthDayIn(line, language);
  if (date !== null) return { day: date, rest: line.replace(/\d{1,2}/, ' ') };
  return { day: language.today.some((word) => hasPhrase(line, normal(word))) ? 'today' : null, rest: line };
}

/** A number of at most `most`, in digits or in the language's words; the longest word wins. */
function numberIn(line: string, language: LanguageData, most: number): number | null {
  const digits = /(?<!\d)(\d{1,2})(?!\d)/.exec(line)?.[1];
  const named = language.numbers
    .filter(([word, value]) => value >= 1 && value <= most && hasPhrase(line, normal(word)))
    .toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
  const number = digits === undefined ? named : Number(digits);
  return number === undefined || number > most ? null : number;
}
