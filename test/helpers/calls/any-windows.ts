import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { callWindow, isValidZone, type CallWindow } from '../../../src/domain/call-windows/call-window.ts';

export const zones = Intl.supportedValuesOf('timeZone').filter((zone) => isValidZone(zone));
export const from = Date.UTC(2026, 0, 1);
export const tenYears = Date.UTC(2036, 0, 1) - from;
const minutes = fc.integer({ min: 0, max: 1439 });
const WEEK = [0, 1, 2, 3, 4, 5, 6];
/** Instants within these ten years. */
export const seconds = fc.integer({ min: 0, max: tenYears / 1000 }).map((s) => from + s * 1000);
export const slot = fc.record({ startMinute: minutes, endMinute: minutes });
export const days = fc.option(
  fc.subarray(WEEK, { minLength: 1 }).map((on) => WEEK.map((day) => on.includes(day))),
  { nil: null },
);

/** A callee for windows that do not depend on the callee's time zone. */
export const CALLEE = '+14155550123';
/** A window of the same hours every day. */
export const window = (start: string, end: string, timezone: string): CallWindow =>
  callWindow({ callStartTime: start, callEndTime: end, timezone }, null, CALLEE);
export const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
export const iso = (instant: number | null): string =>
  instant === null ? 'never' : new Date(instant).toISOString();

/**
 * Reference implementation on Temporal of whether a window is open. On each local date on which a slot opens, it is
 * open from the first instant at which the clock shows its start until the first at which it shows its end, while the
 * clock reads within the slot; in every zone of the window.
 */
export function openByTemporal(w: CallWindow, instant: number): boolean {
  return w.zones.every((zone) =>
    w.slots.some(({ startMinute, endMinute }) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
      // Temporal numbers the days of the week from Monday 1 to Sunday 7.
      const isOn = (date: Temporal.PlainDate): boolean =>
        w.days === null || w.days[date.dayOfWeek % 7] === true;
      if (startMinute === endMinute) return isOn(zoned.toPlainDate());
      const minute = zoned.hour * 60 + zoned.minute;
      const crosses = endMinute < startMinute;
      const inside = crosses
        ? minute >= startMinute || minute < endMinute
        : minute >= startMinute && minute < endMinute;
      if (!inside) return false;
      return [0, -1].some((days) => {
        const date = zoned.toPlainDate().add({ days });
        if (!isOn(date)) return false;
        const opens = firstShown(zone, date, startMinute);
        const closes = firstShown(zone, crosses ? date.add({ days: 1 }) : date, endMinute);
        return instant >= opens && instant < closes;
      });
    }),
  );
}

function firstShown(zone: string, day: Temporal.PlainDate, minute: number): number {
  const wall = day.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(wall)) return earlier.epochMilliseconds;
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' });
  return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? later.epochMilliseconds;
}
