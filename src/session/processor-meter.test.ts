import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ProcessorMeter } from './processor-meter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('counts nested entrances once, and the time between calls not at all', () => {
  const meter = new ProcessorMeter();
  meter.enter();
  vi.advanceTimersByTime(5);
  meter.enter();
  vi.advanceTimersByTime(10);
  meter.leave();
  vi.advanceTimersByTime(1);
  meter.leave();
  vi.advanceTimersByTime(1_000);
  expect([meter.take(), meter.take()]).toEqual([16, 0]);
});
