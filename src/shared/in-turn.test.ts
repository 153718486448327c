import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTurn } from './in-turn.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it('begins work when the work before it has ended, also when that failed', async () => {
  const begun: string[] = [];
  const first = Promise.withResolvers<string>();
  const results = [
    inTurn(() => {
      begun.push('first');
      return first.promise;
    }),
    inTurn(() => {
      begun.push('second');
      return Promise.resolve('2');
    }),
  ];
  const failed = results[0]!.catch((error: unknown) => String(error));
  await pass(100);
  expect(begun).toEqual(['first']);
  first.reject(new Error('away'));
  await pass(0);
  expect(begun).toEqual(['first', 'second']);
  expect([await failed, await results[1]]).toEqual(['Error: away', '2']);
});

it('lets nothing wait longer than 250 ms for one before it', async () => {
  const begun: number[] = [];
  const never = new Promise<void>(() => undefined);
  for (const n of [1, 2, 3]) {
    void inTurn(() => {
      begun.push(n);
      return never;
    });
  }
  await pass(249);
  expect(begun).toEqual([1]);
  await pass(1);
  expect(begun).toEqual([1, 2]);
  await pass(250);
  expect(begun).toEqual([1, 2, 3]);
  await pass(250);
});
