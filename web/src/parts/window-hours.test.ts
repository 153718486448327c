import { describe, expect, it } from 'vitest';
import {
  minuteOf,
  minutesAhead,
  nextClockChanges,
  onClockAhead,
  partsOf,
  timeOf,
  withEdge,
} from './window-hours.ts';

const at = (iso: string): number => Date.parse(iso);
const [NINE, NINE_PM] = [540, 1260];

describe('a window of the day', () => {
  it('is one part, or two when it crosses midnight, or the whole day', () => {
    expect(partsOf(NINE, NINE_PM)).toEqual([{ start: NINE, end: NINE_PM }]);
    expect(partsOf(NINE_PM, NINE)).toEqual([
      { start: 0, end: NINE },
      { start: NINE_PM, end: 1440 },
    ]);
    expect(partsOf(NINE, 0)).toEqual([{ start: NINE, end: 1440 }]);
    expect(partsOf(0, NINE)).toEqual([{ start: 0, end: NINE }]);
    expect(partsOf(NINE, NINE)).toEqual([{ start: 0, end: 1440 }]);
  });

  it('is drawn on the clock of another zone', () => {
    const ahead = minutesAhead('Asia/Kolkata', 'America/New_York', at('2026-01-05T10:00:00Z'));
    expect(ahead).toBe(-630);
    expect(onClockAhead(NINE, NINE_PM, ahead)).toEqual([
      { start: 0, end: 630 },
      { start: 1350, end: 1440 },
    ]);
    expect(minutesAhead('Asia/Kolkata', 'America/New_York', at('2026-07-05T10:00:00Z'))).toBe(-570);
  });

  it('reads and writes times, and nothing else', () => {
    expect(['00:00', '09:05', '23:59'].map(minuteOf)).toEqual([0, 545, 1439]);
    expect(['', '24:00', '9:00', '12:60'].map(minuteOf)).toEqual([null, null, null, null]);
    expect([0, 545, 1440, -15].map(timeOf)).toEqual(['00:00', '09:05', '00:00', '23:45']);
  });

  it('has edges that are dragged in steps, over midnight too, but not onto each other', () => {
    expect(withEdge(NINE, NINE_PM, 'start', 607)).toEqual({ start: 600, end: NINE_PM });
    expect(withEdge(NINE, NINE_PM, 'end', 1440)).toEqual({ start: NINE, end: 0 });
    expect(withEdge(NINE, NINE_PM, 'end', 300)).toEqual({ start: NINE, end: 300 });
    expect(withEdge(NINE, NINE_PM, 'end', 545)).toEqual({ start: NINE, end: NINE_PM });
    expect(withEdge(0, NINE, 'end', 1438)).toEqual({ start: 0, end: NINE });
  });
});

describe('changes of the clocks', () => {
  it('are those of the coming eight weeks, the earliest first', () => {
    const zones = ['Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin'];
    expect(nextClockChanges(zones, at('2026-10-01T00:00:00Z'))).toEqual([
      { zone: 'Europe/Berlin', at: at('2026-10-25T01:00:00Z'), minutes: -60 },
      { zone: 'America/New_York', at: at('2026-11-01T06:00:00Z'), minutes: -60 },
    ]);
    expect(nextClockChanges(['Europe/Berlin'], at('2026-03-29T00:59:00Z'))).toMatchObject([{ minutes: 60 }]);
    expect(nextClockChanges(['Europe/Berlin'], at('2026-03-29T01:00:00Z'))).toEqual([]);
    expect(nextClockChanges(zones, at('2026-12-01T00:00:00Z'))).toEqual([]);
  });
});
