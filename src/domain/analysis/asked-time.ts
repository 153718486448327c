import type { Language } from '../../shared/languages.ts';
import { instantsOf, localTime } from '../calls/time-zone.ts';
import type { DayWords, LanguageSense } from './analysis.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SOON =
  /\b(?:in|after)\s+(?:about\s+|around\s+)?(half an|an?|one|two|three|four|five|ten|fifteen|twenty|thirty|forty|\d{1,3})\s+(minutes?|hours?)\b/i;
const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'half an': 0.5,
};

/** When the words are said, and where their clock hangs. */
export interface Said {
  readonly at: number;
  readonly zone: string;
  readonly language: Language;
}

/**
 * The instant that words such as "tomorrow at three" name, or null: without an hour there is none. A bare hour from
 * one to seven is read as afternoon, and an hour that is over today as tomorrow's when no day was named.
 */
export function askedTime(words: string, said: Said, sense: LanguageSense): number | null {
  const soon = SOON.exec(words);
  if (soon !== null) {
    const count = COUNTS[(soon[1] ?? '').toLowerCase()] ?? Number(soon[1]);
    const unit = (soon[2] ?? '').toLowerCase().startsWith('h') ? 60 : 1;
    return said.at + count * unit * MINUTE_MS;
  }
  const time = sense.time(words, said.language);
  if (time === null) return null;
  const now = localTime(said.zone, said.at);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const ofDay = (time.hour * 60 + time.minute) * MINUTE_MS;
  const day = sense.day(words, said.language);
  let date = day === null ? today : dateOf(day, today);
  if (date === null) return null;
  if (day === null && date + ofDay <= now) date += DAY_MS;
  if (day?.kind === 'weekday' && date + ofDay <= now) date += 7 * DAY_MS;
  const instant = instantsOf(said.zone, date + ofDay)[0] ?? null;
  return instant === null || instant <= said.at ? null : instant;
}

/** The day that words name as YYYY-MM-DD; null when they name none. */
export function askedDate(words: string, said: Said, sense: LanguageSense): string | null {
  const day = sense.day(words, said.language);
  if (day === null) return null;
  const today = Math.floor(localTime(said.zone, said.at) / DAY_MS) * DAY_MS;
  const date = dateOf(day, today);
  return date === null ? null : new Date(date).toISOString().slice(0, 10);
}

/** The first such day from today on, as local epoch ms of its midnight. A day that no month has is none. */
function dateOf(day: DayWords, today: number): number | null {
  if (day.kind === 'in_days') return today + day.days * DAY_MS;
  const now = new Date(today);
  if (day.kind === 'weekday') {
    const ahead = (day.weekday - (now.getUTCDay() === 0 ? 7 : now.getUTCDay()) + 7) % 7;
    return today + ahead * DAY_MS;
  }
  for (let months = 0; months <= 12; months++) {
    const month = now.getUTCMonth() + months;
    if (day.month !== null && (month % 12) + 1 !== day.month) continue;
    const date = Date.UTC(now.getUTCFullYear(), month, day.day);
    if (new Date(date).getUTCDate() === day.day && date >= today) return date;
  }
  return null;
}
