import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import {
  at,
  CALLEE,
  days,
  from,
  iso,
  openByTemporal,
  seconds,
  slot,
  tenYears,
  window,
  zones,
} from '../../../test/helpers/calls/any-windows.ts';
import { callWindow, isOpen, isValidZone, minuteOfDay, nextOpening, type CallWindow } from './call-window.ts';

describe('zones', () => {
  it('accepts every Region/City zone of this system', () => {
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
  it('rejects unknown zone names at once', () => {
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
    expect(callWindow(null, null, CALLEE)).toEqual({
      slots: [{ startMinute: 540, endMinute: 1260 }],
      days: null,
      zones: ['Asia/Kolkata'],
    });
    expect(callWindow({ timezone: 'Europe/Paris' }, { callEndTime: '18:30' }, CALLEE)).toEqual({
      slots: [{ startMinute: 540, endMinute: 1110 }],
      days: null,
      zones: ['Europe/Paris'],
    });
  });
  it('slots replace start and end until a later level sets start or end', () => {
    const agent = { slots: [{ start: '09:00', end: '10:00' }], days: ['mon' as const] };
    expect(callWindow(agent, { timezone: 'Europe/Paris' }, CALLEE)).toMatchObject({
      slots: [{ startMinute: 540, endMinute: 600 }],
      days: [false, true, false, false, false, false, false],
    });
    expect(callWindow(agent, { callStartTime: '08:00' }, CALLEE).slots).toEqual([
      { startMinute: 480, endMinute: 1260 },
    ]);
    expect(callWindow(agent, { slots: null, days: null }, CALLEE)).toMatchObject({
      slots: [{ startMinute: 540, endMinute: 1260 }],
      days: null,
    });
  });
  it('opens several times a day, overlapping slots as one', () => {
    const slots = [
      { start: '15:00', end: '19:00' },
      { start: '09:30', end: '12:30' },
      { start: '12:00', end: '13:00' },
    ];
    const w = callWindow({ slots, timezone: 'Etc/UTC' }, null, CALLEE);
    expect(iso(nextOpening(w, at('2026-01-05T00:00:00Z')))).toBe('2026-01-05T09:30:00.000Z');
    expect(isOpen(w, at('2026-01-05T12:30:00Z'))).toBe(true);
    expect(iso(nextOpening(w, at('2026-01-05T13:00:00Z')))).toBe('2026-01-05T15:00:00.000Z');
    expect(iso(nextOpening(w, at('2026-01-05T19:00:00Z')))).toBe('2026-01-06T09:30:00.000Z');
  });
  it('opens on its days only; a slot that crosses midnight belongs to its first day', () => {
    const night = { callStartTime: '22:00', callEndTime: '02:00', timezone: 'Etc/UTC' };
    const w = callWindow({ ...night, days: ['fri'] }, null, CALLEE);
    // 9 January 2026 is a Friday.
    expect(isOpen(w, at('2026-01-09T01:00:00Z'))).toBe(false);
    expect(isOpen(w, at('2026-01-10T01:59:59Z'))).toBe(true);
    expect(iso(nextOpening(w, at('2026-01-10T02:00:00Z')))).toBe('2026-01-16T22:00:00.000Z');
    const whole = callWindow(
      { callStartTime: '09:00', callEndTime: '09:00', timezone: 'Etc/UTC', days: ['sat', 'sun'] },
      null,
      CALLEE,
    );
    expect(iso(nextOpening(whole, at('2026-01-05T10:00:00Z')))).toBe('2026-01-10T00:00:00.000Z');
    expect(isOpen(whole, at('2026-01-11T23:59:59Z'))).toBe(true);
    expect(isOpen(whole, at('2026-01-12T00:00:00Z'))).toBe(false);
  });
  it('skips the week whose only slot a clock change removes', () => {
    const w = callWindow(
      { slots: [{ start: '02:10', end: '02:50' }], days: ['sun'], timezone: 'America/New_York' },
      null,
      CALLEE,
    );
    expect(iso(nextOpening(w, at('2026-03-02T12:00:00Z')))).toBe('2026-03-15T06:10:00.000Z');
  });
  it('is read in the callee’s zone', () => {
    const time = { timezone: 'Asia/Kolkata', useCalleeTimezone: true };
    expect(callWindow(time, null, '+14155550123').zones).toEqual(['America/Los_Angeles']);
    expect(callWindow(time, { useCalleeTimezone: false }, '+14155550123').zones).toEqual(['Asia/Kolkata']);
    // A mobile of Russia may be anywhere from Kaliningrad to Kamchatka: 9 to 21 leaves two hours for all of them.
    const russia = callWindow(time, null, '+79161234567');
    expect(russia.zones).toEqual(expect.arrayContaining(['Europe/Kaliningrad', 'Asia/Kamchatka']));
    expect(iso(nextOpening(russia, at('2026-01-05T10:00:00Z')))).toBe('2026-01-06T07:00:00.000Z');
    expect(isOpen(russia, at('2026-01-06T08:59:59Z'))).toBe(true);
    expect(isOpen(russia, at('2026-01-06T09:00:00Z'))).toBe(false);
    // Numbers of no country keep the window's own zone.
    expect(callWindow(time, null, '+870773111632').zones).toEqual(['Asia/Kolkata']);
  });
  it('never opens when its zones are never open together', () => {
    const short = { callStartTime: '10:00', callEndTime: '12:00', useCalleeTimezone: true };
    expect(nextOpening(callWindow(short, null, '+79161234567'), at('2026-01-05T10:00:00Z'))).toBe(null);
    expect(nextOpening(callWindow(short, null, '+74951234567'), at('2026-01-05T10:00:00Z'))).not.toBe(null);
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
  it('opens at the first valid minute when the clock is set forward over its start', () => {
    // New York, 8 March 2026: 02:00 becomes 03:00 at 07:00 UTC.
    const w = window('02:30', '05:00', 'America/New_York');
    expect(iso(nextOpening(w, at('2026-03-08T05:00:00Z')))).toBe('2026-03-08T07:00:00.000Z');
    expect(isOpen(w, at('2026-03-08T06:59:59Z'))).toBe(false);
  });
  it('does not open on a day whose window a clock change skips', () => {
    const w = window('02:10', '02:50', 'America/New_York');
    expect(iso(nextOpening(w, at('2026-03-08T05:00:00Z')))).toBe('2026-03-09T06:10:00.000Z');
  });
  it('does not open a second time when the clock is set back', () => {
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
      Temporal.Instant.fromEpochMilliseconds(opening ?? 0)
        .toZonedDateTimeISO('Pacific/Apia')
        .toString(),
    ).toMatch(/^2011-12-31T09:00:00\+14:00/);
  });
});

describe('against a second library, over every zone and ten years', () => {
  const check = (w: CallWindow, instant: number): void => {
    const where = `${JSON.stringify(w)} at ${iso(instant)}`;
    expect({ where, open: isOpen(w, instant) }).toEqual({ where, open: openByTemporal(w, instant) });
    const opening = nextOpening(w, instant);
    const said = `${JSON.stringify(w)} after ${iso(instant)} opens ${iso(opening)}`;
    if (opening !== null) {
      expect({ said, open: opening >= instant && openByTemporal(w, opening) }).toEqual({ said, open: true });
      if (opening === instant) return;
      expect({ said, open: openByTemporal(w, opening - 1) }).toEqual({ said, open: false });
    } else expect({ said, zones: w.zones.length > 1 }).toEqual({ said, zones: true });
    // Nothing on the way is open.
    const until = opening ?? instant + 14 * 86_400_000;
    for (const part of [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9]) {
      const between = instant + Math.floor(((until - 1 - instant) * part) / 1000) * 1000;
      const way = `${said}, and ${iso(between)}`;
      expect({ way, open: openByTemporal(w, between) }).toEqual({ way, open: false });
    }
  };

  const expectAlways = (
    windows: fc.Arbitrary<CallWindow>,
    options: fc.Parameters<[CallWindow, number]>,
  ): void => fc.assert(fc.property(windows, seconds, check), options);

  it('agrees for one window a day', () => {
    expect(zones.length).toBeGreaterThan(400);
    const windows = fc.record({
      slots: fc.tuple(slot),
      days: fc.constant(null),
      zones: fc.tuple(fc.constantFrom(...zones)),
    });
    expectAlways(windows, { numRuns: 1500, seed: 20_260_105 });
  });

  it('agrees for slots and days', () => {
    expect(zones.length).toBeGreaterThan(400);
    const windows = fc.record({
      slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
      days,
      zones: fc.tuple(fc.constantFrom(...zones)),
    });
    expectAlways(windows, { numRuns: 1200, seed: 20_260_106 });
  });

  it('agrees for several zones at once', () => {
    expect(zones.length).toBeGreaterThan(400);
    const windows = fc.record({
      slots: fc.array(slot, { minLength: 1, maxLength: 3 }),
      days,
      zones: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 2, maxLength: 5 }),
    });
    expectAlways(windows, { numRuns: 800, seed: 20_260_107 });
  });

  it('agrees around clock changes', () => {
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
      slots: fc.array(
        fc.record({
          startShift: fc.integer({ min: -150, max: 150 }),
          length: fc.integer({ min: 0, max: 400 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      days,
    });
    fc.assert(
      fc.property(near, ({ zone, skip, offsetMinutes, slots, days: on }) => {
        let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
        for (let n = 0; n <= skip; n += 1) moment = moment.getTimeZoneTransition('next') ?? moment;
        const w = {
          slots: slots.map(({ startShift, length }) => {
            const startMinute = (moment.hour * 60 + moment.minute + startShift + 1440) % 1440;
            return { startMinute, endMinute: (startMinute + length) % 1440 };
          }),
          days: on,
          zones: [zone],
        };
        check(w, moment.epochMilliseconds + offsetMinutes * 60_000);
      }),
      { numRuns: 2000, seed: 20_261_101 },
    );
  });
});
