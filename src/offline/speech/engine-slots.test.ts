import { describe, expect, it } from 'vitest';
import { chunkBytes, clipCache } from '../../providers/tts/clip-cache.ts';
import { engineSlots } from './engine-slots.ts';

const soon = (due: number) => ({ waiting: false, due });
const now = (due: number) => ({ waiting: true, due });

describe('engineSlots', () => {
  it('runs at most the limit at once, in order of arrival among equals', () => {
    const pool = engineSlots(2);
    const started: number[] = [];
    const releases: (() => void)[] = [];
    for (const n of [1, 2, 3, 4]) {
      pool.take(now(0), (release) => {
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

  it('starts waiting callers first, then what is due first, and follows a raised rank', () => {
    const pool = engineSlots(1);
    const started: string[] = [];
    const take = (name: string, rank: { waiting: boolean; due: number }) =>
      pool.take(rank, (release) => {
        started.push(name);
        queueMicrotask(release);
      });
    pool.take(now(0), (release) => queueMicrotask(release));
    take('due at 900', soon(900));
    const answered = take('answered meanwhile', soon(1000));
    take('due at 200', soon(200));
    take('waits since 50', now(50));
    take('waits since 20', now(20));
    answered.raise(now(40));
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      expect(started).toEqual([
        'waits since 20',
        'answered meanwhile',
        'waits since 50',
        'due at 200',
        'due at 900',
      ]);
    });
  });

  it('drops a cancelled request from the queue', () => {
    const pool = engineSlots(1);
    const started: string[] = [];
    let release = (): void => undefined;
    pool.take(now(0), (done) => {
      release = done;
    });
    const cancelled = pool.take(now(1), () => started.push('cancelled'));
    pool.take(now(2), () => started.push('next'));
    cancelled.cancel();
    expect(pool.waiting()).toBe(1);
    release();
    expect(started).toEqual(['next']);
  });
});

describe('clipCache', () => {
  const clip = (samples: number): Int16Array[] => [new Int16Array(samples)];

  it('evicts the least recently used clip beyond its size limit', () => {
    const cache = clipCache(10_000, chunkBytes);
    for (const key of ['a', 'b', 'c', 'd']) cache.put(key, clip(1200));
    cache.get('a');
    cache.put('e', clip(1200));
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toHaveLength(1);
    expect(cache.bytes()).toBeLessThanOrEqual(10_000);
  });

  it('does not cache a clip of more than a quarter of its size, and counts a replacement once', () => {
    const cache = clipCache(10_000, chunkBytes);
    cache.put('long', clip(2000));
    expect(cache.get('long')).toBeUndefined();
    for (let i = 0; i < 5; i++) cache.put('same', clip(1000));
    expect(cache.bytes()).toBe(2000 + 'same'.length * 2);
  });
});
