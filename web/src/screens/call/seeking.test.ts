import { expect, it } from 'vitest';
import { shareAt } from './seeking.ts';

it('reads the share of the width, also of a pointer that was dragged beyond it', () => {
  const box = { left: 100, width: 400 };
  expect([100, 200, 500].map((x) => shareAt(x, box))).toEqual([0, 0.25, 1]);
  expect([20, 900].map((x) => shareAt(x, box))).toEqual([0, 1]);
  expect(shareAt(5, { left: 0, width: 0 })).toBe(1);
});
