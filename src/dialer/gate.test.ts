import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DueNumber } from '../store/claims.ts';
import { admit, freeOf, roomOf, takeRoom } from './gate.ts';
import { callsFree, refill, startPace, take, waitMs } from './pacing.ts';
import { look, newWatch, STALE_MS } from './reaper-watch.ts';

const number = (id: string, more: Partial<DueNumber> = {}): DueNumber => ({
  id,
  displayName: '',
  callLimit: null,
  trunkId: 't',
  trunkMaxCalls: null,
  ...more,
});
const tenant = { id: 'w', credits: 0, lockedCredits: 0, unlimited: true, callLimit: 10 };

describe('room', () => {
  it('is the least of tenant, number, trunk, pace and node', () => {
    const numbers = [number('a', { callLimit: 3 }), number('b'), number('c', { trunkId: null })];
    const base = { tenant, numbers, live: new Map(), trunkLive: new Map(), paced: new Map(), capacity: 100 };
    const free = (more: Partial<Parameters<typeof roomOf>[0]>): number[] => {
      const room = roomOf({ ...base, ...more });
      return numbers.map((n) => freeOf(room, n));
    };
    expect(free({})).toEqual([3, 10, 0]);
    expect(
      free({
        live: new Map([
          ['a', 1],
          [null, 4],
        ]),
      }),
    ).toEqual([2, 5, 0]);
    expect(free({ paced: new Map([['t', 2]]) })).toEqual([2, 2, 0]);
    expect(free({ capacity: 1 })).toEqual([1, 1, 0]);
    expect(free({ capacity: 0 })).toEqual([0, 0, 0]);
    expect(free({ live: new Map([['a', 99]]) })).toEqual([0, 0, 0]);
  });

  it('never starts more than any limit allows, in whatever order calls come', () => {
    const limit = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 }),
        fc.array(
          fc.record({
            callLimit: limit,
            trunk: fc.constantFrom('s', 't'),
            live: fc.integer({ min: 0, max: 4 }),
          }),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        fc.record({ s: limit, t: limit }),
        fc.array(fc.nat({ max: 4 }), { maxLength: 40 }),
        (callLimit, specs, trunkMax, order) => {
          const numbers = specs.map((spec, index) =>
            number(String(index), {
              callLimit: spec.callLimit,
              trunkId: spec.trunk,
              trunkMaxCalls: trunkMax[spec.trunk as 's'],
            }),
          );
          const live = new Map(specs.map((spec, index) => [String(index), spec.live]));
          const onTrunk = (id: string): number =>
            specs.reduce((sum, spec) => sum + (spec.trunk === id ? spec.live : 0), 0);
          const trunkLive = new Map([
            ['s', onTrunk('s')],
            ['t', onTrunk('t')],
          ]);
          const room = roomOf({
            tenant: { ...tenant, callLimit },
            numbers,
            live,
            trunkLive,
            paced: new Map(),
            capacity: 8,
          });
          const started = new Map<string, number>();
          for (const index of order) {
            const n = numbers[index];
            if (n === undefined || freeOf(room, n) <= 0) continue;
            takeRoom(room, n);
            started.set(n.id, (started.get(n.id) ?? 0) + 1);
          }
          const total = [...started.values()].reduce((sum, count) => sum + count, 0);
          const liveTotal = specs.reduce((sum, spec) => sum + spec.live, 0);
          expect(total).toBeLessThanOrEqual(Math.max(0, Math.min(8, callLimit - liveTotal)));
          for (const [index, n] of numbers.entries()) {
            const cap = Math.max(0, (n.callLimit ?? 99) - (specs[index]?.live ?? 0));
            expect(started.get(n.id) ?? 0).toBeLessThanOrEqual(cap);
          }
          for (const id of ['s', 't'] as const) {
            const count = numbers.reduce(
              (sum, n) => sum + (n.trunkId === id ? (started.get(n.id) ?? 0) : 0),
              0,
            );
            expect(count).toBeLessThanOrEqual(Math.max(0, (trunkMax[id] ?? 99) - onTrunk(id)));
          }
        },
      ),
    );
  });
});

