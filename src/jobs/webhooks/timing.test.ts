import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LoopThrottle, RetryTimes } from './timing.ts';

it('admits a fixed number of callers per event-loop iteration, in order, with I/O in between', async () => {
  const throttle = new LoopThrottle(3);
  const order: (number | string)[] = [];
  const all = [0, 1, 2, 3, 4, 5, 6].map((n) => throttle.next().then(() => order.push(n)));
  const io = (async () => {
    for (let n = 1; n <= 2; n += 1) {
      await nextIteration();
      order.push(`io ${n}`);
    }
  })();
  await Promise.all([...all, io]);
  expect(order).toEqual([0, 1, 2, 'io 1', 3, 4, 5, 'io 2', 6]);
  // A later caller is admitted as well: the throttle restarts after it ran empty.
  await throttle.next();
});

describe('RetryTimes', () => {
  it('reports a due time once, and never early', () => {
    const times = new RetryTimes();
    expect(times.untilNext(1000)).toBe(Number.POSITIVE_INFINITY);
    expect(times.haveCome(1000)).toBe(false);
    times.add(11_000);
    times.add(61_010);
    expect(times.untilNext(1000)).toBe(10_000);
    expect(times.haveCome(10_999)).toBe(false);
    expect(times.haveCome(11_000)).toBe(true);
    expect(times.haveCome(11_000)).toBe(false);
    expect(times.untilNext(11_000)).toBeGreaterThanOrEqual(50_010);
    expect(times.haveCome(61_009)).toBe(false);
  });

  it('reports a time that passed between two polls as due at once', () => {
    const times = new RetryTimes();
    times.add(2000);
    expect(times.untilNext(5000)).toBeLessThanOrEqual(0);
    expect(times.haveCome(5000)).toBe(true);
    expect(times.untilNext(5000)).toBe(Number.POSITIVE_INFINITY);
  });
});
