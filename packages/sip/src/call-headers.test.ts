import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callHeadersOf } from './call-headers.ts';
import { EMPTY_BODY, type Header, type SipRequest } from './message.ts';

const NUMBER = '+919812345678';
const invite = (headers: readonly Header[], from = `sip:${NUMBER}@carrier.example`): SipRequest => ({
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:+15550100@192.0.2.1',
  via: [],
  from: { displayName: null, uri: from, params: new Map() },
  to: { displayName: null, uri: 'sip:+15550100@192.0.2.1', params: new Map() },
  callId: 'one',
  cseq: { sequence: 1, method: 'INVITE' },
  headers,
  body: EMPTY_BODY,
});
const read = (...lines: readonly [name: string, value: string][]) =>
  callHeadersOf(invite(lines.map(([name, value]) => ({ name, value }))));

describe('the headers of an INVITE', () => {
  it('name the identities of the caller', () => {
    expect(
      read(
        ['p-asserted-identity', `"Asha" <sip:${NUMBER}@carrier.example>, <tel:${NUMBER}>`],
        ['p-preferred-identity', '<tel:+91-98765-43210>'],
      ),
    ).toEqual({ assertedIdentity: NUMBER, preferredIdentity: '+919876543210' });
  });

  it.each(['id', 'user;id', 'header', 'critical; ID'])(
    'name no identity of a caller who asks for privacy: %s',
    (privacy) => {
      const identity = `<sip:${NUMBER}@carrier.example>`;
      const headers = read(
        ['privacy', privacy],
        ['p-asserted-identity', identity],
        ['p-preferred-identity', identity],
      );
      expect(headers).toEqual({});
    },
  );

  it('name the last and the first party that diverted the call: Diversion', () => {
    expect(
      read(
        ['diversion', '"Desk" <sip:+15550111@pbx.example>;reason=no-answer;counter=1;privacy=off'],
        ['diversion', '<tel:+15550122>;reason="user-busy"'],
      ),
    ).toEqual({ divertedFrom: '+15550111', diversionReason: 'no-answer', firstCalled: '+15550122' });
  });

  it('name the last and the first party that diverted the call: History-Info', () => {
    const history =
      '<sip:+15550122@pbx.example>;index=1, <sip:+15550111@pbx.example;cause=302>;index=1.1, <sip:+15550100@192.0.2.1;cause=486>;index=1.1.1';
    expect(read(['history-info', history])).toEqual({
      divertedFrom: '+15550111',
      diversionReason: 'user-busy',
      firstCalled: '+15550122',
    });
    expect(read(['history-info', '<sip:+15550100@192.0.2.1>;index=1'])).toEqual({});
  });

  it('name no party that asks for privacy', () => {
    const history =
      '<sip:+15550122@pbx.example?Privacy=history>;index=1, <sip:+15550100@192.0.2.1>;index=1.1';
    expect(read(['history-info', history])).toEqual({});
    expect(read(['history-info', history.replace('?Privacy=history', '')], ['privacy', 'history'])).toEqual(
      {},
    );
    expect(read(['diversion', '<tel:+15550111>;reason=no-answer;privacy=full'])).toEqual({});
  });

  it.each([
    ['hexadecimal text', '63617365203432;encoding=hex;purpose=call-center', 'case 42'],
    ['hexadecimal text without a name of its encoding', '63617365203432', 'case 42'],
    ['text behind the discriminator of ISDN', '0463617365203432;encoding=hex;content=isdn-uui', 'case 42'],
    ['octets that are no text', '56a390f3d2b7310023a2;encoding=hex', '56a390f3d2b7310023a2'],
    ['octets with a line end', '610d0a62;encoding=hex', '610d0a62'],
    ['a quoted text', '"case 42; urgent";encoding=text', 'case 42; urgent'],
    ['the first of two values', '6161,6262', 'aa'],
  ])('carry the data of User-to-User: %s', (_, value, text) => {
    expect(read(['user-to-user', value])).toEqual({ userToUser: text });
  });

  it.each([
    `<tel:${NUMBER};verstat=TN-Validation-Passed>`,
    `<sip:${NUMBER};verstat=TN-Validation-Passed@carrier.example;user=phone>`,
  ])('carry the check of the signature: %s', (identity) => {
    expect(read(['p-asserted-identity', identity]).verstat).toBe('TN-Validation-Passed');
    expect(callHeadersOf(invite([], identity.slice(1, -1))).verstat).toBe('TN-Validation-Passed');
  });

  it('carry the further headers that the trunk names, and no others', () => {
    const headers = [
      { name: 'x-account', value: '42' },
      { name: 'x-account', value: '43' },
      { name: 'x-empty', value: ' ' },
      { name: 'x-secret', value: 'hidden' },
    ];
    expect(callHeadersOf(invite(headers), ['X-Account', 'X-Empty', 'X-Absent'])).toEqual({
      others: { 'x-account': '42' },
    });
    expect(callHeadersOf(invite(headers))).toEqual({});
  });

  const NAMES = [
    'privacy',
    'p-asserted-identity',
    'p-preferred-identity',
    'diversion',
    'history-info',
    'user-to-user',
    'x-account',
  ];
  const part = fc.oneof(
    fc.constantFrom(
      '<sip:',
      '>',
      ';',
      ',',
      '"',
      '\\',
      '?Privacy=history',
      ';cause=486',
      ';verstat=',
      '%0d%0a',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('0', '4', '6', 'd', 'f'), maxLength: 600 }),
  );
  const line = fc.record({
    name: fc.constantFrom(...NAMES),
    value: fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  });
  it('give short texts of one line, whatever they are', () => {
    const check = (lines: readonly Header[]): void => {
      const { others = {}, ...named } = callHeadersOf(invite(lines), ['X-Account']);
      for (const value of Object.values({ ...named, ...others })) {
        expect(value.length).toBeGreaterThan(0);
        expect(value.length).toBeLessThanOrEqual(256);
        // oxlint-disable-next-line no-control-regex -- looks for control characters
        expect(value).not.toMatch(/[\u0000-\u001f\u007f]/);
      }
    };
    fc.assert(fc.property(fc.array(line, { maxLength: 8 }), check), { numRuns: 2000 });
  });
});
