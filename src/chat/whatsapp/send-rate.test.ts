import { expect, it } from 'vitest';
import { SendRate } from './send-rate.ts';

it('a number sends at most its messages a second, and saves up no more than one second of them', () => {
  const rate = new SendRate(20);
  expect(rate.take('a', 0, 50)).toBe(20);
  expect(rate.take('a', 0, 50)).toBe(0);
  expect(rate.take('a', 250, 50)).toBe(5);
  expect(rate.take('a', 60_000, 50)).toBe(20);
  expect(rate.take('b', 60_000, 3)).toBe(3);
  rate.giveBack('b', 1);
  expect(rate.take('b', 60_000, 50)).toBe(18);
});
