import { expect, it } from 'vitest';
import { campaignReason } from './campaign-reason.ts';

it('the reason of a campaign is a sentence with its values', () => {
  const reason = { code: 'circuit_breaker', values: { failed: 12, attempts: 20 } } as const;
  expect(campaignReason({ reason, message: 'Paused by the circuit breaker' })).toBe(
    'Paused: 12 of the last 20 calls failed at the carrier or in the service.',
  );
});

it('a reason without a code is the sentence of the service', () => {
  expect(campaignReason({ reason: null, message: '1 of 1 rows are invalid' })).toBe(
    '1 of 1 rows are invalid',
  );
  expect(campaignReason({ reason: null, message: null })).toBeNull();
});
