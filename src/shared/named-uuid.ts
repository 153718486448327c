import { createHash } from 'node:crypto';

const NAMESPACE = Buffer.from('5b0d6d0e6b1e5f0a9c550a4f3b1c7e00', 'hex');

/** The UUID of version 5 (RFC 9562) of a name: the same in every process and at every time. */
export function namedUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
