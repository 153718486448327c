import { instantsOf, localTime } from './time-zone.ts';
import type { Clock, Day, Span, SpokenTime } from './spoken-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Defaults where no time of day was named: ten in the morning, and two hours from now for today. */
const USUAL_HOUR = 10;
const SOON_MS = 2 * HOUR_MS;
/** The hour a part of the day stands for. */
const PART_HOURS: Readonly<Record<NonNullable<Clock['part']>, number>> = {
  morning: 10,
  noon: 12,
  afternoon: 15,
  evening: 18,
  night: 20,
  midnight: 24,
};

/** The finest unit that was named; everything finer is a default. */
export type Granularity = 'minute' | 'part' | 'day' | 'span' | 'any';

export interface ResolvedTime {
  /** Epoch ms. */
  readonly at: number;
  readonly granularity: Granularity;
}

/** The instant of speaking and the speaker's zone. */
export interface Reference {
  readonly now: number;
  readonly zone: string;
}

/**
 * Resolves a spoken time to an instant, which may be past ("today at nine"); null for none. Hours 1 to 7 without am, pm
 * or a part of the day are in the afternoon. An hour without a day is the next such hour. A weekday named on that
 * weekday is a week ahead.
 */
export function resolveTime(spoken: SpokenTime, { now, zone }: Reference): ResolvedTime | null {
  const { day, clock, fromNow, offsetMs } = spoken;
  if (fromNow !== null) return { at: now + fromNow.ms, granularity: 'minute' };
  if (day === null && clock === null) return null;
  const today = Math.floor(localTime(zone, now) / DAY_MS);
  const ofDay = clock === null ? null : timeOfDay(clock.value);
  const granularity = granularityOf(day?.value ?? null, clock?.value ?? null);
  const instant = (days: number, ms: number): number => {
    const local = days * DAY_MS + ms;
    return offsetMs === null ? (instantsOf(zone, local)[0] ?? local) : local - offsetMs;
  };
  if (day === null || day.value.kind === 'any') {
    if (ofDay === null) return { at: now + SOON_MS, granularity };
    const at = instant(today, ofDay);
    return { at: at > now ? at : instant(today + 1, ofDay), granularity };
  }
  const days = dayNumber(day.value, today);
  if (days === null) return null;
  if (days === today && ofDay === null) return { at: now + SOON_MS, granularity };
  return { at: instant(days, ofDay ?? USUAL_HOUR * HOUR_MS), granularity };
}

/** The named day as YYYY-MM-DD; null unless a single day was named. */
export function resolveDate({ day }: SpokenTime, { now, zone }: Reference): string | null {
  if (day === null || day.value.kind === 'span' || day.value.kind === 'any') return null;
  const days = dayNumber(day.value, Math.floor(localTime(zone, now) / DAY_MS));
  return days === null ? null : new Date(days * DAY_MS).toISOString().slice(0, 10);
}

function granularityOf(day: Day | null, clock: Clock | null): Granularity {
  if (day?.kind === 'span' || day?.kind === 'in_months') return 'span';
  if (clock === null) return day?.kind === 'any' ? 'any' : 'day';
  return clock.hour !== null || clock.part === 'noon' || clock.part === 'midnight' ? 'minute' : 'part';
}

/** The first matching day from today on, in days since 1970-01-01. Null for an impossible date and for a month alone. */
function dayNumber(day: Day, today: number): number | null {
  const now = new Date(today * DAY_MS);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (day.kind) {
    case 'in_days':
      return today + day.days;
    case 'in_months':
      return Date.UTC(year, month + day.months, now.getUTCDate()) / DAY_MS;
    case 'weekday': {
      const ahead = (day.weekday - 1 - weekdayOf(today) + 7) % 7;
      return today + (ahead === 0 ? 7 : ahead);
    }
    case 'date':
      return dateNumber(day, today);
    case 'span':
      return spanStart(day.span, today);
    case 'month':
    case 'any':
      break;
  }
  return null;
}

/** Monday is 0; 1970-01-01 was a Thursday. */
const weekdayOf = (days: number): number => (days + 3) % 7;

function dateNumber(date: Extract<Day, { kind: 'date' }>, today: number): number | null {
  const now = new Date(today * DAY_MS);
  for (let step = 0; step < 13; step++) {
    const month = date.month === null ? now.getUTCMonth() + step : date.month - 1;
    const year = date.year ?? now.getUTCFullYear() + (date.month === null ? 0 : step);
    const found = new Date(Date.UTC(year, month, date.day));
    const days = found.getTime() / DAY_MS;
    if (found.getUTCDate() === date.day && (days >= today || date.year !== undefined)) return days;
  }
  return null;
}

/** The first day of a span; on Saturday and Sunday "the weekend" is the current one. */
function spanStart(span: Span, today: number): number | null {
  const weekday = weekdayOf(today);
  const now = new Date(today * DAY_MS);
  const firstOf = (ahead: number): number =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1) / DAY_MS;
  switch (span) {
    case 'this week':
      return today + 1;
    case 'next week':
      return today + 7;
    case 'weekend':
      return today + Math.max(0, 5 - weekday);
    case 'next weekend':
      return today + 12 - weekday;
    case 'end of the week':
      return today + Math.max(0, 4 - weekday);
    case 'next month':
      return firstOf(1);
    case 'end of the month':
      return firstOf(1) - 1;
    case 'this month':
      break;
  }
  return null;
}

/** Ms from the day's midnight; beyond 24 h for "one at night", which belongs to the night that starts that day. */
function timeOfDay({ hour, minute, half, part }: Clock): number | null {
  if (hour === null) return part === null ? null : PART_HOURS[part] * HOUR_MS;
  return (hourOfDay(hour, half, part) * 60 + minute) * MINUTE_MS;
}

function hourOfDay(hour: number, half: Clock['half'], part: Clock['part']): number {
  if (half === 'am') return hour === 12 ? 0 : hour;
  if (half === 'pm') return hour === 12 ? 12 : (hour % 12) + 12;
  if (hour > 12) return hour;
  if (part !== null) return hourInPart(hour, PART_HOURS[part]);
  return hour >= 1 && hour <= 7 ? hour + 12 : hour;
}

function hourInPart(hour: number, part: number): number {
  if (part < 12) return hour;
  if (part < 18) return hour <= 9 ? hour + 12 : hour;
  if (part >= 20 && (hour === 12 || hour <= 4)) return 24 + (hour % 12);
  return hour === 12 ? hour : hour + 12;
}
