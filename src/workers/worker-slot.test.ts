import { describe, expect, it } from 'vitest';
import { leastBusy, roomOf } from './worker-slot.ts';

const slot = (calls: number, freePairs: number, over: { ready?: boolean; pairsAsked?: number } = {}) => ({
  ready: true,
  pairsAsked: 0,
  calls: new Set(Array.from({ length: calls }, (_, n) => `call ${n}`)),
  freePairs,
  ...over,
});
const MOST = 10;

describe('the room of a call worker', () => {
  it.each([
    ['calls are the limit', slot(4, 100), 6],
    ['no range of ports is one', slot(4, Number.POSITIVE_INFINITY), 6],
    ['pairs are the limit', slot(4, 2), 2],
    ['pairs rest although no call is live', slot(0, 0), 0],
    ['pairs asked for are not free', slot(3, 5, { pairsAsked: 3 }), 2],
    ['more is asked for than there is', slot(0, 1, { pairsAsked: 2 }), 0],
    ['it has not started', slot(0, 100, { ready: false }), 0],
  ])('%s', (_, of, room) => {
    expect(roomOf(of, MOST)).toBe(room);
  });

  it('is asked of the one with the fewest calls that has a pair', () => {
    const [bare, busy, busier] = [slot(0, 0), slot(3, 1), slot(5, 9)];
    expect(leastBusy([busier, bare, busy], MOST)).toBe(busy);
    expect(leastBusy([bare, slot(MOST, 5)], MOST)).toBeUndefined();
  });
});
