import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { WindowCounts } from '../../shared/limits/window-counts.ts';
import { SIGN_IN_WINDOW_MS, SignInThrottle, type Attempt } from './sign-in-throttle.ts';

const throttleOf = (clock: ManualClock): SignInThrottle =>
  new SignInThrottle(new WindowCounts(SIGN_IN_WINDOW_MS, clock));

const from = (address: string, email: string, device: string | null = null): Attempt => ({
  address,
  email,
  device,
});
const attempts = (throttle: SignInThrottle, count: number, attempt: Attempt): number[] =>
  Array.from({ length: count }, () => throttle.begin(attempt));

describe('the sign-in throttle', () => {
  it('refuses an account after 10 attempts from any addresses, for the rest of 15 minutes', () => {
    const clock = new ManualClock();
    const throttle = throttleOf(clock);
    for (let i = 0; i < 10; i += 1) expect(throttle.begin(from(`10.0.0.${i}`, 'Ann@example.com'))).toBe(0);
    clock.advance(60_000);
    expect(throttle.begin(from('10.0.1.1', 'ann@example.com'))).toBe(840);
    expect(throttle.begin(from('10.0.1.1', 'bob@example.com'))).toBe(0);
    clock.advance(840_000);
    expect(throttle.begin(from('10.0.1.1', 'ann@example.com'))).toBe(0);
  });

  it.each([
    ['10.0.0.', '10.0.1.1'],
    ['2001:db8:1:2::', '2001:db8:1:3::1'],
  ])('refuses the block of %s after 20 attempts on any accounts, and no other', (block, other) => {
    const throttle = throttleOf(new ManualClock());
    for (let i = 0; i < 20; i += 1)
      expect(throttle.begin(from(`${block}${i}`, `user${i}@example.com`))).toBe(0);
    expect(throttle.begin(from(`${block}99`, 'other@example.com'))).toBe(900);
    expect(throttle.begin(from(other, 'other@example.com'))).toBe(0);
  });

  it('locks no longer when the wall clock steps back', () => {
    const clock = new ManualClock();
    const throttle = throttleOf(clock);
    attempts(throttle, 20, from('10.0.0.1', 'ann@example.com'));
    clock.set(clock.now() - 3_600_000);
    clock.advance(900_000);
    expect(throttle.begin(from('10.0.0.1', 'ann@example.com'))).toBe(0);
  });

  it('counts no successes', () => {
    const throttle = throttleOf(new ManualClock());
    for (let i = 0; i < 30; i += 1) {
      expect(throttle.begin(from('10.0.0.1', 'ann@example.com'))).toBe(0);
      throttle.succeeded(from('10.0.0.1', 'ann@example.com'));
    }
  });

  it('keeps the account open for a device that it knows, which has a limit of its own', () => {
    const throttle = throttleOf(new ManualClock());
    expect(attempts(throttle, 11, from('10.0.0.1', 'ann@example.com')).at(-1)).toBe(900);
    attempts(throttle, 20, from('10.0.0.1', 'bob@example.com'));
    const own = from('10.0.0.1', 'ann@example.com', 'device');
    expect(attempts(throttle, 21, own)).toEqual([...Array.from({ length: 20 }, () => 0), 900]);
    expect(throttle.begin(from('10.9.9.9', 'ann@example.com', 'other device'))).toBe(0);
  });
});
