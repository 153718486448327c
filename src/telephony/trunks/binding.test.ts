import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Header, type SipResponse, EMPTY_BODY, parseUri } from '@callwright/sip';
import { grantedTo, lineOf, namesLine, withLine } from './binding.ts';

const US = '192.0.2.1';
const LINE = lineOf('0190a0a0-0000-7000-8000-000000000001');
const OTHER = lineOf('0190a0a0-0000-7000-8000-000000000002');
const OURS = withLine(`sip:alice@${US}:5060`, LINE);

function listed(...contacts: readonly string[]): SipResponse {
  const party = { displayName: null, uri: 'sip:alice@192.0.2.9', params: new Map() };
  return {
    kind: 'response',
    status: 200,
    reason: 'OK',
    via: [{ transport: 'UDP', host: US, port: 5060, params: new Map() }],
    from: party,
    to: party,
    callId: 'c',
    cseq: { sequence: 1, method: 'REGISTER' },
    headers: contacts.map((value): Header => ({ name: 'contact', value })),
    body: EMPTY_BODY,
  };
}

test.each([
  ['as it was sent', `<${OURS}>;expires=300`, '<sip:alice@198.51.100.9>;expires=60'],
  ['after a desk phone', '<sip:alice@198.51.100.9>;expires=3600', `<${OURS}>;expires=300`],
  [
    'beside a phone that has a line, too',
    '<sip:alice@198.51.100.9;line=kx7w1q>;expires=60',
    `<sip:alice@${US};line=kx7w1q>;expires=60`,
    '<sip:alice@203.0.113.1:61000>;expires=300',
  ],
  [
    'beside another account of the user at the same address',
    `<${withLine(`sip:alice@${US}:5060`, OTHER)}>;expires=60`,
    `<${OURS}>;expires=300`,
  ],
  [
    'behind NAT, under a public address',
    '<sip:alice@198.51.100.9>;expires=60',
    `<sip:alice@203.0.113.1:61000;line=${LINE}>;expires=300`,
  ],
  [
    'behind NAT, beside another account of the user there',
    `<sip:alice@203.0.113.1:61000;line=${OTHER}>;expires=60`,
    `<sip:alice@203.0.113.1:61000;line=${LINE}>;expires=300`,
  ],
  [
    'beside that of a process that died',
    `<sip:alice@192.0.2.77:5060;line=${LINE}>;expires=10`,
    `<${OURS}>;expires=300`,
  ],
  ['with its parameter in capitals', `<sip:alice@${US};LINE=${LINE.toUpperCase()}>;expires=300`],
  [
    'without its parameters',
    `<sip:alice@${US};ob>;expires=300`,
    '<sip:alice@198.51.100.9>;expires=60',
    `<sip:alice@${US};line>;expires=60`,
  ],
  [
    'without its parameters under a public address: the shortest of the user',
    '<sip:alice@198.51.100.9>;expires=3600, <sip:alice@203.0.113.1:61000>;expires=300',
    '<sip:bob@198.51.100.9>;expires=60',
  ],
  ['in no way that it knows: the shortest', '<sip:x@203.0.113.1>;expires=300, <tel:+1415>;expires=600'],
])('knows its Contact of a 200 %s', (_, ...contacts) => {
  expect(grantedTo(OURS, listed(...contacts))).toBe(300);
});

test('knows its Contact over TLS by the default port 5061', () => {
  const ours = withLine(`sip:alice@${US}:5061;transport=tls`, LINE);
  const contacts = [`<sips:alice@${US}>;expires=300`, '<sip:alice@198.51.100.9:5060>;expires=60'];
  expect(grantedTo(ours, listed(...contacts))).toBe(300);
});

test('says nothing where the 200 lists no Contact, no time, or a list that does not parse', () => {
  for (const contacts of [[], [`<${OURS}>`], [`<${OURS}>;expires=soon`], ['<sip:alice@']])
    expect(grantedTo(OURS, listed(...contacts))).toBeNull();
});

test('trunks have different lines, and a Contact names the line of its trunk alone', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.boolean(), (one, other, isLoud) => {
      fc.pre(one !== other);
      const contact = withLine(`sip:alice@${US}:5060`, lineOf(one));
      const uri = parseUri(isLoud ? contact.toUpperCase() : contact);
      expect([namesLine(uri, lineOf(one)), namesLine(uri, lineOf(other))]).toEqual([true, false]);
    }),
  );
});
