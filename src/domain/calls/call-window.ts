import type { CallTime } from '../agents/call-config.ts';
import { instantsOf, localTime, offsetAt } from './time-zone.ts';

export { isValidZone } from './time-zone.ts';

/**
 * When calls may be dialled. Minutes of the day, start inclusive, end exclusive. An end before the start crosses
 * midnight; the same start and end mean the whole day.
 */
export interface CallWindow {
  readonly startMinute: number;
  readonly endMinute: number;
  readonly timezone: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Every day has an opening except one whose window is skipped by a clock change or that a zone leaves out. */
const DAYS_AHEAD = 4;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const DEFAULTS: CallTime = { call_start_time: '09:00', call_end_time: '21:00', timezone: 'Asia/Kolkata' };

/** Minute of the day of an `HH:MM` text; null when it is not zero-padded 24-hour time. */
export function minuteOfDay(text: string): number | null {
  const match = TIME.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/**
 * The window of a call: the agent's `call_time` with the call's own laid over it key by key. Throws for values that
 * the API does not let in.
 */
export function callWindow(
  agent: Partial<CallTime> | null | undefined,
  call: Partial<CallTime> | null | undefined,
): CallWindow {
  const time = { ...DEFAULTS, ...agent, ...call };
  const startMinute = minuteOfDay(time.call_start_time);
  const endMinute = minuteOfDay(time.call_end_time);
  if (startMinute === null || endMinute === null) throw new RangeError('call_time is not HH:MM');
  return { startMinute, endMinute, timezone: time.timezone };
}

/** Whether a call may be dialled at `at` (epoch ms). */
export function isOpen(window: CallWindow, at: number): boolean {
  const { startMinute, endMinute, timezone } = window;
  if (startMinute === endMinute) return true;
  const local = localTime(timezone, at);
  const minute = Math.floor((((local % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);
  const byClock =
    startMinute < endMinute
      ? minute >= startMinute && minute < endMinute
      : minute >= startMinute || minute < endMinute;
  if (!byClock) return false;
  // Where the clock was set back within the last day it may show open minutes a second time: a window that has
  // closed stays closed for that date.
  if (offsetAt(timezone, at - DAY_MS - 3 * 60 * MINUTE_MS) <= offsetAt(timezone, at)) return true;
  const today = Math.floor(local / DAY_MS);
  return [today, today - 1].some((day) => {
    const { opens, closes } = windowOfDay(window, day);
    return at >= opens && at < closes;
  });
}

/** The first instant at or after `at` at which the window is open; `at` itself when it is. */
export function nextOpening(window: CallWindow, at: number): number {
  if (isOpen(window, at)) return at;
  const today = Math.floor(localTime(window.timezone, at) / DAY_MS);
  let best = Number.POSITIVE_INFINITY;
  for (let day = today - 1; day <= today + DAYS_AHEAD; day += 1) {
    for (const instant of instantsOf(window.timezone, day * DAY_MS + window.startMinute * MINUTE_MS)) {
      if (instant >= at && instant < best && isOpen(window, instant)) best = instant;
    }
    if (best < Number.POSITIVE_INFINITY) return best;
  }
  throw new RangeError('calling window never opens');
}

function windowOfDay(window: CallWindow, day: number): { opens: number; closes: number } {
  const { startMinute, endMinute, timezone } = window;
  const endDay = endMinute > startMinute ? day : day + 1;
  const opens = instantsOf(timezone, day * DAY_MS + startMinute * MINUTE_MS)[0] ?? 0;
  const closes = instantsOf(timezone, endDay * DAY_MS + endMinute * MINUTE_MS)[0] ?? 0;
  return { opens, closes };
}
