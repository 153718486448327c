import { expect, it } from 'vitest';
import { GrownMemory } from './grown-memory.ts';

const MB = 1_048_576;

/** A process with memory in use and holes, which a trim gives back. */
function processOf(usedMb: number) {
  const state = { used: usedMb, holes: 0, trims: 0 };
  const memory = new GrownMemory({
    rss: () => (state.used + state.holes) * MB,
    trim: () => {
      state.trims += 1;
      state.holes = 0;
    },
  });
  memory.look();
  return { state, memory };
}

it('the memory that a flood left behind is returned', () => {
  const { state, memory } = processOf(700);
  Object.assign(state, { used: 900, holes: 100 });
  memory.look();
  // The flood ends.
  Object.assign(state, { used: 700, holes: 200 });
  memory.look();
  expect([state.holes, state.trims]).toEqual([0, 2]);
  memory.look();
  expect(state.trims).toBe(2);
});

it('a process that has grown for more calls is not trimmed again and again', () => {
  const { state, memory } = processOf(700);
  state.used = 1_000;
  for (let n = 0; n < 10; n += 1) memory.look();
  expect(state.trims).toBe(1);
});

it('a process that has not grown is never trimmed', () => {
  const { state, memory } = processOf(700);
  state.holes = 50;
  for (let n = 0; n < 10; n += 1) memory.look();
  expect(state.trims).toBe(0);
});
