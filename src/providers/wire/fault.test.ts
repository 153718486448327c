import { describe, expect, it } from 'vitest';
import { faultOfClose, faultOfStatus } from './fault.ts';

describe('a fault of a vendor', () => {
  it.each([
    [401, '', 'key', false],
    [403, 'no access to the model', 'key', false],
    [403, 'insufficient_quota', 'credit', false],
    [402, '', 'credit', false],
    [429, 'slow down', 'limit', false],
    [429, 'You exceeded your current quota', 'credit', false],
    [400, 'unknown model', 'rejected', false],
    [408, '', 'lost', true],
    [500, '', 'lost', true],
    [529, 'overloaded', 'lost', true],
  ])('of status %d "%s" is %s', (status, detail, kind, retryable) => {
    expect(faultOfStatus('x', status, detail)).toMatchObject({ kind, retryable });
  });

  it.each([
    [1006, '', 'lost'],
    [1000, '', 'lost'],
    [1011, 'NET-0001', 'lost'],
    [1008, 'DATA-0000', 'rejected'],
    [1008, 'Unauthorized Connection', 'key'],
    [1013, 'rate limit reached', 'limit'],
  ])('of close code %d "%s" is %s', (code, reason, kind) => {
    expect(faultOfClose('x', code, reason)).toMatchObject({ kind });
  });

  it('has a short message on one line', () => {
    const { message } = faultOfStatus('x', 500, `a\n\u0007b${'c'.repeat(1_000)}`);
    expect(message).toMatch(/^x: the connection failed \(status 500\): a {2}bc+$/);
    expect(message.length).toBeLessThan(260);
  });
});
