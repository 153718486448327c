import { expect, it } from 'vitest';
import { localTime } from '@callwright/language';
import { stretchesOf } from './hours.ts';

const at = (iso: string): number => Date.parse(iso);
const HOUR = 3_600_000;

it('is one stretch in a zone without clock changes', () => {
  expect(stretchesOf('Asia/Kolkata', at('2026-01-01T00:07:00Z'), at('2026-12-31T00:00:00Z'))).toEqual([
    { from: at('2026-01-01T00:00:00Z'), offsetMs: 5.5 * HOUR },
  ]);
});

it('begins a stretch at each clock change of the period', () => {
  expect(stretchesOf('America/New_York', at('2026-01-01T00:00:00Z'), at('2026-12-31T00:00:00Z'))).toEqual([
    { from: at('2026-01-01T00:00:00Z'), offsetMs: -5 * HOUR },
    { from: at('2026-03-08T07:00:00Z'), offsetMs: -4 * HOUR },
    { from: at('2026-11-01T06:00:00Z'), offsetMs: -5 * HOUR },
  ]);
});

it.each(['Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Chatham', 'UTC'])(
  'gives the wall clock of every quarter of an hour: %s',
  (zone) => {
    const [from, to] = [at('2026-03-20T00:00:00Z'), at('2026-04-10T00:00:00Z')];
    const stretches = stretchesOf(zone, from, to);
    for (let slot = from; slot <= to; slot += 900_000) {
      const stretch = stretches.findLast((each) => each.from <= slot)!;
      expect(slot + stretch.offsetMs).toBe(localTime(zone, slot));
    }
  },
);
