import { changeOn, isValidZone, offsetAt } from '@callwright/language';
import { readerZone } from './time-zones.ts';

/** A part of a day in minutes, the end exclusive. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
export const DAY_MINUTES = 1440;
/** Minutes: a dragged edge moves in these steps, and stays this far from the other one. */
const STEP = 15;
/** How far ahead changes of the clocks are told. */
const WEEKS_AHEAD = 8;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** The minute of `HH:MM`; null for other text. */
export function minuteOf(time: string): number | null {
  const match = TIME.exec(time);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/** `HH:MM` of a minute of any day. */
export function timeOf(minute: number): string {
  const ofDay = wrapped(minute);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`;
}

const wrapped = (minute: number): number => ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;

/** A window as parts of one day: one that crosses midnight has two; equal times mean the whole day. */
export function partsOf(start: number, end: number): Part[] {
  if (start === end) return [{ start: 0, end: DAY_MINUTES }];
  if (start < end) return [{ start, end }];
  return [
    { start: 0, end },
    { start, end: DAY_MINUTES },
  ].filter((part) => part.start < part.end);
}

/** The parts on a clock that is `minutes` ahead. */
export const onClockAhead = (start: number, end: number, minutes: number): Part[] =>
  partsOf(wrapped(start + minutes), wrapped(end + minutes));

/** Minutes by which the clock of `to` is ahead of that of `from`. */
export const minutesAhead = (from: string, to: string, at: number): number =>
  Math.round((offsetAt(to, at) - offsetAt(from, at)) / MINUTE_MS);

/** Minutes by which the reader's clock is ahead of a window's; null where it shows the same hours. */
export function readerAhead(windows: readonly Part[], zone: string, now: number): number | null {
  const own = readerZone();
  if (!isValidZone(zone) || !isValidZone(own)) return null;
  const ahead = minutesAhead(zone, own, now);
  return ahead === 0 || windows.every(({ start, end }) => start === end) ? null : ahead;
}

/** The window with one edge dragged to a minute: on whole steps, and never onto the other edge. */
export function withEdge(start: number, end: number, edge: 'start' | 'end', minute: number): Part {
  const stepped = wrapped(Math.round(minute / STEP) * STEP);
  const other = edge === 'start' ? end : start;
  const isTooClose = Math.min(wrapped(stepped - other), wrapped(other - stepped)) < STEP;
  if (isTooClose) return { start, end };
  return edge === 'start' ? { start: stepped, end } : { start, end: stepped };
}

/** A change of the clocks of a zone. */
export interface ClockChange {
  readonly zone: string;
  /** Epoch ms. */
  readonly at: number;
  /** Minutes by which the clocks go forward; negative: back. */
  readonly minutes: number;
}

/** The next change of the clocks of each zone in the coming weeks, the earliest first. */
export function nextClockChanges(zones: readonly string[], now: number): ClockChange[] {
  const today = Math.floor(now / DAY_MS);
  return [...new Set(zones)]
    .flatMap((zone) => {
      for (let day = today; day < today + 7 * WEEKS_AHEAD; day += 1) {
        const at = changeOn(zone, day);
        if (at === null || at <= now) continue;
        return [
          {
            zone,
            at,
            minutes: Math.round((offsetAt(zone, at) - offsetAt(zone, at - MINUTE_MS)) / MINUTE_MS),
          },
        ];
      }
      return [];
    })
    .toSorted((a, b) => a.at - b.at);
}