describe('admission', () => {
  const now = Date.UTC(2026, 0, 5, 10);
  const base = {
    now,
    doNotCall: false,
    agentArchived: false,
    versionConfig: { call_config: { max_call_length: 60 } },
    callConfig: null,
    toNumber: '+14155550123',
    unlimited: false,
    credits: 5_000_000,
    available: 5_000_000,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
  };
  it('starts an allowed call', () => {
    expect(admit(base)).toEqual({ kind: 'start', capMs: 60_000, amount: 1_000_000 });
    expect(admit({ ...base, unlimited: true, credits: 0, available: 0 })).toEqual({
      kind: 'start',
      capMs: 60_000,
      amount: 0,
    });
  });
  it('asks the do-not-call list, then the window, then the money', () => {
    const closed = { call_config: { call_time: { call_end_time: '10:00' } } };
    expect(admit({ ...base, agentArchived: true, versionConfig: closed })).toEqual({
      kind: 'end',
      subStatus: 'USER_TERMINATED',
    });
    expect(admit({ ...base, doNotCall: true, versionConfig: closed })).toEqual({
      kind: 'end',
      subStatus: 'DND_SKIPPED',
    });
    expect(admit({ ...base, available: 0, versionConfig: closed })).toMatchObject({
      subStatus: 'WINDOW_CLOSED',
    });
    expect(admit({ ...base, available: 0 })).toMatchObject({
      kind: 'defer',
      subStatus: 'INSUFFICIENT_BALANCE',
    });
    expect(admit({ ...base, available: 0, credits: 999_999 })).toEqual({
      kind: 'end',
      subStatus: 'INSUFFICIENT_BALANCE',
    });
  });
});

describe('pace', () => {
  it('starts with a second’s worth, then one call each 1/n seconds', () => {
    let pace = startPace(4, 0);
    expect(callsFree(pace)).toBe(4);
    pace = take(pace, 4);
    expect(waitMs(pace)).toBe(250);
    expect(callsFree(refill(pace, 249))).toBe(0);
    expect(callsFree(refill(pace, 250))).toBe(1);
    expect(callsFree(refill(pace, 60_000))).toBe(4);
    expect(callsFree(refill(pace, -5))).toBe(0);
  });
  it('carries slow trunks: one call each two seconds', () => {
    const pace = take(startPace(0.5, 0), 1);
    expect(callsFree(refill(pace, 1999))).toBe(0);
    expect(callsFree(refill(pace, 2000))).toBe(1);
  });
  it('never passes its rate over any stretch', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
        (perSecond, steps) => {
          let pace = startPace(perSecond, 0);
          let at = 0;
          let started = 0;
          for (const step of steps) {
            at += step;
            pace = refill(pace, at);
            started += callsFree(pace);
            pace = take(pace, callsFree(pace));
          }
          expect(started).toBeLessThanOrEqual(perSecond + (at * perSecond) / 1000 + 1e-6);
        },
      ),
    );
  });
});

describe('watch over nodes', () => {
  const run = (beats: readonly (number | null)[], stepMs = 1000): string[][] => {
    let watch = newWatch();
    return beats.map((beat, index) => {
      const looked = look(watch, beat === null ? [] : [{ id: 'n', beat }], index * stepMs);
      watch = looked.watch;
      return looked.dead;
    });
  };
  it('gives a silent node fifteen seconds', () => {
    const seen = run(Array.from({ length: 17 }, () => 7));
    expect(seen.findIndex((dead) => dead.length > 0)).toBe(STALE_MS / 1000);
  });
  it('forgives a beat at any moment', () => {
    expect(run(Array.from({ length: 60 }, (_, index) => Math.floor(index / 14))).flat()).toEqual([]);
  });
  it('starts over after a pause of its own', () => {
    expect(run([1, 1, 1, 1], 6000).flat()).toEqual([]);
  });
});
