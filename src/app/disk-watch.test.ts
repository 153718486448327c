import { expect, it } from 'vitest';
import { lookAgainMs } from './disk-watch.ts';

const GB = 1_000_000_000;

it('looks at a disk every two seconds, unless it has far more space than is written in ten', () => {
  const waits = [-5 * GB, 0, 1, 19 * GB, 20 * GB, 900 * GB].map(lookAgainMs);
  expect(waits).toEqual([2_000, 2_000, 2_000, 2_000, 10_000, 10_000]);
});
