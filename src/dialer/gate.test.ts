import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TurnNumber } from '../store/lanes.ts';
import { admit } from './gate.ts';
import { freeOf, roomOf, takeRoom, type RoomInput } from './room.ts';
import { callsFree, refill, startPace, take, waitMs } from './pacing.ts';
import { look, newWatch, STALE_MS } from './reaper-watch.ts';

const number = (id: string, more: Partial<TurnNumber> = {}): TurnNumber => ({
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

describe('room', () => {
  it('is the least of tenant, campaign, number, trunk and node', () => {
    const numbers = [number('a', { callLimit: 3 }), number('b'), number('c', { trunkId: null })];
    const base: RoomInput = {
      callLimit: 10,
      live: 0,
      capacity: 100,
      lanes: new Map([['l', 7]]),
      numbers,
      liveOfNumber: new Map(),
      trunks: new Map(),
      destinations: new Map(),
    };
    const free = (more: Partial<RoomInput>, lane: string | null = null): number[] => {
      const room = roomOf({ ...base, ...more });
      return numbers.map((n) => freeOf(room, n, lane));
    };
    expect(free({})).toEqual([3, 10, 0]);
    expect(free({}, 'l')).toEqual([3, 7, 0]);
    expect(free({}, 'unknown')).toEqual([0, 0, 0]);
    expect(free({ live: 5, liveOfNumber: new Map([['a', 1]]) })).toEqual([2, 5, 0]);
    expect(free({ trunks: new Map([['t', 2]]) })).toEqual([2, 2, 0]);
    expect(free({ trunks: new Map([['t', -1]]) })).toEqual([0, 0, 0]);
    expect(free({ capacity: 1 })).toEqual([1, 1, 0]);
    expect(free({ capacity: 0 })).toEqual([0, 0, 0]);
    expect(free({ live: 99, liveOfNumber: new Map([['a', 99]]) })).toEqual([0, 0, 0]);
  });

  it('never starts more than any limit allows, in whatever order calls come', () => {
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
        (callLimit, specs, trunkFree, laneFree, abroad, order) => {
          const numbers = specs.map((n, index) =>
            number(String(index), { callLimit: n.callLimit, trunkId: n.trunk }),
          );
          const live = specs.reduce((sum, n) => sum + n.live, 0);
          const room = roomOf({
            callLimit,
            live,
            capacity: 8,
            lanes: new Map(Object.entries(laneFree)),
            numbers,
            liveOfNumber: new Map(specs.map((n, index) => [String(index), n.live])),
            trunks: new Map(Object.entries(trunkFree)),
            destinations: new Map([['abroad', abroad]]),
          });
          const started: { number: TurnNumber; lane: string | null }[] = [];
          for (const [index, lane] of order) {
            const n = numbers[index];
            if (n === undefined || freeOf(room, n, lane) <= 0) continue;
            takeRoom(room, n, lane, [{ to: 'abroad', concurrent: 6 }]);
            started.push({ number: n, lane });
          }
          const count = (match: (start: (typeof started)[number]) => boolean): number =>
            started.filter(match).length;
          expect(started.length).toBeLessThanOrEqual(Math.max(0, Math.min(8, callLimit - live)));
          expect(room.destinations.get('abroad')).toBe(abroad - started.length);
          for (const [index, n] of numbers.entries()) {
            const cap = Math.max(0, (n.callLimit ?? 99) - (specs[index]?.live ?? 0));
            expect(count((start) => start.number === n)).toBeLessThanOrEqual(cap);
          }
          for (const id of ['s', 't'] as const) {
            expect(count((start) => start.number.trunkId === id)).toBeLessThanOrEqual(trunkFree[id]);
          }
          for (const id of ['k', 'l'] as const) {
            expect(count((start) => start.lane === id)).toBeLessThanOrEqual(laneFree[id]);
          }
        },
      ),
    );
  });
});

describe('admission', () => {
  const now = Date.UTC(2026, 0, 5, 10);
  const base: Parameters<typeof admit>[0] = {
    now,
    doNotCall: false,
    stopped: null,
    agentArchived: false,
    mayDial: true,
    opening: now,
    tooOftenUntil: null,
    crowdedUntil: () => null,
    maxCallSeconds: 60,
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
  it('asks list, agent, destination, window, frequency, crowd and money, in this order', () => {
    const steps: [Partial<typeof base>, object][] = [
      [{ available: 0 }, { kind: 'defer', subStatus: 'INSUFFICIENT_BALANCE' }],
      [{ credits: 999_999 }, { kind: 'end', subStatus: 'INSUFFICIENT_BALANCE' }],
      [{ crowdedUntil: () => now + 7 }, { kind: 'defer', subStatus: 'LIMIT_REACHED', until: now + 7 }],
      [{ tooOftenUntil: now + 9 }, { kind: 'defer', subStatus: 'LIMIT_REACHED', until: now + 9 }],
      [{ opening: now + 5 }, { kind: 'defer', subStatus: 'WINDOW_CLOSED', until: now + 5 }],
      [{ mayDial: false }, { kind: 'end', subStatus: 'NOT_ABLE_TO_CALL' }],
      [
        { opening: null, mayDial: true },
        { kind: 'end', subStatus: 'NOT_ABLE_TO_CALL' },
      ],
      [{ agentArchived: true }, { kind: 'end', subStatus: 'USER_TERMINATED' }],
      [{ doNotCall: true }, { kind: 'end', subStatus: 'DND_SKIPPED' }],
    ];
    let input = base;
    for (const [more, expected] of steps) {
      input = { ...input, ...more };
      expect(admit(input)).toMatchObject(expected);
    }
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
