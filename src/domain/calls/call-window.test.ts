import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { callWindow, isOpen, isValidZone, minuteOfDay, nextOpening, type CallWindow } from './call-window.ts';

const window = (start: string, end: string, timezone: string): CallWindow =>
  callWindow({ call_start_time: start, call_end_time: end, timezone }, null);
const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const iso = (instant: number): string => new Date(instant).toISOString();

describe('zones', () => {
  it('accepts every Region/City zone this system knows', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
    expect(zones.length).toBeGreaterThan(400);
    expect(zones.filter((zone) => !isValidZone(zone))).toEqual([]);
    expect(isValidZone('Asia/Kolkata')).toBe(true);
    expect(isValidZone('America/Argentina/ComodRivadavia')).toBe(true);
    expect(isValidZone('Etc/GMT+5')).toBe(true);
  });
  it.each([
    'IST',
    'PST',
    'CST',
    'ist',
    '',
    'Kolkata',
    'EST5EDT',
    '+05:30',
    'Asia/Nowhere',
    'Asia/',
    'Asia/Kol kata',
  ])('refuses %j', (zone) => expect(isValidZone(zone)).toBe(false));
  it('refuses what no zone is called, at once', () => {
    expect(isValidZone(`Asia/${'a'.repeat(100_000)}`)).toBe(false);
    expect(isValidZone('__proto__')).toBe(false);
    expect(isValidZone('constructor')).toBe(false);
  });
  it.each([
    ['EST', -5],
    ['MST', -7],
    ['HST', -10],
    ['GMT', 0],
  ])('%s is fixed at %i hours, summer and winter', (zone, hours) => {
    const w = window('09:00', '10:00', zone);
    for (const day of ['2026-01-15', '2026-07-15']) {
      const nine = at(`${day}T09:00:00Z`) - hours * 3_600_000;
      expect(isOpen(w, nine)).toBe(true);
      expect(isOpen(w, nine - 1)).toBe(false);
    }
  });
});

describe('times of day', () => {
  it.each([
    ['00:00', 0],
    ['09:05', 545],
    ['23:59', 1439],
    ['9:00', null],
    ['24:00', null],
    ['12:60', null],
    ['12:00 ', null],
    ['12:00\n', null],
  ])('%j', (text, minute) => expect(minuteOfDay(text)).toBe(minute));
});

describe('windows', () => {
  it('inherits absent keys from the agent and defaults to Kolkata 9 to 21', () => {
    expect(callWindow(null, null)).toEqual({ startMinute: 540, endMinute: 1260, timezone: 'Asia/Kolkata' });
    expect(callWindow({ timezone: 'Europe/Paris' }, { call_end_time: '18:30' })).toEqual({
      startMinute: 540,
      endMinute: 1110,
      timezone: 'Europe/Paris',
    });
  });
  it('is closed at its end and open at its start', () => {
    const w = window('09:00', '21:00', 'Asia/Kolkata');
    expect(isOpen(w, at('2026-01-05T03:29:59.999Z'))).toBe(false);
    expect(isOpen(w, at('2026-01-05T03:30:00Z'))).toBe(true);
    expect(isOpen(w, at('2026-01-05T15:29:59.999Z'))).toBe(true);
    expect(isOpen(w, at('2026-01-05T15:30:00Z'))).toBe(false);
    expect(iso(nextOpening(w, at('2026-01-05T15:30:00Z')))).toBe('2026-01-06T03:30:00.000Z');
  });
  it('crosses midnight', () => {
    const w = window('22:00', '06:00', 'America/Bogota');
    expect(isOpen(w, at('2026-01-05T03:00:00Z'))).toBe(true);
    expect(isOpen(w, at('2026-01-05T10:59:59Z'))).toBe(true);
    expect(isOpen(w, at('2026-01-05T11:00:00Z'))).toBe(false);
    expect(iso(nextOpening(w, at('2026-01-05T12:00:00Z')))).toBe('2026-01-06T03:00:00.000Z');
  });
  it('is the whole day when start and end are the same', () => {
    for (const time of ['00:00', '09:00']) {
      expect(isOpen(window(time, time, 'Asia/Kathmandu'), at('2026-01-05T20:00:00Z'))).toBe(true);
    }
  });
  it('opens at the first valid minute where the clock is set forward over its start', () => {
    // New York, 8 March 2026: 02:00 becomes 03:00 at 07:00 UTC.
    const w = window('02:30', '05:00', 'America/New_York');
    expect(iso(nextOpening(w, at('2026-03-08T05:00:00Z')))).toBe('2026-03-08T07:00:00.000Z');
    expect(isOpen(w, at('2026-03-08T06:59:59Z'))).toBe(false);
  });
  it('does not open on a day whose window is skipped altogether', () => {
    const w = window('02:10', '02:50', 'America/New_York');
    expect(iso(nextOpening(w, at('2026-03-08T05:00:00Z')))).toBe('2026-03-09T06:10:00.000Z');
  });
  it('gives no second round where the clock is set back', () => {
    // New York, 1 November 2026: 02:00 EDT becomes 01:00 EST at 06:00 UTC.
    const w = window('01:00', '01:30', 'America/New_York');
    expect(isOpen(w, at('2026-11-01T05:10:00Z'))).toBe(true);
    expect(isOpen(w, at('2026-11-01T06:10:00Z'))).toBe(false);
    expect(iso(nextOpening(w, at('2026-11-01T05:30:00Z')))).toBe('2026-11-02T06:00:00.000Z');
  });
  it('follows half-hour daylight saving (Lord Howe) and days a zone never had (Apia, 30 December 2011)', () => {
    const howe = window('09:00', '17:00', 'Australia/Lord_Howe');
    expect(iso(nextOpening(howe, at('2026-07-01T12:00:00Z')))).toBe('2026-07-01T22:30:00.000Z');
    expect(iso(nextOpening(howe, at('2026-12-01T12:00:00Z')))).toBe('2026-12-01T22:00:00.000Z');
    const apia = window('09:00', '17:00', 'Pacific/Apia');
    const opening = nextOpening(apia, at('2011-12-30T04:00:00Z'));
    expect(
      Temporal.Instant.fromEpochMilliseconds(opening).toZonedDateTimeISO('Pacific/Apia').toString(),
    ).toMatch(/^2011-12-31T09:00:00\+14:00/);
  });
});

