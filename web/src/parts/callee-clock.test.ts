import { describe, expect, it } from 'vitest';
import { clockIn, laterIn, placeOf, windowSentences, type CalleeWindow } from './callee-clock.ts';

const NOON_UTC = Date.UTC(2026, 0, 15, 12, 0);
const WINDOW: CalleeWindow = {
  timezone: 'Asia/Kolkata',
  callee_timezone: 'America/Los_Angeles',
  callee_timezones: ['America/Los_Angeles'],
  is_open: false,
  opens_at: '2026-01-15T09:00:00-08:00',
  closes_at: null,
};

describe('the clock of a callee', () => {
  it('names the place of a zone without underscores', () => {
    expect(placeOf('America/Los_Angeles')).toBe('Los Angeles');
    expect(placeOf('America/Indiana/Knox')).toBe('Knox');
    expect(placeOf('Etc/UTC')).toBe('UTC');
  });

  it('shows a later time with its day only on another day there', () => {
    expect(laterIn('UTC', NOON_UTC + 3_600_000, NOON_UTC)).toBe(clockIn('UTC', NOON_UTC + 3_600_000));
    expect(laterIn('UTC', NOON_UTC + 86_400_000, NOON_UTC)).toContain('16');
  });

  it('says until when a call waits, on the clock of the callee', () => {
    const { clock, window } = windowSentences(WINDOW, NOON_UTC);
    expect(clock).toBe(`In Los Angeles it is ${clockIn('America/Los_Angeles', NOON_UTC)}.`);
    const opens = clockIn('America/Los_Angeles', Date.parse('2026-01-15T09:00:00-08:00'));
    expect(window).toContain(`The call waits until ${opens} there`);
  });

  it('says until when an open window lets calls leave', () => {
    const open = { ...WINDOW, is_open: true, opens_at: null, closes_at: '2026-01-15T21:00:00-08:00' };
    const closes = clockIn('America/Los_Angeles', Date.parse('2026-01-15T21:00:00-08:00'));
    expect(windowSentences(open, NOON_UTC).window).toBe(`The assistant may call until ${closes} there.`);
    expect(windowSentences({ ...open, closes_at: null }, NOON_UTC).window).toBe(
      'The assistant may call at any time.',
    );
  });

  it('says that a number may be in several zones or of no country', () => {
    const several = { ...WINDOW, callee_timezones: ['America/Los_Angeles', 'America/New_York'] };
    expect(windowSentences(several, NOON_UTC).clock).toMatch(/^The number may be in several time zones/);
    const none = { ...WINDOW, callee_timezone: null, callee_timezones: [] };
    expect(windowSentences(none, NOON_UTC).clock).toMatch(/^The number is of no country.*Kolkata/);
  });
});
