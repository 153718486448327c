import { expect, it } from 'vitest';
import { processingStatus } from './processing-status.ts';

it.each([
  [{ pending: 0, ready: 0, failed: 0 }, 'completed'],
  [{ pending: 1, ready: 2, failed: 1 }, 'pending'],
  [{ pending: 0, ready: 2, failed: 0 }, 'completed'],
  [{ pending: 0, ready: 2, failed: 1 }, 'partial'],
  [{ pending: 0, ready: 0, failed: 3 }, 'failed'],
] as const)('sources %j make a knowledge base %s', (states, status) => {
  expect(processingStatus(states)).toBe(status);
});
