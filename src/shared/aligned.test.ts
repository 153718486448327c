import { AsyncLocalStorage } from 'node:async_hooks';
import { assert, constantFrom, double, integer, property } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterAligned, alignedMs, everyAligned } from './aligned.ts';

afterEach(() => {
  // First the spy on the timers, which would otherwise be the timers of the files after this one.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('leaves waits below a second as they are', () => {
  expect([alignedMs(0, 123), alignedMs(999, 123)]).toEqual([0, 999]);
});

it('ends at a whole second, at most 50 ms later than asked and less than six seconds sooner', () => {
  assert(
    property(
      double({ min: 0, max: 1e9, noNaN: true }),
      integer({ min: 1_000, max: 100_000 }),
      (now, wait) => {
        const aligned = alignedMs(wait, now);
        expect(aligned).toBeGreaterThan(wait - (wait % 1_000 === 0 ? 6_000 : 1_000));
        expect(aligned).toBeGreaterThan(0);
        expect(aligned).toBeLessThanOrEqual(wait + 50);
        expect(Math.round((now + aligned) * 1e3) % 1e6).toBe(0);
      },
    ),
  );
});

it('keeps an interval at its length, also after a timer that fired early or late', () => {
  expect([alignedMs(1_000, 7_005), alignedMs(1_000, 6_999.4)]).toEqual([995, 1_000.6000000000004]);
  assert(
    property(
      constantFrom(1_000, 2_000, 3_000, 5_000, 6_000, 10_000, 60_000, 120_000),
      double({ min: 0, max: 1e6, noNaN: true }),
      double({ min: -49, max: 400, noNaN: true }),
      (interval, start, lateMs) => {
        const first = start + alignedMs(interval, start);
        expect(first + lateMs + alignedMs(interval, first + lateMs) - first).toBeCloseTo(interval, 3);
      },
    ),
  );
});

it('lets all intervals of ten seconds and more end at a multiple of five, and intervals of three and six at one of three', () => {
  for (const now of [100, 4_990, 12_345.6]) {
    for (const wait of [5_000, 10_000, 25_000, 120_000]) {
      expect((now + alignedMs(wait, now)) % 5_000).toBeCloseTo(0, 6);
    }
    for (const wait of [3_000, 6_000]) expect((now + alignedMs(wait, now)) % 3_000).toBeCloseTo(0, 6);
  }
});

describe('timers that end at one moment', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('are one timer, each of which can be cancelled', () => {
    const ran: string[] = [];
    afterAligned(3_000, () => ran.push('a'));
    vi.advanceTimersByTime(10.4);
    const cancel = afterAligned(1_000, () => ran.push('b'));
    vi.advanceTimersByTime(100);
    afterAligned(3_000, () => ran.push('c'));
    afterAligned(2_900, () => ran.push('d'));
    expect(vi.getTimerCount()).toBe(2);
    cancel();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(3_000);
    expect(ran).toEqual(['a', 'c', 'd']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('run without those that an earlier one of them cancels, and in the context of each', () => {
    const ran: unknown[] = [];
    const tenant = new AsyncLocalStorage<string>();
    const cancels: (() => void)[] = [];
    tenant.run('one', () => afterAligned(2_000, () => ran.push(tenant.getStore())));
    tenant.run('two', () =>
      afterAligned(2_000, () => {
        ran.push(tenant.getStore());
        for (const cancel of cancels) cancel();
      }),
    );
    cancels.push(afterAligned(2_000, () => ran.push('cancelled')));
    afterAligned(2_000, () => ran.push(tenant.getStore()));
    vi.advanceTimersByTime(2_000);
    expect(ran).toEqual(['one', 'two', undefined]);
  });

  it('keep the process alive while one of them does', () => {
    const waits = vi.spyOn(globalThis, 'setTimeout');
    afterAligned(2_000, () => undefined);
    const timer = waits.mock.results[0]?.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(false);
    const [first, second] = [0, 1].map(() => afterAligned(2_000, () => undefined, { keepsAlive: true }));
    expect(timer.hasRef()).toBe(true);
    first!();
    expect(timer.hasRef()).toBe(true);
    second!();
    expect(timer.hasRef()).toBe(false);
  });
});

it('runs work at the same moments as everything else of that interval, until it is stopped', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime', 'performance'] });
  const at: number[] = [];
  const now = (): number => Number(process.hrtime.bigint()) / 1e6;
  const stop = everyAligned(3_000, () => at.push(now()));
  vi.advanceTimersByTime(1_234);
  const stopOther = everyAligned(3_000, () => at.push(now()));
  vi.advanceTimersByTime(9_000);
  const moments = new Set(at.map((ms) => Math.round(ms)));
  expect(moments.size).toBe(3);
  expect(at.length).toBe(6);
  stop();
  stopOther();
  vi.advanceTimersByTime(30_000);
  expect(at.length).toBe(6);
});
