import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Patience } from './patience.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { firstMs: 1_000, betweenMs: 300 };

it('aborts a request without output, however much else comes', () => {
  const patience = new Patience(limits);
  vi.advanceTimersByTime(900);
  patience.alive();
  expect(patience.signal.aborted).toBe(false);
  vi.advanceTimersByTime(100);
  expect(patience.signal.aborted).toBe(true);
});

it('aborts after the first output when nothing comes for a while', () => {
  const patience = new Patience(limits);
  vi.advanceTimersByTime(900);
  patience.output();
  vi.advanceTimersByTime(250);
  patience.alive();
  vi.advanceTimersByTime(250);
  expect(patience.signal.aborted).toBe(false);
  vi.advanceTimersByTime(50);
  expect(patience.signal.aborted).toBe(true);
});

it('aborts nothing after the end', () => {
  const patience = new Patience(limits);
  patience.output();
  patience.end();
  vi.advanceTimersByTime(10_000);
  expect(patience.signal.aborted).toBe(false);
});
