import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { sameJson } from './same-json.ts';

it('JSON values are the same exactly when they are deeply equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      expect(sameJson(left, structuredClone(left))).toBe(true);
      expect(sameJson(left, right)).toBe(isDeepStrictEqual(left, right));
    }),
  );
});

it('the order of keys does not matter, that of a list does', () => {
  expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson({ a: undefined }, {})).toBe(false);
  expect(sameJson([], {})).toBe(false);
});
