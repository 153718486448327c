import { localTime } from '@callwright/language';
import type { QuarterSums } from '../../../store/campaigns/attempt-sums.ts';

export const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** 1 January 1970 was a Thursday; the week begins on Monday. */
const EPOCH_DAY = 3;
export const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Ended attempts that were dialled in one hour of one weekday. */
export interface AnswerHour {
  readonly day: (typeof WEEK)[number];
  readonly hour: number;
  readonly calls: number;
  readonly answered: number;
}

/** The sums by weekday and hour of the zone's clock, Monday first; hours without a call are left out. Pure. */
export function answerHours(sums: readonly QuarterSums[], zone: string): AnswerHour[] {
  const hours = new Map<number, { calls: number; answered: number }>();
  for (const { quarter, calls, answered } of sums) {
    const local = Math.floor(localTime(zone, quarter * QUARTER_MS) / HOUR_MS);
    const weekday = (Math.floor(local / DAY_HOURS) + EPOCH_DAY) % 7;
    const key = weekday * DAY_HOURS + (local % DAY_HOURS);
    const hour = hours.get(key) ?? { calls: 0, answered: 0 };
    hour.calls += calls;
    hour.answered += answered;
    hours.set(key, hour);
  }
  return [...hours]
    .toSorted(([a], [b]) => a - b)
    .map(([key, sum]) => ({ day: WEEK[Math.floor(key / DAY_HOURS)]!, hour: key % DAY_HOURS, ...sum }));
}
