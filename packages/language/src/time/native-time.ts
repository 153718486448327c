import type { DayPart, PhraseTable } from '../phrases/phrase-table.ts';
import { inNativeScript } from '../romanised.ts';
import { asciiDigits, hasPhrase, normal, normalPhrase, words } from '../text.ts';
import { months, weekdays } from './calendar.ts';
import { readEnglishTime } from './english-time.ts';
import type { SpokenTime } from './spoken-time.ts';

const MINUTE_MS = 60_000;
/** Arabic vowel signs are optional in writing. */
const VOWEL_SIGNS = /[\u064b-\u0652]/gu;

/** Reads a line in a language other than English; English words in it are read as English. */
export function readNativeTime(said: string, table: PhraseTable, isAnswer: boolean): SpokenTime {
  const text = inNativeScript(said, table);
  const line = normal(text).replace(VOWEL_SIGNS, '');
  const english = readEnglishTime(text, isAnswer);
  if (english.fromNow !== null || english.offsetMs !== null) return english;
  const fromNow = readFromNow(line, table);
  if (fromNow !== null) return { day: null, clock: null, fromNow, offsetMs: null };
  const { day, rest } = readDay(line, table);
  return {
    day: day ?? english.day,
    clock: readClock(rest, text, table, { english, isAnswer }),
    fromNow: null,
    offsetMs: null,
  };
}

/** "In two hours" in another language; a missing number means one. */
function readFromNow(line: string, table: PhraseTable): SpokenTime['fromNow'] {
  const unit = unitFromNow(line, table);
  return unit === null ? null : fromNowIn(table, numberIn(line, table, 59)?.value ?? 1, unit);
}

/** A time from now, worded by Intl for the language. */
export function fromNowIn(
  { locale }: PhraseTable,
  amount: number,
  unit: 'hour' | 'minute',
): NonNullable<SpokenTime['fromNow']> {
  return {
    text: new Intl.RelativeTimeFormat(locale).format(amount, unit),
    english: `in ${amount} ${unit}s`,
    ms: amount * (unit === 'hour' ? 60 : 1) * MINUTE_MS,
  };
}

function unitFromNow(line: string, { time: { fromNow } }: PhraseTable): 'hour' | 'minute' | null {
  if (fromNow === null || !fromNow.after.test(line)) return null;
  if (fromNow.minute.test(line)) return 'minute';
  return fromNow.hour.test(line) ? 'hour' : null;
}

interface NativeDay {
  readonly day: SpokenTime['day'];
  /** The line without the day: Burmese "tomorrow" begins like "morning", and a day of the month must not become an hour. */
  readonly rest: string;
}

function readDay(line: string, table: PhraseTable): NativeDay {
  const { today, tomorrow, dayAfterTomorrow } = table.time;
  for (const [phrases, english, days] of [
    [dayAfterTomorrow, 'day after tomorrow', 2],
    [tomorrow, 'tomorrow', 1],
  ] as const) {
    const rest = without(line, phrases);
    if (rest !== null)
      return { day: { text: phrases[0] ?? english, english, value: { kind: 'in_days', days } }, rest };
  }
  const date = dayOfMonth(line, table);
  if (date !== null) {
    const text = `${date.day} ${months(table.locale)[date.month - 1] ?? ''}`;
    const english = `${date.day} ${months('en')[date.month - 1] ?? ''}`;
    return { day: { text, english, value: { kind: 'date', ...date } }, rest: line.replace(/\d{1,2}/, ' ') };
  }
  const weekday = weekdayAt(line, table);
  if (weekday >= 0) {
    const [text = '', english = ''] = [weekdays(table.locale)[weekday], weekdays('en')[weekday]];
    return { day: { text, english, value: { kind: 'weekday', weekday: weekday + 1 } }, rest: line };
  }
  if (today.some((word) => hasPhrase(line, normalPhrase(word)))) {
    const day = { text: today[0] ?? 'today', english: 'today', value: { kind: 'in_days', days: 0 } } as const;
    return { day, rest: line };
  }
  return { day: null, rest: line };
}

