import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pulse } from './pulse.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(answers: () => boolean): { pulse: Pulse; hung: number[] } {
  const hung: number[] = [];
  const from = Date.now();
  const pulse = new Pulse({
    ping: () => {
      if (answers()) pulse.answered();
    },
    pingMs: 250,
    limit: 10,
    onHung: () => hung.push(Date.now() - from),
  });
  pulse.start();
  return { pulse, hung };
}

it('leaves a thread alone that answers, even after nine pings', () => {
  let pings = 0;
  const { pulse, hung } = watched(() => ++pings % 10 === 0);
  vi.advanceTimersByTime(60_000);
  expect(hung).toEqual([]);
  pulse.stop();
});

it('reports a thread once, at most three seconds after its last answer', () => {
  let responds = true;
  const { hung } = watched(() => responds);
  vi.advanceTimersByTime(10_000);
  responds = false;
  vi.advanceTimersByTime(60_000);
  expect(hung).toHaveLength(1);
  expect(hung[0]! - 10_000).toBeGreaterThan(2_000);
  expect(hung[0]! - 10_000).toBeLessThanOrEqual(3_000);
});

it('does not blame the thread for a stall of its own thread', () => {
  const { pulse, hung } = watched(() => true);
  vi.advanceTimersByTime(1_000);
  // A stalled event loop: the time passes without a timer, then one timer fires.
  vi.setSystemTime(Date.now() + 20_000);
  vi.advanceTimersByTime(500);
  expect(hung).toEqual([]);
  pulse.stop();
});

it('reports nothing after a stop', () => {
  const { pulse, hung } = watched(() => false);
  vi.advanceTimersByTime(1_000);
  pulse.stop();
  vi.advanceTimersByTime(60_000);
  expect(hung).toEqual([]);
});

it('pings an idle thread less often, at whole seconds, and at the usual interval again once it is busy', () => {
  const pings: number[] = [];
  let isIdle = true;
  const from = Date.now();
  const pulse = new Pulse({
    ping: () => {
      pings.push(Date.now() - from);
      pulse.answered();
    },
    pingMs: 250,
    idle: { isIdle: () => isIdle, pingMs: 1_000 },
    limit: 10,
    onHung: () => undefined,
  });
  pulse.start();
  vi.advanceTimersByTime(2_100);
  isIdle = false;
  pulse.hasten();
  vi.advanceTimersByTime(600);
  expect(pings).toEqual([1_000, 2_000, 2_350, 2_600]);
  isIdle = true;
  vi.advanceTimersByTime(1_250);
  expect(pings).toEqual([1_000, 2_000, 2_350, 2_600, 2_850, 3_000]);
  pulse.stop();
});

it('pings an idle thread less often when its answers come a little later', () => {
  const pings: number[] = [];
  const from = Date.now();
  const pulse = new Pulse({
    ping: () => {
      pings.push(Date.now() - from);
      setTimeout(() => pulse.answered(), 10);
    },
    pingMs: 250,
    idle: { isIdle: () => true, pingMs: 1_000 },
    limit: 3,
    onHung: () => undefined,
  });
  pulse.start();
  vi.advanceTimersByTime(4_500);
  expect(pings).toEqual([1_000, 2_000, 3_000, 4_000]);
  pulse.stop();
});

it('pings an idle thread at the usual interval once it leaves a ping unanswered', () => {
  const pings: number[] = [];
  const hung: number[] = [];
  const from = Date.now();
  const pulse = new Pulse({
    ping: () => pings.push(Date.now() - from),
    pingMs: 250,
    idle: { isIdle: () => true, pingMs: 1_000 },
    limit: 3,
    onHung: () => hung.push(Date.now() - from),
  });
  pulse.start();
  vi.advanceTimersByTime(10_000);
  expect(pings).toEqual([1_000, 1_250, 1_500]);
  expect(hung).toEqual([1_750]);
});

it('does not ping an idle thread that sends something by itself, and pings it when that stops', () => {
  const pings: number[] = [];
  const hung: number[] = [];
  const from = Date.now();
  const pulse = new Pulse({
    ping: () => pings.push(Date.now() - from),
    pingMs: 250,
    idle: { isIdle: () => true, pingMs: 4_500 },
    limit: 2,
    onHung: () => hung.push(Date.now() - from),
  });
  pulse.start();
  for (let reports = 0; reports < 4; reports += 1) {
    vi.advanceTimersByTime(3_000);
    pulse.heard();
  }
  expect(pings).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(pings).toEqual([16_000, 16_250]);
  expect(hung).toEqual([16_500]);
});

it('counts the missing answer of a thread that sends something late', () => {
  const hung: number[] = [];
  const from = Date.now();
  const pulse = new Pulse({
    ping: () => undefined,
    pingMs: 250,
    idle: { isIdle: () => true, pingMs: 1_000 },
    limit: 2,
    onHung: () => hung.push(Date.now() - from),
  });
  pulse.start();
  vi.advanceTimersByTime(1_100);
  pulse.heard();
  vi.advanceTimersByTime(1_000);
  expect(hung).toEqual([1_500]);
});
