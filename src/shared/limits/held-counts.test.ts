import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { HeldCounts } from './held-counts.ts';

describe('held counts', () => {
  it('add the counts of other processes once they are known', () => {
    const held = new HeldCounts(new ManualClock());
    held.add('a');
    held.add('a');
    expect([held.count('a'), held.count('b')]).toEqual([2, 0]);
    held.learn('a', 5);
    held.learn('b', 5);
    held.remove('a');
    expect([held.count('a'), held.count('b')]).toEqual([6, 0]);
  });

  it('are shared when they change, and again every ten seconds', () => {
    const clock = new ManualClock();
    const held = new HeldCounts(clock);
    held.add('a');
    expect(held.takeUnshared(9)).toEqual([{ key: 'a', count: 1 }]);
    clock.advance(9_999);
    expect(held.takeUnshared(9)).toEqual([]);
    clock.advance(1);
    expect(held.takeUnshared(9)).toEqual([{ key: 'a', count: 1 }]);
    held.remove('a');
    expect(held.takeUnshared(9)).toEqual([{ key: 'a', count: 0 }]);
    clock.advance(60_000);
    expect(held.takeUnshared(9)).toEqual([]);
  });

  it('are shared key by key when there are more than a statement takes, and again after a failure', () => {
    const held = new HeldCounts(new ManualClock());
    for (const key of ['a', 'b', 'c']) held.add(key);
    const first = held.takeUnshared(2);
    expect([first, held.takeUnshared(2)]).toEqual([
      [
        { key: 'a', count: 1 },
        { key: 'b', count: 1 },
      ],
      [{ key: 'c', count: 1 }],
    ]);
    held.remove('a');
    const last = held.takeUnshared(2);
    held.giveBack(last);
    expect(held.takeUnshared(2)).toEqual([{ key: 'a', count: 0 }]);
  });

  it('are never negative, whatever the order of additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.boolean())), (steps) => {
        const clock = new ManualClock();
        const held = new HeldCounts(clock);
        const own = { a: 0, b: 0 };
        for (const [key, isAdded] of steps) {
          if (isAdded) held.add(key);
          else held.remove(key);
          own[key] = Math.max(0, own[key] + (isAdded ? 1 : -1));
          if (steps.length % 3 === 0) held.takeUnshared(1);
          expect([held.count('a'), held.count('b')]).toEqual([own.a, own.b]);
        }
      }),
    );
  });
});
