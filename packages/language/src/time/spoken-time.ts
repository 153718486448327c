import type { DayPart, PhraseTable } from '../phrases/phrase-table.ts';
import { isAnyTime, readEnglishTime } from './english-time.ts';
import { readNativeTime } from './native-time.ts';

/** A named day. Weekdays count from Monday as 1, months from January as 1. */
export type Day =
  | { readonly kind: 'in_days'; readonly days: number }
  | { readonly kind: 'in_months'; readonly months: number }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'date'; readonly year?: number; readonly month: number | null; readonly day: number }
  /** Several days ("next week"); resolved to the first one that fits. */
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'any' };
export type Span =
  | 'this week'
  | 'next week'
  | 'weekend'
  | 'next weekend'
  | 'end of the week'
  | 'this month'
  | 'next month'
  | 'end of the month';

/** A named time of day. At least one of `hour` and `part` is set. */
export interface Clock {
  /** 0–24; null where only a part of the day was named. */
  readonly hour: number | null;
  /** Negative before the hour ("quarter to three": 3 and -15). */
  readonly minute: number;
  readonly half: 'am' | 'pm' | null;
  readonly part: DayPart | 'midnight' | null;
}

/** The day and time that one line of text names, before they are resolved to an instant. */
export interface SpokenTime {
  /** `text`: as the agent repeats it, in the language of the call. `english`: for tools. */
  readonly day: { readonly text: string; readonly english: string; readonly value: Day } | null;
  /** `text` is empty where the day says it already ("tonight"). */
  readonly clock: { readonly text: string; readonly english: string; readonly value: Clock } | null;
  /** "In two hours". */
  readonly fromNow: { readonly text: string; readonly english: string; readonly ms: number } | null;
  /** Offset from UTC of an ISO 8601 time, ms; null: the wall clock of the zone it is resolved in. */
  readonly offsetMs: number | null;
}

export interface ReadOptions {
  /** The line answers a question for a time, so a bare number word is an hour. Default false. */
  readonly isAnswer?: boolean;
}

/**
 * Reads the day and the time of day that a line names in the language or in English. This is the only reader of times:
 * callbacks, analyses and the script brain share it, so one phrase means one instant everywhere.
 */
export function readTime(
  text: string,
  table: PhraseTable,
  { isAnswer = false }: ReadOptions = {},
): SpokenTime {
  return table.locale === 'en' ? readEnglishTime(text, isAnswer) : readNativeTime(text, table, isAnswer);
}

/** The named day, worded for a read-back; null for none. */
export const dateIn = (text: string, table: PhraseTable): string | null =>
  readTime(text, table, { isAnswer: true }).day?.text ?? null;

/** The time of day in the answer to a question for it, worded for a read-back; null for none. */
export function timeIn(text: string, table: PhraseTable): string | null {
  const { clock, fromNow } = readTime(text, table, { isAnswer: true });
  const named = clock?.text || fromNow?.text;
  return named || (isAnyTime(text) ? 'any time' : null);
}

/** A callback time: `text` for the read-back, `english` for tools. */
export interface Moment {
  readonly text: string;
  readonly english: string;
}

/** The callback time that a line names; null for none. */
export function momentIn(text: string, table: PhraseTable, options: ReadOptions = {}): Moment | null {
  const { day, clock, fromNow } = readTime(text, table, options);
  if (fromNow !== null) return { text: fromNow.text, english: fromNow.english };
  if (day === null && clock === null) return null;
  return {
    text: dayAndTime(day?.text ?? null, clock?.text ?? null),
    english: dayAndTime(day?.english ?? null, clock?.english ?? null),
  };
}

/** Joins day and time into one phrase. */
export function dayAndTime(day: string | null, time: string | null): string {
  const clock = time !== null && /^\d/.test(time) ? `at ${time}` : time;
  return [day, clock].filter((part) => part !== null && part !== '').join(' ');
}
