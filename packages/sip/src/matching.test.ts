import { expect, test } from 'vitest';
import { noteSource } from './matching.ts';
import { parseMessage } from './parse-message.ts';
import { writeMessage } from './write.ts';
import type { Origin } from './transport.ts';

const options = (via: string): string =>
  [
    'OPTIONS sip:100@example.com SIP/2.0',
    `Via: SIP/2.0/UDP ${via};branch=z9hG4bKa;rport`,
    'From: <sip:a@example.com>;tag=a',
    'To: <sip:100@example.com>',
    'Call-ID: a',
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

test.each([
  ['[2001:db8::9]:5060', '2001:db8::9'],
  ['host.example.com', '192.0.2.9'],
])('notes the source of a request with Via %s, an IPv6 address without brackets', (via, address) => {
  const parsed = parseMessage(Buffer.from(options(via)));
  if (parsed.kind !== 'message' || parsed.message.kind !== 'request') throw new Error('no request');
  const origin = { transport: 'udp', address, port: 5062, connection: null } as unknown as Origin;
  // RFC 3261 section 25.1: via-received = "received" EQUAL (IPv4address / IPv6address).
  expect(writeMessage(noteSource(parsed.message, origin)).toString()).toContain(
    `Via: SIP/2.0/UDP ${via};branch=z9hG4bKa;rport=5062;received=${address}\r\n`,
  );
});
