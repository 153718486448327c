import { describe, expect, it } from 'vitest';
import { entryAt } from './time-line-entries.ts';

describe('the time line', () => {
  const entries = [0, 1.5, 1.5, 4].map((seconds) => ({ seconds }));

  it('marks the last of the lines of a moment', () => {
    expect([0, 1.4, 1.5, 3.9, 4, 100].map((second) => entryAt(entries, second))).toEqual([0, 0, 2, 2, 3, 3]);
  });

  it('marks no line before the first', () => {
    expect(entryAt([{ seconds: 2 }], 1)).toBe(-1);
    expect(entryAt([], 1)).toBe(-1);
  });
});
