import { expect, it } from 'vitest';
import { silentLog } from '../shared/log.ts';
import { strayErrors } from './stray-errors.ts';

function process(): {
  fail: (error: unknown) => void;
  exits: number[];
  drains: () => number;
  drained: () => void;
} {
  const exits: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let drains = 0;
  const fail = strayErrors({
    log: silentLog,
    drainAndStop: () => {
      drains += 1;
      return promise;
    },
    exit: (code) => void exits.push(code),
  });
  return { fail, exits, drains: () => drains, drained: resolve };
}

it('a stray error drains the process once, which then exits with code 1', async () => {
  const { fail, exits, drains, drained } = process();
  fail(new Error('first'));
  fail(new Error('second'));
  await Promise.resolve();
  expect([drains(), exits]).toEqual([1, []]);
  drained();
  await new Promise((resolve) => setImmediate(resolve));
  expect(exits).toEqual([1]);
});

it('a process that fails again and again exits without waiting for its calls', () => {
  const { fail, exits } = process();
  for (let n = 0; n < 101; n += 1) fail(new Error('again'));
  expect(exits).toEqual([1]);
});
