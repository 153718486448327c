import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { Wheel, type WheelMember } from './wheel.ts';

class ManualClock implements Clock {
  #ms = 0;
  now(): number {
    return this.#ms;
  }
  monotonic(): number {
    return this.#ms;
  }
  advance(ms: number): void {
    this.#ms += ms;
  }
}

/** A wheel in virtual time: `run` advances, `stall` delays the timer. */
function harness() {
  const clock = new ManualClock();
  const timers: { run: () => void; at: number }[] = [];
  const wheel = new Wheel({
    clock,
    schedule: (run, delayMs) => {
      timers.push({ run, at: clock.monotonic() + delayMs });
      return () => {
        timers.length = 0;
      };
    },
  });
  let wakes = 0;
  const fire = (): void => {
    wakes += 1;
    timers.shift()?.run();
  };
  const nextAt = (): number => timers[0]?.at ?? Number.POSITIVE_INFINITY;
  return {
    clock,
    wheel,
    isArmed: () => timers.length > 0,
    wakes: () => wakes,
    run: (ms: number, lateMs = 0): void => {
      const end = clock.monotonic() + ms;
      while (nextAt() + lateMs <= end) {
        clock.advance(Math.max(0, nextAt() + lateMs - clock.monotonic()));
        fire();
      }
      clock.advance(end - clock.monotonic());
    },
    stall: (ms: number): void => {
      clock.advance(ms);
      fire();
    },
  };
}

function counter(clock: ManualClock) {
  const ticks: { at: number; skipped: number }[] = [];
  const member: WheelMember = {
    onTick: (_at, skipped) => ticks.push({ at: clock.monotonic(), skipped }),
  };
  return { ticks, member };
}

describe('wheel', () => {
  it('calls each member every 20 ms, spread over four phases', () => {
    const { clock, wheel, run } = harness();
    const members = Array.from({ length: 4 }, () => counter(clock));
    for (const { member } of members) wheel.add(member);
    wheel.start();
    run(200);
    expect(members.map(({ ticks }) => ticks.length)).toEqual([10, 10, 10, 10]);
    expect(new Set(members.map(({ ticks }) => (ticks[0]?.at ?? 0) % 20)).size).toBe(4);
    expect(wheel.lateness()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0, runs: 40 });
  });

  it('does not drift when every timer is late', () => {
    const { clock, wheel, run } = harness();
    const { ticks, member } = counter(clock);
    wheel.add(member);
    wheel.start();
    run(60_000, 3);
    expect(ticks.length).toBeGreaterThanOrEqual(2999);
    expect(ticks.every(({ skipped }) => skipped === 0)).toBe(true);
    expect(wheel.lateness()).toMatchObject({ p50Ms: 3, p99Ms: 3, maxMs: 3 });
  });

  it.each([
    [20, 0],
    [60, 0],
    [100, 2],
    [1000, 47],
  ])('makes up at most three steps after a stall of %i ms and skips %i', (ms, skipped) => {
    const { clock, wheel, run, stall } = harness();
    const members = Array.from({ length: 4 }, () => counter(clock));
    for (const { member } of members) wheel.add(member);
    wheel.start();
    run(200);
    for (const { ticks } of members) ticks.length = 0;
    stall(ms);
    for (const { ticks } of members) {
      expect(ticks.length).toBeLessThanOrEqual(3);
      expect(ticks.length).toBe(ms / 20 - skipped);
      expect(ticks.map((tick) => tick.skipped)).toEqual([skipped, 0, 0].slice(0, ticks.length));
    }
    // Executed and skipped steps add up to the elapsed time.
    run(200);
    const [first] = members;
    expect(first?.ticks.length).toBe(ms / 20 - skipped + 10);
  });

  it('adds and removes members during a phase', () => {
    const { clock, wheel, run } = harness();
    const others = Array.from({ length: 8 }, () => counter(clock));
    const leaving: WheelMember = {
      onTick: () => {
        wheel.remove(leaving);
        for (const { member } of others) wheel.add(member);
      },
    };
    wheel.add(leaving);
    wheel.add(leaving);
    expect(wheel.size).toBe(1);
    wheel.start();
    wheel.start();
    run(100);
    expect(wheel.size).toBe(8);
    expect(others.every(({ ticks }) => ticks.length >= 3)).toBe(true);
    wheel.remove(leaving);
    expect(wheel.size).toBe(8);
  });

  it('does not call a member removed by another one in the same phase', () => {
    const { wheel, run } = harness();
    const called: string[] = [];
    const second: WheelMember = { onTick: () => called.push('second') };
    const first: WheelMember = {
      onTick: () => {
        called.push('first');
        wheel.remove(second);
      },
    };
    const fillers = Array.from({ length: 3 }, (): WheelMember => ({ onTick: () => undefined }));
    for (const member of [first, ...fillers, second]) wheel.add(member);
    wheel.start();
    run(20);
    expect(called).toEqual(['first']);
  });

  it('does not wake the thread for phases without members', () => {
    const { clock, wheel, run, isArmed, wakes } = harness();
    wheel.start();
    run(1000);
    expect([isArmed(), wakes()]).toEqual([false, 0]);
    const { ticks, member } = counter(clock);
    wheel.add(member);
    run(1000);
    expect([ticks.length, wakes()]).toEqual([50, 50]);
    expect(ticks.every(({ skipped }) => skipped === 0)).toBe(true);
    wheel.remove(member);
    run(1000);
    expect(isArmed()).toBe(false);
    expect(wheel.lateness()).toMatchObject({ maxMs: 0, runs: 50 });
  });

  it('calls members that come at any moment every 20 ms from then on, without a late or skipped step', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 47 }), { minLength: 1, maxLength: 9 }), (gaps) => {
        const { clock, wheel, run } = harness();
        wheel.start();
        const joined = gaps.map((gap) => {
          run(gap);
          const { ticks, member } = counter(clock);
          wheel.add(member);
          return { ticks, from: clock.monotonic() };
        });
        run(200);
        for (const { ticks, from } of joined) {
          const first = ticks[0]?.at as number;
          expect(first - from).toBeGreaterThan(0);
          expect(first - from).toBeLessThanOrEqual(20);
          expect(ticks.map(({ at }) => at)).toEqual(ticks.map((_, index) => first + index * 20));
          expect(ticks.every(({ skipped }) => skipped === 0)).toBe(true);
          expect(clock.monotonic() - (ticks.at(-1)?.at as number)).toBeLessThan(20);
        }
        expect(wheel.lateness().maxMs).toBe(0);
      }),
    );
  });

  it('stops, also from within a tick, and resets lateness', () => {
    const { wheel, run, stall, isArmed } = harness();
    for (let each = 0; each < 2; each++) wheel.add({ onTick: () => undefined });
    wheel.start();
    stall(50);
    expect(wheel.lateness().maxMs).toBe(45);
    wheel.resetLateness();
    expect(wheel.lateness()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0, runs: 0 });
    wheel.add({ onTick: () => wheel.stop() });
    run(40);
    expect(isArmed()).toBe(false);
  });
});
