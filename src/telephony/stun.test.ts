import { describe, expect, it } from 'vitest';
import { mappedAddress } from './stun.ts';

describe('mappedAddress', () => {
  const transaction = Buffer.from('b7e7a701bc34d686fa87dfae', 'hex');
  // RFC 5769 section 2.2: the sample IPv4 response.
  const sample = Buffer.from(
    '0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220' +
      '002000080001a147e112a643000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96',
    'hex',
  );

  it('reads XOR-MAPPED-ADDRESS of the sample response', () => {
    expect(mappedAddress(sample, transaction)).toBe('192.0.2.1');
  });

  it('ignores responses of another transaction, other messages and truncated ones', () => {
    expect(mappedAddress(sample, Buffer.alloc(12))).toBeNull();
    expect(mappedAddress(Buffer.from('SIP/2.0 200 OK, longer than the header'), transaction)).toBeNull();
    for (let length = 0; length < 44; length++) {
      expect(() => mappedAddress(sample.subarray(0, length), transaction)).not.toThrow();
    }
  });
});
