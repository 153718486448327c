import { localTime } from './time-zone.ts';

const DAY_MS = 86_400_000;
/** The step of the zones' offsets and of their changes. */
const STEP_MS = 900_000;
/** Zones are at most 14 hours ahead of UTC. */
const MOST_AHEAD_MS = 14 * 3_600_000;
/** Clocks change by less. */
const NEAR_MS = 3 * 3_600_000;

/** The day of an instant on the clock of a zone, in days since 1970. */
export const dayNumber = (zone: string, at: number): number => Math.floor(localTime(zone, at) / DAY_MS);

/** As `YYYY-MM-DD`. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The first instant of a day in a zone: midnight, or later where the clock leaps over it. */
export function startOfDayNumber(zone: string, day: number): number {
  let at = day * DAY_MS - MOST_AHEAD_MS;
  while (dayNumber(zone, at) < day) {
    const left = day * DAY_MS - localTime(zone, at);
    at += left > NEAR_MS + STEP_MS ? left - NEAR_MS : STEP_MS;
  }
  return at;
}

/** The day `YYYY-MM-DD` of an instant in a zone. */
export const dayAt = (zone: string, at: number): string => dayText(dayNumber(zone, at));

/** The bounds of the day `YYYY-MM-DD` in a zone; `until` is exclusive. */
export function boundsOfDay(zone: string, day: string): { from: number; until: number } {
  const number = Date.parse(day) / DAY_MS;
  return { from: startOfDayNumber(zone, number), until: startOfDayNumber(zone, number + 1) };
}
