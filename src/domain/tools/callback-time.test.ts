import { describe, expect, it } from 'vitest';
import { callbackTime } from './callback-time.ts';

/** Monday 5 January 2026, 15:30 in Kolkata. */
const NOW = Date.UTC(2026, 0, 5, 10);
const ZONE = 'Asia/Kolkata';
const local = (at: number | null): string | null =>
  at === null ? null : new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 16);

describe('when a call back was asked for', () => {
  it.each([
    ['2026-01-07T16:00', '2026-01-07T16:00'],
    ['2026-01-07 16:00:00', '2026-01-07T16:00'],
    ['2026-01-07T10:30:00Z', '2026-01-07T16:00'],
    ['2026-01-07T12:30+02:00', '2026-01-07T16:00'],
    ['2026-01-07', '2026-01-07T10:00'],
    ['tomorrow at 3 pm', '2026-01-06T15:00'],
    ['tomorrow', '2026-01-06T10:00'],
    ['tomorrow at 4', '2026-01-06T16:00'],
    ['tomorrow morning', '2026-01-06T10:00'],
    ["day after tomorrow at 9 o'clock", '2026-01-07T09:00'],
    ['Wednesday at 11:30 am', '2026-01-07T11:30'],
    ['next Tuesday in the evening', '2026-01-06T18:00'],
    ['Monday', '2026-01-12T10:00'],
    ['in 2 hours', '2026-01-05T17:30'],
    ['in half an hour', '2026-01-05T16:00'],
    ['in three days', '2026-01-08T10:00'],
    ['at 5 pm', '2026-01-05T17:00'],
    ['at 9 am', '2026-01-06T09:00'],
    ['half past six', '2026-01-05T18:30'],
    ['January 20 at noon', '2026-01-20T12:00'],
    ['5th of February', '2026-02-05T10:00'],
    ['the 3rd at 10:00', '2026-02-03T10:00'],
    ['tonight', '2026-01-05T20:00'],
    ['today', '2026-01-05T17:30'],
    ['six in the evening', '2026-01-05T18:00'],
    ['in ten minutes', '2026-01-05T15:40'],
    ['in twenty five minutes', '2026-01-05T15:55'],
    ['an hour from now', '2026-01-05T16:30'],
    ['in a couple of hours', '2026-01-05T17:30'],
    ['this weekend', '2026-01-10T10:00'],
    ['end of the week', '2026-01-09T10:00'],
    ['next month', '2026-02-01T10:00'],
    ['midnight', '2026-01-06T00:00'],
    ['at 11 in the night', '2026-01-05T23:00'],
    ['at 12 in the night', '2026-01-06T00:00'],
    ['at 11 in the afternoon', '2026-01-06T11:00'],
    ['any time', '2026-01-05T17:30'],
    ['tomorrow any time', '2026-01-06T10:00'],
  ])('%s is %s', (when, expected) => {
    expect(local(callbackTime(when, NOW, ZONE, 'en-IN'))).toBe(expected);
  });

  it('understands days in the language of the call', () => {
    expect(local(callbackTime('कल', NOW, ZONE, 'hi-IN'))).toBe('2026-01-06T10:00');
    expect(local(callbackTime('बुधवार 4', NOW, ZONE, 'hi-IN'))).toBe('2026-01-07T16:00');
  });

  it.each(['', 'later', '2025-01-01T10:00', '2027-06-01T10:00', '2026-02-31T10:00', 'never'])(
    'finds no time in "%s"',
    (when) => {
      expect(callbackTime(when, NOW, ZONE, 'en-US')).toBeNull();
    },
  );
});
