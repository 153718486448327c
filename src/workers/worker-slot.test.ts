import { describe, expect, it } from 'vitest';
import { freeCalls, leastBusy } from './worker-slot.ts';

const slot = (calls: number, freePairs: number, over: { ready?: boolean; pairsRequested?: number } = {}) => ({
  ready: true,
  pairsRequested: 0,
  calls: new Set(Array.from({ length: calls }, (_, n) => `call ${n}`)),
  freePairs,
  ...over,
});
const MOST = 10;

describe('the capacity of a call worker', () => {
  it.each([
    ['is limited by calls', slot(4, 100), 6],
    ['has no port limit without a port range', slot(4, Number.POSITIVE_INFINITY), 6],
    ['is limited by port pairs', slot(4, 2), 2],
    ['is zero while every pair rests, even without calls', slot(0, 0), 0],
    ['excludes pairs already requested', slot(3, 5, { pairsRequested: 3 }), 2],
    ['is never negative', slot(0, 1, { pairsRequested: 2 }), 0],
    ['is zero before the worker is ready', slot(0, 100, { ready: false }), 0],
  ])('%s', (_, of, capacity) => {
    expect(freeCalls(of, MOST)).toBe(capacity);
  });

  it('goes to the worker with the fewest calls that has a free pair', () => {
    const [bare, busy, busier] = [slot(0, 0), slot(3, 1), slot(5, 9)];
    expect(leastBusy([busier, bare, busy], MOST)).toBe(busy);
    expect(leastBusy([bare, slot(MOST, 5)], MOST)).toBeUndefined();
  });
});
