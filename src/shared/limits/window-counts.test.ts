import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { WindowCounts } from './window-counts.ts';

const WINDOW_MS = 60_000;

describe('counts of a window', () => {
  it('begin with the first count of a key and end with its window', () => {
    const clock = new ManualClock(0);
    const counts = new WindowCounts(WINDOW_MS, clock);
    expect([counts.count('a'), counts.waitSeconds('a')]).toEqual([0, 0]);
    counts.add('a');
    clock.advance(59_999);
    counts.add('a');
    expect([counts.count('a'), counts.waitSeconds('a'), counts.count('b')]).toEqual([2, 1, 0]);
    clock.advance(1);
    expect([counts.count('a'), counts.waitSeconds('a')]).toEqual([0, 0]);
  });

  it('forget the key that was counted first when there are too many', () => {
    const counts = new WindowCounts(WINDOW_MS, new ManualClock(0), 2);
    for (const key of ['a', 'b', 'c']) counts.add(key);
    expect(['a', 'b', 'c'].map((key) => counts.count(key))).toEqual([0, 1, 1]);
  });

  it('that could not be shared are shared the next time, with what came since', () => {
    const counts = new WindowCounts(WINDOW_MS, new ManualClock(0));
    counts.add('a');
    const taken = counts.takeUnshared(10);
    expect(counts.takeUnshared(10)).toEqual([]);
    counts.add('a');
    counts.giveBack(taken);
    expect([counts.count('a'), counts.takeUnshared(10)]).toEqual([2, [{ key: 'a', count: 2 }]]);
  });

  /** What several processes count, when each of them shares, and when the database does not take it. */
  const step = fc.record({
    process: fc.nat({ max: 2 }),
    act: fc.constantFrom('add', 'add', 'take back', 'share', 'fail'),
    wait: fc.nat({ max: 5_000 }),
  });

  it('of several processes add up to what all of them counted once each has shared, whatever failed between', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const clock = new ManualClock(0);
        const all = [0, 1, 2].map(() => new WindowCounts(WINDOW_MS * 10, clock));
        const stored = { since: null as number | null, total: 0 };
        let expected = 0;
        const share = (counts: WindowCounts): void => {
          for (const { key, count } of counts.takeUnshared(10)) {
            stored.since ??= clock.now();
            stored.total += count;
            counts.learn(key, stored.total, clock.now() - stored.since);
          }
        };
        for (const { process, act, wait } of steps) {
          clock.advance(wait);
          const counts = all[process]!;
          if (act === 'share') share(counts);
          else if (act === 'fail') counts.giveBack(counts.takeUnshared(10));
          else if (act === 'add' || counts.count('key') > 0) {
            counts.add('key', act === 'add' ? 1 : -1);
            expected += act === 'add' ? 1 : -1;
          }
        }
        for (const counts of all) share(counts);
        expect(stored.total).toBe(expected);
        // Each learns what the others counted when it counts again itself.
        for (const counts of all) {
          counts.add('key');
          expected += 1;
          share(counts);
          expect(counts.count('key')).toBe(expected);
        }
      }),
    );
  });
});
