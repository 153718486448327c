import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime } from '@callwright/language';
import { splitWeeks, stretchesOf } from './hours.ts';

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

describe('splitWeeks', () => {
  const DAY = 24 * HOUR;
  const WEEK = 7 * DAY;
  const MONDAY = at('1970-01-05T00:00:00Z');
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const NO_DAYS = { firstDay: null, lastDay: null };

  it('takes the weeks between two clock changes as one span, and those of the changes by the quarter of an hour', () => {
    const [from, to] = [at('2026-01-05T00:00:00Z'), at('2026-12-28T00:00:00Z')];
    const { weeks, rest } = splitWeeks(stretchesOf('Europe/Berlin', from, to - 900_000), NO_DAYS, {
      from,
      to,
    });
    const spans = (each: readonly { from: number; to: number }[]): unknown =>
      each.map((span) => [span.from, span.to].map((ms) => (Number.isFinite(ms) ? dayOf(ms) : ms)));
    expect(spans(weeks)).toEqual([
      ['2026-01-05', '2026-03-23'],
      ['2026-03-30', '2026-10-19'],
      ['2026-10-26', '2026-12-28'],
    ]);
    expect(spans(rest)).toEqual([
      [-Infinity, '2026-01-05'],
      ['2026-03-23', '2026-03-30'],
      ['2026-10-19', '2026-10-26'],
      ['2026-12-28', Infinity],
    ]);
  });

  it('has no whole week within a few days', () => {
    const [from, to] = [at('2026-01-05T00:00:00Z'), at('2026-01-19T00:00:00Z')];
    const days = { firstDay: '2026-01-06', lastDay: '2026-01-17' };
    expect(splitWeeks(stretchesOf('UTC', from, to), days, { from, to })).toEqual({
      weeks: [],
      rest: [{ from: -Infinity, to: Infinity }],
    });
  });

  it('reads every instant once, and no week that days of a zone cut or in which its clock changes', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Pacific/Kiritimati',
      'Asia/Kathmandu',
    );
    const day = fc.option(fc.integer({ min: -30, max: 500 }), { nil: null });
    const start = fc.integer({ min: 0, max: 400 * 96 });
    const length = fc.integer({ min: 1, max: 400 * 96 });
    fc.assert(
      fc.property(zone, zone, start, length, day, day, (shown, counted, begins, quarters, first, last) => {
        const from = at('2025-11-01T00:00:00Z') + begins * 900_000;
        const to = from + quarters * 900_000;
        const days = {
          firstDay: first === null ? null : dayOf(from + first * DAY),
          lastDay: last === null ? null : dayOf(from + last * DAY),
        };
        const stretches = stretchesOf(shown, from, to - 900_000);
        const { weeks, rest } = splitWeeks(stretches, days, { from, to });
        const all = [...weeks, ...rest].toSorted((a, b) => a.from - b.from);
        expect(all.map((span) => span.from)).toEqual([-Infinity, ...all.slice(0, -1).map((span) => span.to)]);
        expect(all.at(-1)?.to).toBe(Infinity);
        expect(all.filter((span) => span.from >= span.to)).toEqual([]);
        // The days of the workspace's zone at both ends: in between they only grow.
        const isCut = (span: { from: number; to: number }): boolean => {
          const [head, tail] = [span.from, span.to - 900_000].map((ms) => dayOf(localTime(counted, ms)));
          return head! < (days.firstDay ?? '') || tail! > (days.lastDay ?? '9');
        };
        const isMoved = (span: { from: number; to: number }): boolean =>
          stretches.slice(1).some((each) => each.from > span.from && each.from < span.to);
        const isWhole = (ms: number): boolean => (ms - MONDAY) % WEEK === 0;
        expect(weeks.filter((span) => isCut(span) || isMoved(span))).toEqual([]);
        expect(weeks.filter((span) => !isWhole(span.from) || !isWhole(span.to))).toEqual([]);
      }),
    );
  });
});
