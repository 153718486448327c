import { expect, it } from 'vitest';
import { retriesStarted } from './retries-started.ts';

it('a contact dialled once has no retry, also while it waits for one', () => {
  expect(retriesStarted({ attempt: 0, retriesUsed: 0 })).toBe(0);
  expect(retriesStarted({ attempt: 1, retriesUsed: 1 })).toBe(0);
  expect(retriesStarted({ attempt: 2, retriesUsed: 1 })).toBe(1);
  expect(retriesStarted({ attempt: 3, retriesUsed: 2 })).toBe(2);
});
