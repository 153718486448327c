import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InviteRules, inviteOf } from './invite.ts';
import { header, headerLines } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { writeMessage } from './write.ts';
import { peerAt } from '../test/virtual-network.ts';
import { dial, outbound, taken, THEM, US } from '../test/virtual-call.ts';

const invite = (rules: InviteRules, contactUser = 'account') =>
  inviteOf(
    {
      trunk: { domain: 'carrier.example:5070', host: 'carrier.example', contactUser, rules },
      request: outbound({ displayName: 'Shop', variables: { ticket: 'T-42' } }),
      tag: 'ours',
      callId: 'call',
      sequence: 1,
      redirectedTo: null,
      sessionSeconds: 1_800,
    },
    { address: US, port: 5060 },
    peerAt(THEM),
  );

describe('the INVITE of a trunk', () => {
  test('has the routes of the trunk, and so has its CANCEL', () => {
    const routes = ['<sip:proxy.example.com;lr>', '<sip:edge.example.com;lr>'];
    const call = dial({ trunk: { routes } });
    const sent = call.last('INVITE');
    expect([headerLines(sent, 'route'), sent.uri]).toEqual([routes, `sip:+15550002@${THEM}`]);
    call.answer(sent, 180);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(headerLines(call.last('CANCEL'), 'route')).toEqual(routes);
  });
  test('has added headers that a REFER of the call has, too, with the variables of the transfer', () => {
    const rules: InviteRules = {
      addHeaders: [{ name: 'X-Ticket', value: 'ticket' }],
      writeHeader: ({ value }, variables) => variables[value] ?? null,
    };
    const call = dial({ trunk: { rules }, request: { variables: { ticket: 'T-1' } } });
    call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
    void call.leg.refer('+15550003', 20_000);
    call.net.scheduler.advance(10);
    expect(header(call.last('REFER'), 'x-ticket')).toBe('T-1');
    call.answer(call.last('REFER'), 603);
    void call.leg.refer('+15550003', 20_000, { ticket: 'T-2' });
    call.net.scheduler.advance(10);
    expect(header(call.last('REFER'), 'x-ticket')).toBe('T-2');
    const inbound = taken((leg) => leg.answer('answer'), {});
    inbound.within('ACK');
    void inbound.legs[0]!.refer('+15550003', 20_000, { ticket: 'T-3' });
    inbound.net.scheduler.advance(10);
    const refers = inbound.peer.received.filter((m) => m.kind === 'request' && m.method === 'REFER');
    expect(refers.map((refer) => header(refer, 'x-ticket'))).toEqual([null]);
  });
  test('offers no session timer without Supported', () => {
    const message = invite({ removeHeaders: ['supported'] });
    expect(['supported', 'session-expires', 'min-se'].map((name) => header(message, name))).toEqual([
      null,
      null,
      null,
    ]);
  });
  test('has the caller in From and the called number in the domain of the trunk', () => {
    const message = invite({});
    expect(message.uri).toBe('sip:+15550002@carrier.example:5070');
    expect(message.from).toMatchObject({ displayName: 'Shop', uri: 'sip:+15550001@carrier.example' });
    expect(message.to.uri).toBe('sip:+15550002@carrier.example');
    expect(header(message, 'p-asserted-identity')).toBeNull();
  });

  test('names the account in From and the caller in P-Asserted-Identity where the carrier wants it', () => {
    const message = invite({ callerId: 'asserted', fromDomain: 'customer.example' });
    expect(message.from.uri).toBe('sip:account@customer.example');
    expect(message.from.params.get('tag')).toBe('ours');
    expect(header(message, 'p-asserted-identity')).toBe('"Shop" <sip:+15550001@customer.example>');
    // Without an account From can name only the caller.
    expect(invite({ callerId: 'asserted' }, '').from.uri).toBe('sip:+15550001@carrier.example');
  });

  test('writes both numbers as the carrier does', () => {
    const message = invite({ writeCaller: (n) => n.slice(1), writeCallee: (n) => `99${n.slice(1)}` });
    expect(message.from.uri).toBe('sip:15550001@carrier.example');
    expect([message.uri, message.to.uri]).toEqual([
      'sip:9915550002@carrier.example:5070',
      'sip:9915550002@carrier.example',
    ]);
  });

  test('adds and removes headers', () => {
    const addHeaders = [{ name: 'X-Account', value: '42' }];
    const message = invite({ addHeaders, removeHeaders: ['supported', 'user-agent'] });
    expect(header(message, 'x-account')).toBe('42');
    expect(header(message, 'supported')).toBeNull();
    expect(header(message, 'user-agent')).toBeNull();
    expect(header(message, 'allow')).toContain('INVITE');
  });

  test('writes added headers with the variables of the call', () => {
    const message = invite({
      addHeaders: [
        { name: 'X-Ticket', value: 'ticket' },
        { name: 'X-Absent', value: 'absent' },
      ],
      writeHeader: ({ value }, variables) => variables[value] ?? null,
    });
    expect(header(message, 'x-ticket')).toBe('T-42');
    expect(header(message, 'x-absent')).toBeNull();
  });

  test('no value of a variable changes the number of header lines', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', ':', '\r', '\n', '\0', '\t', '"'),
      maxLength: 12,
    });
    const lines = (value: string): number => {
      const via = [{ transport: 'UDP', host: US, port: 5060, params: new Map([['branch', 'z9hG4bKx']]) }];
      const rules = { addHeaders: [{ name: 'X-Ticket', value: '' }], writeHeader: () => value };
      const [head = ''] = writeMessage({ ...invite(rules), via })
        .toString()
        .split('\r\n\r\n');
      return head.split(/\r\n|\r|\n/).length;
    };
    const most = lines('one line');
    fc.assert(
      fc.property(text, (value) => {
        expect([most - 1, most]).toContain(lines(value));
      }),
    );
  });

  test('an added header never breaks out of its line', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', ':', '\r', '\n', '\0', 'é', '"', ';'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text.map((rest) => `x-${rest}`), value: text }), { maxLength: 4 }),
        (addHeaders) => {
          const via = [{ transport: 'UDP', host: US, port: 5060, params: new Map([['branch', 'z9hG4bKx']]) }];
          const parsed = parseMessage(writeMessage({ ...invite({ addHeaders }), via }));
          const message = parsed.kind === 'message' ? parsed.message : null;
          const names = message?.headers.map(({ name }) => name.trim()) ?? [];
          const known = [
            'max-forwards',
            'contact',
            'allow',
            'supported',
            'session-expires',
            'min-se',
            'accept',
            'user-agent',
            'content-type',
          ];
          const wanted = new Set([...known, 'content-length', ...addHeaders.map(({ name }) => name.trim())]);
          expect(message?.body.toString()).toBe('offer');
          expect(names.filter((name) => !wanted.has(name))).toEqual([]);
          expect(message === null ? [] : headerLines(message, 'contact')).toHaveLength(1);
        },
      ),
    );
  });
});

describe('a trunk with a udp_limit', () => {
  const request = { sdpOffer: 'x'.repeat(1_400) };
  test('sends an INVITE below it over UDP', () => {
    const call = dial({ request, trunk: { transport: 'auto', rules: { udpLimit: 4_000 } } });
    expect(call.last('INVITE').via[0]?.transport).toBe('UDP');
  });
  test('sends an INVITE above it over TCP, also when its transport is udp', () => {
    const call = dial({ trunk: { rules: { udpLimit: 500 } }, request });
    expect(call.last('INVITE').via[0]?.transport).toBe('TCP');
  });
});

test('a transfer writes the target as the carrier does', () => {
  const call = dial({ trunk: { rules: { writeCallee: (to) => to.replace('+', '00') } } });
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  void call.leg.refer('+15550003', 5_000);
  call.net.scheduler.advance(10);
  expect(header(call.last('REFER'), 'refer-to')).toContain('sip:0015550003@');
});
