import { expect, it } from 'vitest';
import { comparisonSheet, hourSheet, reactionSheet } from './sheets.ts';

const times = { turns: 4, p50_ms: 500, p95_ms: 900, p99_ms: null };
const parts = { reaction: times, endpointing: times, recognition: times, model: times, voice: times };
const side = { count: 1, total: 4, share: 0.25 };

it('have a cell in every row for each column', () => {
  const sheets = [
    reactionSheet({ daily: [{ date: '2026-01-05', ...parts }] } as Parameters<typeof reactionSheet>[0]),
    hourSheet({
      timezone: 'UTC',
      hours: [{ hour: 9, attempts: 3, reaction: null }],
    } as Parameters<typeof hourSheet>[0]),
    comparisonSheet({
      a: { version_slug: 'v1', ...parts },
      b: { version_slug: 'v2', ...parts },
      shares: [{ of: 'criterion', criterion: 'booked', a: side, b: side, verdict: 'within_chance' }],
    } as Parameters<typeof comparisonSheet>[0]),
  ];
  for (const { columns, rows } of sheets) {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  }
  expect(sheets[0]?.rows[0]).toEqual(['2026-01-05', 'reaction', 4, 500, 900, null]);
  expect(sheets[2]?.rows[1]?.slice(0, 5)).toEqual(['booked', 0.25, 0.25, 4, 4]);
});
