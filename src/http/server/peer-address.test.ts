import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { peerAddress } from './peer-address.ts';

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

it.each([
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['10.0.0.5', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.5', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.5', '203.0.113.9, 10.0.0.7', '203.0.113.9'],
  ['10.0.0.5', 'unknown', '10.0.0.5'],
  ['2001:db8::5', '203.0.113.9', '203.0.113.9'],
])('a request from %s, forwarded for %j, is from %s', (remote, forwarded, peer) => {
  expect(peerAddress(['10.0.0.0/8', '2001:db8::5'])(from(remote, forwarded))).toBe(peer);
});