/** The line without the longest of `phrases` in it; null where it holds none. */
function without(line: string, phrases: readonly string[]): string | null {
  const found = phrases
    .map((phrase) => normalPhrase(phrase).replace(VOWEL_SIGNS, ''))
    .toSorted((a, b) => b.length - a.length)
    .find((phrase) => hasPhrase(line, phrase));
  return found === undefined ? null : line.replace(found, ' ');
}

const weekdayAt = (line: string, { locale }: PhraseTable): number =>
  weekdays(locale).findIndex((name) => line.includes(normalPhrase(name)) || line.includes(dayStem(name)));

/** The weekday's name without its word for day: "सोमवार" is also said "सोम". */
const dayStem = (name: string): string => {
  const stem = normalPhrase(name).replace(/(?:वार|বার|વાર|ਵਾਰ|ବାର|వారం|ವಾರ|க்கிழமை|क्किळमै)$/u, '');
  return stem === '' ? normalPhrase(name) : stem;
};

function dayOfMonth(line: string, { locale }: PhraseTable): { day: number; month: number } | null {
  const month = months(locale).findIndex(
    (name) => normalPhrase(name).length > 1 && hasPhrase(line, normalPhrase(name)),
  );
  const day = /\b(\d{1,2})\b/.exec(line)?.[1];
  return month === -1 || day === undefined ? null : { day: Number(day), month: month + 1 };
}

function readClock(
  rest: string,
  text: string,
  table: PhraseTable,
  also: { readonly english: SpokenTime; readonly isAnswer: boolean },
): SpokenTime['clock'] {
  const part = dayPartIn(rest, table);
  const colon = /(?<!\d)(\d{1,2})[:.](\d{2})(?!\d)/.exec(asciiDigits(text));
  const number = numberIn(rest, table, 24);
  const isWord = number !== null && !/^\d/.test(number.word);
  // Digits alone: the English reader also understands am and pm ("5 pm").
  if (part === null && (number === null || !isWord)) return bare(also.english.clock);
  if (part === null && number?.value === 1 && !also.isAnswer) return bare(also.english.clock);
  const [hour, minute] = colon === null ? [number?.value ?? null, 0] : [Number(colon[1]), Number(colon[2])];
  if (minute > 59 || (hour ?? 0) > 24) return null;
  const word = colon?.[0] ?? number?.word ?? null;
  const partName = table.time.partNames.find((name) => hasPhrase(rest, normalPhrase(name))) ?? null;
  const shown = [partName, word].filter((piece) => piece !== null).join(' ');
  const at = hour === null ? null : `at ${colon?.[0] ?? hour}`;
  const english = at === null ? (part ?? '') : `${at}${part === null ? '' : ` in the ${part}`}`;
  return { text: shown === '' ? english : shown, english, value: { hour, minute, half: null, part } };
}

/** Removes the English "o'clock": other languages repeat the number alone. */
const bare = (clock: SpokenTime['clock']): SpokenTime['clock'] =>
  clock === null ? null : { ...clock, text: clock.text.replace(/ o'clock$/, '') };

const SPACELESS = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** The part of the day that a line in `normal` form names. */
function dayPartIn(line: string, table: PhraseTable): DayPart | null {
  const tokens = words(line);
  const found = table.time.partStems.find(([, stems]) =>
    stems
      .map((stem) => stem.normalize('NFKC'))
      .some((stem) =>
        SPACELESS.test(stem) || stem.includes(' ')
          ? line.includes(stem)
          : tokens.some((token) => token.startsWith(stem)),
      ),
  );
  return found?.[0] ?? null;
}

/** A number of at most `most`, in digits or in the language's words; the longest word wins. */
function numberIn(
  line: string,
  table: PhraseTable,
  most: number,
): { readonly value: number; readonly word: string } | null {
  const digits = /(?<!\d)(\d{1,2})(?!\d)/.exec(line)?.[1];
  if (digits !== undefined) return Number(digits) > most ? null : { value: Number(digits), word: digits };
  const named = table.numbers
    .filter(([word, value]) => value >= 1 && value <= most && hasPhrase(line, normalPhrase(word)))
    .toSorted(([a], [b]) => b.length - a.length)[0];
  return named === undefined ? null : { value: named[1], word: named[0] };
}
