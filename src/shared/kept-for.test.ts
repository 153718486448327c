import { expect, it } from 'vitest';
import { ManualClock } from './clock.ts';
import { keptFor } from './kept-for.ts';

function counted(keptMs: number, fails = false) {
  const clock = new ManualClock();
  const state = { reads: 0 };
  const read = keptFor(keptMs, clock, () => {
    state.reads += 1;
    return fails ? Promise.reject(new Error('away')) : Promise.resolve(state.reads);
  });
  return { clock, state, read };
}

it('a thousand callers of one second cause one read', async () => {
  const { clock, state, read } = counted(1_000);
  const values = await Promise.all(Array.from({ length: 500 }, read));
  clock.advance(999);
  for (let n = 0; n < 500; n += 1) values.push(await read());
  expect([new Set(values), state.reads]).toEqual([new Set([1]), 1]);
  clock.advance(1);
  expect(await read()).toBe(2);
});

it('callers at the same moment share one read when nothing is kept', async () => {
  const { state, read } = counted(0);
  await Promise.all([read(), read()]);
  expect(state.reads).toBe(1);
  await read();
  expect(state.reads).toBe(2);
});

it('a read that rejects is tried again by the next caller', async () => {
  const { state, read } = counted(1_000, true);
  await expect(read()).rejects.toThrow('away');
  await expect(read()).rejects.toThrow('away');
  expect(state.reads).toBe(2);
});
