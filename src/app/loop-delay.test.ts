import { expect, it } from 'vitest';
import { ManualClock } from '../shared/clock.ts';
import { LoopDelay } from './loop-delay.ts';

/** A loop in virtual time whose timers run `lateMs` late. */
function harness(isBusy: () => boolean) {
  const clock = new ManualClock();
  const timers: { run: () => void; at: number }[] = [];
  let samples = 0;
  const delay = new LoopDelay({
    clock,
    isBusy,
    aligned: (ms) => ms,
    after: (ms, run) => {
      timers.push({ run, at: clock.monotonic() + ms });
      return () => {
        timers.length = 0;
      };
    },
  });
  return {
    delay,
    isArmed: () => timers.length > 0,
    samples: () => samples,
    run: (ms: number, lateMs = 0): void => {
      const end = clock.monotonic() + ms;
      for (let next = timers[0]; next !== undefined && next.at + lateMs <= end; next = timers[0]) {
        clock.advance(next.at + lateMs - clock.monotonic());
        samples += 1;
        timers.shift();
        next.run();
      }
      clock.advance(end - clock.monotonic());
    },
  };
}

it('samples twenty times a second during calls, and every three seconds without', () => {
  let isBusy = true;
  const loop = harness(() => isBusy);
  loop.run(1_000);
  expect(loop.samples()).toBe(20);
  isBusy = false;
  loop.run(10_000);
  expect(loop.samples()).toBe(20 + 1 + 3);
});

it('is as late as the timers of the last ten to twenty seconds', () => {
  const loop = harness(() => true);
  loop.run(5_000);
  expect(loop.delay.p99Ms).toBe(0);
  loop.run(1_200, 200);
  expect(loop.delay.p99Ms).toBe(200);
  loop.run(12_000);
  expect(loop.delay.p99Ms).toBe(200);
  loop.run(12_000);
  expect(loop.delay.p99Ms).toBe(0);
});

it('samples no more once it is stopped', () => {
  const loop = harness(() => true);
  loop.delay.stop();
  expect(loop.isArmed()).toBe(false);
});
