import { describe, expect, it } from 'vitest';
import { slots } from './slots.ts';
import { utteranceCache } from './utterance-cache.ts';

describe('slots', () => {
  it('runs at most the limit at once, in order', () => {
    const pool = slots(2);
    const started: number[] = [];
    const releases: (() => void)[] = [];
    for (const n of [1, 2, 3, 4]) {
      pool.take((release) => {
        started.push(n);
        releases.push(release);
      });
    }
    expect(started).toEqual([1, 2]);
    releases[0]!();
    releases[0]!();
    expect(started).toEqual([1, 2, 3]);
    releases[1]!();
    expect(started).toEqual([1, 2, 3, 4]);
  });

  it('forgets what was cancelled while waiting', () => {
    const pool = slots(1);
    const started: string[] = [];
    let release = (): void => undefined;
    pool.take((done) => {
      release = done;
    });
    const cancelled = pool.take(() => started.push('cancelled'));
    pool.take(() => started.push('next'));
    cancelled.cancel();
    expect(pool.waiting()).toBe(1);
    release();
    expect(started).toEqual(['next']);
  });
});

describe('utteranceCache', () => {
  const utterance = (samples: number): Int16Array[] => [new Int16Array(samples)];

  it('drops the least recently used beyond its bytes', () => {
    const cache = utteranceCache(10_000);
    for (const key of ['a', 'b', 'c', 'd']) cache.put(key, utterance(1200));
    cache.get('a');
    cache.put('e', utterance(1200));
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toHaveLength(1);
    expect(cache.bytes()).toBeLessThanOrEqual(10_000);
  });

  it('keeps no utterance that would push out most others, and counts replacements once', () => {
    const cache = utteranceCache(10_000);
    cache.put('long', utterance(2000));
    expect(cache.get('long')).toBeUndefined();
    for (let i = 0; i < 5; i++) cache.put('same', utterance(1000));
    expect(cache.bytes()).toBe(2000 + 'same'.length * 2);
  });
});
