import { describe, expect, it } from 'vitest';
import { RetryTimes } from './retry-times.ts';

describe('times of retries', () => {
  it('are told once when they have come, and never early', () => {
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

  it('that came while nobody asked are waited for no more', () => {
    const times = new RetryTimes();
    times.add(2000);
    expect(times.untilNext(5000)).toBeLessThanOrEqual(0);
    expect(times.haveCome(5000)).toBe(true);
    expect(times.untilNext(5000)).toBe(Number.POSITIVE_INFINITY);
  });
});
