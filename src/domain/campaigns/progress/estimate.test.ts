import { describe, expect, it } from 'vitest';
import { callWindow } from '../../call-windows/call-window.ts';
import { answerHours } from './answer-hours.ts';
import { afterOpenTime, expectedCalls, expectedPace, measuredPace } from './estimate.ts';
import { retryFunnel } from './retry-funnel.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const at = (iso: string): number => Date.parse(iso);
const quarter = (iso: string, calls: number, answered: number) => ({
  quarter: Math.floor(at(iso) / (15 * MINUTE_MS)),
  calls,
  answered,
});
const attempts = (attempt: number, calls: number, answered: number, busySeconds = 30) => ({
  attempt,
  calls,
  answered,
  busyMs: calls * busySeconds * 1000,
});

describe('answered calls by hour', () => {
  it('are those of the clock of the zone, whose hours may begin within an hour of UTC', () => {
    const seen = [
      // 19:45 and 20:15 of Sunday in UTC are 01:15 and 01:45 of Monday in India.
      quarter('2026-01-04T19:45:00Z', 4, 1),
      quarter('2026-01-04T20:15:00Z', 2, 2),
      quarter('2026-01-04T20:30:00Z', 1, 0),
    ];
    expect(answerHours(seen, 'Asia/Kolkata')).toEqual([
      { day: 'mon', hour: 1, calls: 6, answered: 3 },
      { day: 'mon', hour: 2, calls: 1, answered: 0 },
    ]);
    expect(answerHours(seen, 'Etc/UTC')).toEqual([
      { day: 'sun', hour: 19, calls: 4, answered: 1 },
      { day: 'sun', hour: 20, calls: 3, answered: 2 },
    ]);
  });

  it('add the hour that a clock change repeats', () => {
    // Both are 02:30 in Berlin, before and after the clocks go back.
    const seen = [quarter('2026-10-25T00:30:00Z', 1, 0), quarter('2026-10-25T01:30:00Z', 2, 1)];
    expect(answerHours(seen, 'Europe/Berlin')).toEqual([{ day: 'sun', hour: 2, calls: 3, answered: 1 }]);
  });
});

describe('the funnel of retries', () => {
  it('counts who remains after each attempt: tried again, on the phone or waiting', () => {
    const seen = [attempts(1, 100, 30, 36), attempts(2, 40, 15)];
    const unfinished = [
      { status: 'ongoing', attempt: 1, contacts: 3 },
      { status: 'ongoing', attempt: 2, contacts: 5 },
      { status: 'retry', attempt: 1, contacts: 10 },
      { status: 'retry', attempt: 2, contacts: 4 },
    ] as const;
    expect(retryFunnel(seen, unfinished)).toEqual([
      { attempt: 1, calls: 100, answered: 30, busyMs: 36_000, live: 3, waiting: 10, remaining: 55 },
      { attempt: 2, calls: 40, answered: 15, busyMs: 30_000, live: 5, waiting: 4, remaining: 4 },
    ]);
    expect(retryFunnel([], [])).toEqual([]);
  });
});

describe('the pace', () => {
  it('is measured since the first end, at least over a minute', () => {
    expect(measuredPace(0, null, at('2026-01-05T09:00:00Z'))).toBe(0);
    expect(measuredPace(30, at('2026-01-05T08:59:50Z'), at('2026-01-05T09:00:00Z'))).toBe(30);
    expect(measuredPace(30, at('2026-01-05T08:55:00Z'), at('2026-01-05T09:00:00Z'))).toBe(6);
  });

  it('of the rest is the fastest of the last quarters, but not above what the lines allow', () => {
    const seen = [quarter('2026-01-05T09:15:00Z', 300, 30), quarter('2026-01-05T09:00:00Z', 150, 20)];
    const funnel = retryFunnel([attempts(1, 450, 50)], []);
    expect(expectedPace(seen, funnel, 0, 100)).toBe(20);
    expect(expectedPace(seen, funnel, 25, 100)).toBe(25);
    // Four lines with calls of half a minute.
    expect(expectedPace(seen, funnel, 25, 4)).toBe(8);
    expect(expectedPace(seen, funnel, 25, 0)).toBeNull();
    expect(expectedPace([], [], 0, 100)).toBeNull();
  });
});

describe('the calls that are left', () => {
  const funnel = retryFunnel(
    [attempts(1, 100, 50)],
    [
      { status: 'ongoing', attempt: 1, contacts: 10 },
      { status: 'retry', attempt: 1, contacts: 40 },
    ],
  );

  it('count one call for each contact and the retries that follow as often as so far', () => {
    // 0.4 of the contacts go on: 1 + 0.4 × (1 + 0.4) calls each.
    const each = 1 + 0.4 * 1.4;
    expect(expectedCalls(funnel, 200, 3)).toBeCloseTo(200 * each + 40 * 1.4 + 10 * 0.4 * 1.4);
    expect(expectedCalls(funnel, 200, 1)).toBeCloseTo(200 + 40);
    expect(expectedCalls([], 200, 3)).toBe(200);
    expect(expectedCalls([], 0, 3)).toBe(0);
  });
});

describe('the end', () => {
  const window = (start: string, end: string, days: readonly string[] | null = null) =>
    callWindow(
      { callStartTime: start, callEndTime: end, timezone: 'Asia/Kolkata', days: days as never },
      null,
      '',
    );

  it('leaves out the hours in which the window is closed', () => {
    // Monday 16:00 in India: one hour today, one tomorrow.
    const now = at('2026-01-05T10:30:00Z');
    expect(afterOpenTime(window('09:00', '17:00'), now, 2 * HOUR_MS)).toBe(at('2026-01-06T04:30:00Z'));
    expect(afterOpenTime(window('09:00', '17:00'), now, HOUR_MS)).toBe(at('2026-01-05T11:30:00Z'));
    expect(afterOpenTime(window('00:00', '00:00'), now, 40 * HOUR_MS)).toBe(now + 40 * HOUR_MS);
    // Overnight: 22:00 to 06:00.
    expect(afterOpenTime(window('22:00', '06:00'), now, 9 * HOUR_MS)).toBe(at('2026-01-06T17:30:00Z'));
    expect(afterOpenTime(window('09:00', '17:00', ['fri']), now, HOUR_MS)).toBe(at('2026-01-09T04:30:00Z'));
  });

  it('is unknown when it lies beyond 400 openings', () => {
    expect(afterOpenTime(window('09:00', '09:01'), at('2026-01-05T10:30:00Z'), 10 * HOUR_MS)).toBeNull();
  });
});
