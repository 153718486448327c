import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonDepth } from './json-body.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it('counts the nesting of JSON without parsing it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, isPretty) => {
      expect(jsonDepth(JSON.stringify(value, null, isPretty ? 2 : 0))).toBe(depthOf(value));
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['', 0],
  ['"[[[["', 0],
  ['"\\"[[["', 0],
  ['"\\\\"[', 1],
  [']]]][[', 0],
  ['[[[', 3],
])('counts %j as %i', (text, depth) => {
  expect(jsonDepth(text)).toBe(depth);
});
