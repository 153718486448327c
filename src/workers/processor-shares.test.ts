import { expect, it } from 'vitest';
import { processorBudget, processorShares } from './processor-shares.ts';

it('splits the processor time of the thread by the time that each call had it', () => {
  expect(processorShares([300, 100], 200)).toEqual([150, 50]);
  expect(processorShares([300, 100], 900)).toEqual([300, 100]);
  expect(processorShares([0, 0], 5)).toEqual([0, 0]);
});

it('lets a call work on, and refuses one that takes the thread for itself', () => {
  const [normal, greedy, once] = [processorBudget(), processorBudget(), processorBudget()];
  const isWithin = { normal: true, greedy: 0 };
  for (let second = 1; second <= 600; second += 1) isWithin.normal &&= normal.charge(100, second * 1_000);
  for (let second = 1; greedy.charge(950, second * 1_000); second += 1) isWithin.greedy = second;
  expect(isWithin).toEqual({ normal: true, greedy: 4 });
  expect(once.charge(9_900, 1_000)).toBe(false);
});
