import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FirstProblems } from './first-problems.ts';

it('keeps the problems of the first rows in whatever order they are added', () => {
  const rows = fc.uniqueArray(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 3 })), {
    selector: ([row]) => row,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 10 }), (found, most) => {
      const kept = new FirstProblems(most);
      const problems = found.map(([row, count]) =>
        Array.from({ length: count }, (_, at) => ({
          row,
          column: `${at}`,
          value: '',
          reason: '',
          suggestion: null,
        })),
      );
      for (const each of problems) kept.add(each);
      const inOrder = problems.toSorted((a, b) => (a[0]?.row ?? 0) - (b[0]?.row ?? 0)).flat();
      expect(kept.list()).toEqual(inOrder.slice(0, most));
    }),
  );
});
