import { expect, it } from 'vitest';
import { addSample, minutesLeft, paceOf, timeLeft } from './pace.ts';

it('tells the pace from the first to the last sample, and nothing without progress', () => {
  expect(paceOf([], 10)).toBeNull();
  expect(paceOf([{ at: 0, finished: 3 }], 10)).toBeNull();
  const refreshed = [
    { at: 0, finished: 0 },
    { at: 47, finished: 1 },
  ];
  expect(paceOf(refreshed, 10)).toBeNull();
  const still = [
    { at: 0, finished: 3 },
    { at: 60_000, finished: 3 },
  ];
  expect(paceOf(still, 10)).toBeNull();
  const moving = addSample(still, { at: 120_000, finished: 13 });
  expect(paceOf(moving, 10)).toEqual({ perMinute: 5, left: '2 minutes' });
  expect(paceOf(moving, 5)).toMatchObject({ left: '1 minute' });
  expect(paceOf(moving, 3000)).toMatchObject({ left: '10 hours' });
});

it('tells a time in the largest unit that says enough', () => {
  expect([0.2, 1, 119, 120, 150, 2879, 2880, 10_000].map((minutes) => timeLeft(minutes))).toEqual([
    '1 minute',
    '1 minute',
    '119 minutes',
    '2 hours',
    '3 hours',
    '48 hours',
    '2 days',
    '7 days',
  ]);
});

it('tells it in the words of each language', () => {
  const inEach = (locale: string): string[] => [1, 150, 10_000].map((minutes) => timeLeft(minutes, locale));
  expect(inEach('de')).toEqual(['1 Minute', '3 Stunden', '7 Tage']);
  expect(inEach('es')).toEqual(['1 minuto', '3 horas', '7 días']);
  expect(inEach('hi')).toEqual(['1 मिनट', '3 घंटे', '7 दिन']);
});

it('leaves the time until the expected end, so that both figures agree, and without an end the time of calling', () => {
  const now = Date.parse('2026-01-05T09:00:00Z');
  expect(minutesLeft('2026-01-05T09:31:00Z', 1, now)).toBe(31);
  expect(minutesLeft('2026-01-05T08:59:00Z', 1, now)).toBe(0);
  expect(minutesLeft(null, 12, now)).toBe(12);
  expect(minutesLeft(null, null, now)).toBeNull();
});
