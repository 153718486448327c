import { expect, it } from 'vitest';
import { TrunkCounts } from './trunk-counts.ts';

const limits = {
  id: 't',
  maxCalls: 1000,
  callsPerSecond: null,
  paceTokens: null,
  paceAt: null,
  pausedUntil: null,
};

it('bounds a trunk’s live calls by its last count plus all claims since', () => {
  const counts = new TrunkCounts();
  expect(counts.atMost({ ...limits, claims: 5 }, 0)).toBeNull();
  counts.note([{ ...limits, claims: 5, live: 3 }], 100);
  expect(counts.atMost({ ...limits, claims: 5 }, 100)).toBe(3);
  expect(counts.atMost({ ...limits, claims: 25 }, 200)).toBe(23);
  counts.note([{ ...limits, claims: 25, live: 4 }], 300);
  expect(counts.atMost({ ...limits, claims: 26 }, 300)).toBe(5);
});

it('expires a count after one second', () => {
  const counts = new TrunkCounts();
  counts.note([{ ...limits, claims: 0, live: 0 }], 0);
  expect([999, 1000].map((now) => counts.isKnown('t', now))).toEqual([true, false]);
  expect(counts.atMost({ ...limits, claims: 0 }, 1000)).toBeNull();
  expect(counts.isKnown('another', 0)).toBe(false);
});
