import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayByIntl, ZONES } from '../../test/zones.ts';
import { boundsOfDay, dayAt } from './zone-days.ts';

it('gives each instant the day that Intl shows, within the bounds of that day', () => {
  const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instant, (zone, at) => {
      const day = dayAt(zone, at);
      expect(day).toBe(dayByIntl(zone, at));
      const { from, until } = boundsOfDay(zone, day);
      expect(from).toBeLessThanOrEqual(at);
      expect(until).toBeGreaterThan(at);
      expect([dayByIntl(zone, from - 1), dayByIntl(zone, from)]).toEqual([
        expect.not.stringMatching(day),
        day,
      ]);
      expect([dayByIntl(zone, until - 1), dayByIntl(zone, until)]).toEqual([
        day,
        expect.not.stringMatching(day),
      ]);
    }),
    { numRuns: 300 },
  );
});

it('has days of 23 and 25 hours, of 23.5 and 24.5 on Lord Howe, and one that begins at one', () => {
  const hours = (zone: string, day: string): number => {
    const { from, until } = boundsOfDay(zone, day);
    return (until - from) / 3_600_000;
  };
  expect(hours('Europe/Berlin', '2026-03-29')).toBe(23);
  expect(hours('Europe/Berlin', '2026-10-25')).toBe(25);
  expect(hours('Australia/Lord_Howe', '2026-10-04')).toBe(23.5);
  expect(hours('Australia/Lord_Howe', '2026-04-05')).toBe(24.5);
  expect(hours('Asia/Beirut', '2026-03-29')).toBe(23);
});
