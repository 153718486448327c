import { expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { WindowCounts } from '../../shared/limits/window-counts.ts';
import { FailureThrottle } from './authenticate.ts';

it('an address with too many wrong keys waits a minute, however the wall clock jumps', () => {
  const clock = new ManualClock();
  const throttle = new FailureThrottle(2, new WindowCounts(60_000, clock));
  throttle.failed('192.0.2.1');
  expect(throttle.waitSeconds('192.0.2.1', null)).toBe(0);
  throttle.failed('192.0.2.1');
  expect(throttle.waitSeconds('192.0.2.1', null)).toBe(60);
  expect(throttle.waitSeconds('192.0.2.2', null)).toBe(0);
  clock.set(clock.now() + 3_600_000);
  expect(throttle.waitSeconds('192.0.2.1', null)).toBe(60);
  clock.set(clock.now() - 86_400_000);
  clock.advance(59_000);
  expect(throttle.waitSeconds('192.0.2.1', null)).toBe(1);
  clock.advance(1_000);
  throttle.failed('192.0.2.1');
  expect(throttle.waitSeconds('192.0.2.1', null)).toBe(0);
});
