import * as fc from 'fast-check';
import { expect, it, describe } from 'vitest';
import { TrunkCounts, capacityFor, capacityOf, takeCapacity, type CapacityInput } from './trunks.ts';
import type { BatchNumber } from '../store/scheduler/batch-numbers.ts';

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

const number = (id: string, more: Partial<BatchNumber> = {}): BatchNumber => ({
  id,
  number: '+14155550100',
  displayName: '',
  callLimit: null,
  trunkId: 't',
  trunkWidth: 'narrow',
  usedAt: 0,
  ratedAt: null,
  restUntil: null,
  ...more,
});

describe('capacity', () => {
  it('is the minimum over workspace, campaign, number, trunk and quota', () => {
    const numbers = [number('a', { callLimit: 3 }), number('b'), number('c', { trunkId: null })];
    const base: CapacityInput = {
      callLimit: 10,
      live: 0,
      quota: 100,
      campaigns: new Map([['l', 7]]),
      numbers,
      liveOfNumber: new Map(),
      trunks: new Map(),
      destinations: new Map(),
    };
    const free = (more: Partial<CapacityInput>, campaign: string | null = null): number[] => {
      const capacity = capacityOf({ ...base, ...more });
      return numbers.map((n) => capacityFor(capacity, n, campaign));
    };
    expect(free({})).toEqual([3, 10, 0]);
    expect(free({}, 'l')).toEqual([3, 7, 0]);
    expect(free({}, 'unknown')).toEqual([0, 0, 0]);
    expect(free({ live: 5, liveOfNumber: new Map([['a', 1]]) })).toEqual([2, 5, 0]);
    expect(free({ trunks: new Map([['t', 2]]) })).toEqual([2, 2, 0]);
    expect(free({ trunks: new Map([['t', -1]]) })).toEqual([0, 0, 0]);
    expect(free({ quota: 1 })).toEqual([1, 1, 0]);
    expect(free({ quota: 0 })).toEqual([0, 0, 0]);
    expect(free({ live: 99, liveOfNumber: new Map([['a', 99]]) })).toEqual([0, 0, 0]);
  });

  it('never exceeds any limit, in any order of calls', () => {
    const few = fc.integer({ min: 0, max: 6 });
    const limit = fc.option(few, { nil: null });
    const spec = fc.record({
      callLimit: limit,
      trunk: fc.constantFrom('s', 't'),
      live: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 }),
        fc.array(spec, { minLength: 1, maxLength: 5 }),
        fc.record({ s: few, t: few }),
        fc.record({ k: few, l: few }),
        few,
        fc.array(fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('k', 'l', null)), { maxLength: 40 }),
        (callLimit, specs, trunkFree, campaignFree, abroad, order) => {
          const numbers = specs.map((n, index) =>
            number(String(index), { callLimit: n.callLimit, trunkId: n.trunk }),
          );
          const live = specs.reduce((sum, n) => sum + n.live, 0);
          const capacity = capacityOf({
            callLimit,
            live,
            quota: 8,
            campaigns: new Map(Object.entries(campaignFree)),
            numbers,
            liveOfNumber: new Map(specs.map((n, index) => [String(index), n.live])),
            trunks: new Map(Object.entries(trunkFree)),
            destinations: new Map([['abroad', abroad]]),
          });
          const started: { number: BatchNumber; campaign: string | null }[] = [];
          for (const [index, campaign] of order) {
            const n = numbers[index];
            if (n === undefined || capacityFor(capacity, n, campaign) <= 0) continue;
            takeCapacity(capacity, n, campaign, [{ to: 'abroad', concurrent: 6 }]);
            started.push({ number: n, campaign });
          }
          const count = (match: (start: (typeof started)[number]) => boolean): number =>
            started.filter(match).length;
          expect(started.length).toBeLessThanOrEqual(Math.max(0, Math.min(8, callLimit - live)));
          expect(capacity.destinations.get('abroad')).toBe(abroad - started.length);
          for (const [index, n] of numbers.entries()) {
            const cap = Math.max(0, (n.callLimit ?? 99) - (specs[index]?.live ?? 0));
            expect(count((start) => start.number === n)).toBeLessThanOrEqual(cap);
          }
          for (const id of ['s', 't'] as const) {
            expect(count((start) => start.number.trunkId === id)).toBeLessThanOrEqual(trunkFree[id]);
          }
          for (const id of ['k', 'l'] as const) {
            expect(count((start) => start.campaign === id)).toBeLessThanOrEqual(campaignFree[id]);
          }
        },
      ),
    );
  });
});
