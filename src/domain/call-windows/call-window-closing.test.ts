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
  window,
  zones,
} from '../../../test/helpers/calls/any-windows.ts';
import { callWindow, nextClosing, nextOpening, type CallWindow } from './call-window.ts';

describe('nextClosing', () => {
  const closes = (w: CallWindow, text: string): string => iso(nextClosing(w, at(text)));

  it('is the end of an open window and now for a closed one', () => {
    const w = window('09:00', '21:00', 'Asia/Kolkata');
    expect(closes(w, '2026-01-05T03:30:00Z')).toBe('2026-01-05T15:30:00.000Z');
    expect(closes(w, '2026-01-05T15:29:59.999Z')).toBe('2026-01-05T15:30:00.000Z');
    expect(closes(w, '2026-01-05T15:30:00Z')).toBe('2026-01-05T15:30:00.000Z');
  });
  it('is tomorrow for a window that crosses midnight', () => {
    const w = window('22:00', '06:00', 'America/Bogota');
    expect(closes(w, '2026-01-06T03:00:00Z')).toBe('2026-01-06T11:00:00.000Z');
  });
  it('is the end of slots that touch or overlap', () => {
    const slots = [
      { start: '09:00', end: '12:00' },
      { start: '11:00', end: '13:00' },
      { start: '13:00', end: '14:00' },
      { start: '15:00', end: '19:00' },
    ];
    const w = callWindow({ slots, timezone: 'Etc/UTC' }, null, CALLEE);
    expect(closes(w, '2026-01-05T09:30:00Z')).toBe('2026-01-05T14:00:00.000Z');
    expect(closes(w, '2026-01-05T15:00:00Z')).toBe('2026-01-05T19:00:00.000Z');
  });
  it('is null for an all-day window and midnight after its last open day', () => {
    expect(closes(window('09:00', '09:00', 'Asia/Kathmandu'), '2026-01-05T20:00:00Z')).toBe('never');
    const whole = { callStartTime: '00:00', callEndTime: '00:00', timezone: 'Etc/UTC' };
    const w = callWindow({ ...whole, days: ['sat', 'sun'] }, null, CALLEE);
    expect(closes(w, '2026-01-10T10:00:00Z')).toBe('2026-01-12T00:00:00.000Z');
  });
  it('is the clock change that skips the window’s end', () => {
    // New York, 8 March 2026: 02:00 becomes 03:00 at 07:00 UTC; 1 November: 02:00 becomes 01:00 at 06:00 UTC.
    const spring = window('01:00', '02:30', 'America/New_York');
    expect(closes(spring, '2026-03-08T06:30:00Z')).toBe('2026-03-08T07:00:00.000Z');
    const autumn = window('01:45', '02:30', 'America/New_York');
    expect(closes(autumn, '2026-11-01T05:50:00Z')).toBe('2026-11-01T06:00:00.000Z');
  });
  it('is read in the callee’s zone, the first of several to close', () => {
    const time = { timezone: 'Asia/Kolkata', useCalleeTimezone: true };
    // 21:00 in San Francisco.
    expect(closes(callWindow(time, null, CALLEE), '2026-01-05T18:00:00Z')).toBe('2026-01-06T05:00:00.000Z');
    // 21:00 in Kamchatka.
    const russia = callWindow(time, null, '+79161234567');
    expect(closes(russia, '2026-01-06T07:00:00Z')).toBe('2026-01-06T09:00:00.000Z');
  });
});

describe('against a second library', () => {
  /** From `instant`, or the next opening: open all the way to the closing, and closed at it. */
  const check = (w: CallWindow, instant: number): void => {
    const start = nextOpening(w, instant) ?? instant;
    const closing = nextClosing(w, start);
    const said = `${JSON.stringify(w)} at ${iso(start)} closes ${iso(closing)}`;
    if (closing !== null) {
      expect({ said, open: openByTemporal(w, closing) }).toEqual({ said, open: false });
      if (closing === start) return;
      expect({ said, open: openByTemporal(w, closing - 1) }).toEqual({ said, open: true });
    }
    const until = closing ?? start + 14 * 86_400_000;
    for (const part of [0, 0.2, 0.4, 0.6, 0.8]) {
      const between = start + Math.floor(((until - 1 - start) * part) / 1000) * 1000;
      const way = `${said}, and ${iso(between)}`;
      expect({ way, open: openByTemporal(w, between) }).toEqual({ way, open: true });
    }
  };

  it('agrees for slots and days in several zones', () => {
    expect(zones.length).toBeGreaterThan(400);
    const windows = fc.record({
      slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
      days,
      zones: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(fc.property(windows, seconds, check), { numRuns: 600, seed: 20_260_108 });
  });

  it('agrees around clock changes', () => {
    expect.hasAssertions();
    const near = fc.record({
      zone: fc.constantFrom('America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'Africa/Casablanca'),
      skip: fc.integer({ min: 0, max: 12 }),
      offsetMinutes: fc.integer({ min: -200, max: 200 }),
      startShift: fc.integer({ min: -150, max: 150 }),
      length: fc.integer({ min: 0, max: 400 }),
      days,
    });
    fc.assert(
      fc.property(near, ({ zone, skip, offsetMinutes, startShift, length, days: on }) => {
        let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
        for (let n = 0; n <= skip; n += 1) moment = moment.getTimeZoneTransition('next') ?? moment;
        const startMinute = (moment.hour * 60 + moment.minute + startShift + 1440) % 1440;
        const slots = [{ startMinute, endMinute: (startMinute + length) % 1440 }];
        check({ slots, days: on, zones: [zone] }, moment.epochMilliseconds + offsetMinutes * 60_000);
      }),
      { numRuns: 600, seed: 20_261_102 },
    );
  });
});
