import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReplyTimeouts } from './timeouts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { firstMs: 1_000, betweenMs: 300 };

it('aborts a request without output, whatever other events arrive', () => {
  const timeouts = new ReplyTimeouts(limits);
  vi.advanceTimersByTime(900);
  timeouts.alive();
  expect(timeouts.signal.aborted).toBe(false);
  vi.advanceTimersByTime(100);
  expect(timeouts.signal.aborted).toBe(true);
});

it('aborts when the gap after the first output is too long', () => {
  const timeouts = new ReplyTimeouts(limits);
  vi.advanceTimersByTime(900);
  timeouts.output();
  vi.advanceTimersByTime(250);
  timeouts.alive();
  vi.advanceTimersByTime(250);
  expect(timeouts.signal.aborted).toBe(false);
  vi.advanceTimersByTime(50);
  expect(timeouts.signal.aborted).toBe(true);
});

it('does not abort after the end', () => {
  const timeouts = new ReplyTimeouts(limits);
  timeouts.output();
  timeouts.end();
  vi.advanceTimersByTime(10_000);
  expect(timeouts.signal.aborted).toBe(false);
});
