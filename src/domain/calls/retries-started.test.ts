import { expect, it } from 'vitest';
import { retriesStarted } from './retries-started.ts';

it('a contact dialled once has no retry, also while it waits for one', () => {
  expect(retriesStarted({ attempt: 0, retries_used: 0 })).toBe(0);
  expect(retriesStarted({ attempt: 1, retries_used: 1 })).toBe(0);
  expect(retriesStarted({ attempt: 2, retries_used: 1 })).toBe(1);
  expect(retriesStarted({ attempt: 3, retries_used: 2 })).toBe(2);
});