/**
 * The same rule said through another library: of each local date, from the first time its clock shows the start
 * until the first time it shows the end, while the clock reads within the window.
 */
function openByTemporal(w: CallWindow, instant: number): boolean {
  if (w.startMinute === w.endMinute) return true;
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(w.timezone);
  const minute = zoned.hour * 60 + zoned.minute;
  const crosses = w.endMinute < w.startMinute;
  const inside = crosses
    ? minute >= w.startMinute || minute < w.endMinute
    : minute >= w.startMinute && minute < w.endMinute;
  if (!inside) return false;
  return [0, -1].some((days) => {
    const date = zoned.toPlainDate().add({ days });
    const moment = (day: Temporal.PlainDate, minuteOf: number): number => {
      const wall = day.toPlainDateTime({ hour: Math.floor(minuteOf / 60), minute: minuteOf % 60 });
      const earlier = wall.toZonedDateTime(w.timezone, { disambiguation: 'earlier' });
      if (earlier.toPlainDateTime().equals(wall)) return earlier.epochMilliseconds;
      const later = wall.toZonedDateTime(w.timezone, { disambiguation: 'later' });
      return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? later.epochMilliseconds;
    };
    const opens = moment(date, w.startMinute);
    const closes = moment(crosses ? date.add({ days: 1 }) : date, w.endMinute);
    return instant >= opens && instant < closes;
  });
}

describe('against a second library, over every zone and ten years', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => isValidZone(zone));
  const from = Date.UTC(2026, 0, 1);
  const tenYears = Date.UTC(2036, 0, 1) - from;
  const minutes = fc.integer({ min: 0, max: 1439 });
  const seconds = fc.integer({ min: 0, max: tenYears / 1000 }).map((s) => from + s * 1000);
  const windows = fc.record({
    startMinute: minutes,
    endMinute: minutes,
    timezone: fc.constantFrom(...zones),
  });

  const check = (w: CallWindow, instant: number): void => {
    const where = `${JSON.stringify(w)} at ${iso(instant)}`;
    expect({ where, open: isOpen(w, instant) }).toEqual({ where, open: openByTemporal(w, instant) });
    const opening = nextOpening(w, instant);
    const said = `${JSON.stringify(w)} after ${iso(instant)} opens ${iso(opening)}`;
    expect({ said, open: opening >= instant && openByTemporal(w, opening) }).toEqual({ said, open: true });
    // Nothing between is open: the minute before the opening, and a few on the way.
    if (opening > instant) {
      for (const part of [0, 0.25, 0.5, 0.75]) {
        const between = instant + Math.floor(((opening - 1 - instant) * part) / 1000) * 1000;
        const way = `${said}, and ${iso(between)}`;
        expect({ way, open: openByTemporal(w, between) }).toEqual({ way, open: false });
      }
      expect({ said, open: openByTemporal(w, opening - 1) }).toEqual({ said, open: false });
    }
  };

  it('anywhere', () => {
    expect(zones.length).toBeGreaterThan(400);
    fc.assert(fc.property(windows, seconds, check), { numRuns: 1500, seed: 20_260_105 });
  });

  it('around clock changes', () => {
    const changing = zones.filter((zone) => {
      const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
      const next = start.getTimeZoneTransition('next');
      return next !== null && next.epochMilliseconds < from + tenYears;
    });
    expect(changing.length).toBeGreaterThan(100);
    const near = fc.record({
      zone: fc.constantFrom(...changing),
      skip: fc.integer({ min: 0, max: 12 }),
      offsetMinutes: fc.integer({ min: -200, max: 200 }),
      startShift: fc.integer({ min: -150, max: 150 }),
      length: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(near, ({ zone, skip, offsetMinutes, startShift, length }) => {
        let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
        for (let n = 0; n <= skip; n += 1) moment = moment.getTimeZoneTransition('next') ?? moment;
        const startMinute = (moment.hour * 60 + moment.minute + startShift + 1440) % 1440;
        const w = { startMinute, endMinute: (startMinute + length) % 1440, timezone: zone };
        check(w, moment.epochMilliseconds + offsetMinutes * 60_000);
      }),
      { numRuns: 1500, seed: 20_261_101 },
    );
  });
});
