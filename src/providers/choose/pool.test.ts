import { describe, expect, it } from 'vitest';
import { accountId, AccountPool } from './pool.ts';

const closed: string[] = [];
const open = (name: string) => () => ({
  name,
  close: () => {
    closed.push(name);
    return Promise.resolve();
  },
});

describe('objects that calls of the same account share', () => {
  it('opens one object for all calls of an account and closes it a minute after the last', () => {
    let now = 0;
    closed.length = 0;
    const pool = new AccountPool<ReturnType<ReturnType<typeof open>>>(() => now);
    const first = pool.acquire('a', open('a'));
    expect(pool.acquire('a', open('never'))).toBe(first);
    expect(pool.acquire('b', open('b'))).not.toBe(first);
    pool.release('a');
    now = 600_000;
    pool.sweep();
    expect(closed).toEqual([]);
    pool.release('a');
    now += 59_999;
    pool.sweep();
    expect(closed).toEqual([]);
    now += 1;
    pool.sweep();
    expect([closed, pool.size]).toEqual([['a'], 1]);
  });

  it('keeps the 64 objects that were used last', () => {
    let now = 0;
    closed.length = 0;
    const pool = new AccountPool<ReturnType<ReturnType<typeof open>>>(() => now);
    for (let i = 0; i < 70; i++) {
      now = i;
      pool.acquire(String(i), open(String(i)));
      pool.release(String(i));
    }
    expect(pool.size).toBe(64);
    expect(closed).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('names accounts apart by every field, without their key', () => {
    const id = accountId(['deepgram', 'a-secret-key', 'https://x', null]);
    expect(id).not.toContain('a-secret-key');
    expect(id).not.toBe(accountId(['deepgram', 'a-secret-kez', 'https://x', null]));
    expect(id).not.toBe(accountId(['deepgram', 'a-secret-key', 'https://x', 'null']));
  });
});
