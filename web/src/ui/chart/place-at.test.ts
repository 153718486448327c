import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeAt } from './place-at.ts';

it('finds the place under the pointer, and none beside the plot', () => {
  expect([29, 30, 49, 50, 90, 91].map((x) => placeAt(x, 30, 20, 3))).toEqual([null, 0, 0, 1, null, null]);
  expect(placeAt(30, 30, 0, 3)).toBeNull();
});

it('finds each place by its middle', () => {
  const [left, step] = [fc.integer({ min: 0, max: 80 }), fc.integer({ min: 1, max: 400 })];
  fc.assert(
    fc.property(left, step, fc.integer({ min: 0, max: 400 }), (from, width, index) => {
      expect(placeAt(from + (index + 0.5) * width, from, width, index + 1)).toBe(index);
    }),
  );
});
