import { describe, expect, it } from 'vitest';
import { splitByDay } from './whole-days.ts';

const at = (text: string): Date => new Date(text);
const split = (since: string | null, before: string | null, zone = 'UTC'): unknown => {
  const found = splitByDay(since === null ? null : at(since), before === null ? null : at(before), zone);
  return (
    found && {
      ...found.days,
      edges: found.edges.map((edge) => [edge.since.toISOString(), edge.before.toISOString()]),
    }
  );
};

describe('a span of time', () => {
  it('without bounds is made of days only', () => {
    expect(split(null, null)).toEqual({ firstDay: null, lastDay: null, edges: [] });
  });

  it('between two midnights has no edges', () => {
    expect(split('2026-01-04T00:00:00Z', '2026-01-06T00:00:00Z')).toEqual({
      firstDay: '2026-01-04',
      lastDay: '2026-01-05',
      edges: [],
    });
  });

  it('within days has an edge at each end', () => {
    expect(split('2026-01-03T18:30:00Z', '2026-01-06T00:00:00.001Z')).toEqual({
      firstDay: '2026-01-04',
      lastDay: '2026-01-05',
      edges: [
        ['2026-01-03T18:30:00.000Z', '2026-01-04T00:00:00.000Z'],
        ['2026-01-06T00:00:00.000Z', '2026-01-06T00:00:00.001Z'],
      ],
    });
  });

  it('with one bound is open at the other end', () => {
    expect(split('2026-01-03T18:30:00Z', null)).toEqual({
      firstDay: '2026-01-04',
      lastDay: null,
      edges: [['2026-01-03T18:30:00.000Z', '2026-01-04T00:00:00.000Z']],
    });
    expect(split(null, '2026-01-06T00:00:00Z')).toEqual({ firstDay: null, lastDay: '2026-01-05', edges: [] });
  });

  it('shorter than a day has no whole day', () => {
    expect(split('2026-01-03T18:30:00Z', '2026-01-04T18:30:00Z')).toBeNull();
    expect(split('2026-01-03T01:00:00Z', '2026-01-03T02:00:00Z')).toBeNull();
    expect(split('2026-01-05T00:00:00Z', '2026-01-04T00:00:00Z')).toBeNull();
  });

  it('is split at the midnights of its zone', () => {
    expect(split('2026-01-03T18:30:00Z', '2026-01-05T20:00:00Z', 'Asia/Kolkata')).toEqual({
      firstDay: '2026-01-04',
      lastDay: '2026-01-05',
      edges: [['2026-01-05T18:30:00.000Z', '2026-01-05T20:00:00.000Z']],
    });
  });
});
