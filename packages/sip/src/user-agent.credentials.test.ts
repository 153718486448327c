import { describe, expect, test } from 'vitest';
import { createAuthenticator } from './digest-client.ts';
import { createDigestServer } from './digest-server.ts';
import { header, type Header, type SipRequest } from './message.ts';
import { responseTo } from './response.ts';
import { peerAt, VirtualNetwork } from '../test/virtual-network.ts';
import { CONTACT, dial, SDP_TYPE, THEM, US } from '../test/virtual-call.ts';

const SECOND = '192.0.2.10';

describe('digest credentials of an outbound call', () => {
  const CREDENTIALS = { username: 'u', password: 'secret' };
  const account = createAuthenticator(CREDENTIALS);
  const server = createDigestServer({ realm: 'r', now: () => 0 });
  const challenged = (status: number, stale = false): Header => ({
    name: status === 407 ? 'proxy-authenticate' : 'www-authenticate',
    value: server.challenge(stale),
  });

  test.each([401, 407])('answers %i once, in a new transaction with the next CSeq', (status) => {
    const call = dial({ trunk: { authenticator: account } });
    const first = call.last('INVITE');
    call.answer(first, status, { headers: [challenged(status)] });
    const second = call.last('INVITE');
    expect(second.cseq.sequence).toBe(first.cseq.sequence + 1);
    expect(second.via[0]?.params.get('branch')).not.toBe(first.via[0]?.params.get('branch'));
    const name = status === 407 ? 'proxy-authorization' : 'authorization';
    const authorization = { name: 'authorization', value: header(second, name) ?? '' };
    const verdict = server.verify({ ...second, headers: [authorization] }, () => 'secret');
    expect(verdict).toEqual({ ok: true, username: 'u' });
    call.answer(second, 200, { sdp: 'answer' });
    expect(header(call.last('ACK'), name)).toBe(authorization.value);
    expect(call.log).toEqual(['answered answer']);
  });

  test('fails on a second 401, unless it has stale=true', () => {
    const wrong = dial({ trunk: { authenticator: account } });
    wrong.answer(wrong.last('INVITE'), 401, { headers: [challenged(401)] });
    wrong.answer(wrong.last('INVITE'), 401, { headers: [challenged(401)] });
    expect(wrong.received('INVITE').length).toBe(2);
    expect(wrong.log).toEqual(['failed failed 401 false']);
    const stale = dial({ trunk: { authenticator: account } });
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401)] });
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401, true)] });
    expect(stale.received('INVITE').length).toBe(3);
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401, true)] });
    expect(stale.log).toEqual(['failed failed 401 false']);
  });

  test('leaves the challenge of an abandoned call unanswered', () => {
    const call = dial({ trunk: { authenticator: account } });
    call.leg.hangup('stopped');
    call.answer(call.last('INVITE'), 401, { headers: [challenged(401)] });
    expect(call.received('INVITE').length).toBe(1);
    expect(call.log).toEqual(['failed cancelled 401 false']);
  });

  test('answers challenges to BYE and INFO', () => {
    const call = dial({ trunk: { authenticator: account } });
    call.answer(call.last('INVITE'), 200, { sdp: 'a' });
    call.leg.sendInfoDtmf('5');
    call.net.scheduler.advance(10);
    call.answer(call.last('INFO'), 407, { headers: [challenged(407)] });
    expect(header(call.last('INFO'), 'proxy-authorization')).toContain('Digest');
    expect(call.last('INFO').body.toString()).toBe('Signal=5\r\nDuration=160\r\n');
    call.answer(call.last('INFO'), 200);
    const seen = call.received('INFO').map((info) => info.cseq.sequence);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.last('BYE').cseq.sequence).toBeGreaterThan(Math.max(...seen));
  });

  test('gives no credentials to a foreign host that Contact or Record-Route names', () => {
    const FOREIGN = '198.51.100.66';
    for (const headers of [
      [{ name: 'contact', value: `<sip:evil@${FOREIGN}>` }],
      [{ name: 'record-route', value: `<sip:${FOREIGN};lr>` }],
    ]) {
      const net = new VirtualNetwork();
      const foreign = net.peer(FOREIGN);
      const call = dial({ net, trunk: { authenticator: createAuthenticator(CREDENTIALS) } });
      call.answer(call.last('INVITE'), 407, { headers: [challenged(407)] });
      const invite = call.last('INVITE');
      const contact = headers[0]?.name === 'contact' ? [] : [CONTACT];
      call.peer.send(
        responseTo(invite, 200, {
          toTag: 'them',
          headers: [...headers, ...contact, SDP_TYPE],
          body: Buffer.from('answer'),
        }),
        US,
      );
      net.scheduler.advance(10);
      const requests = (): SipRequest[] => foreign.received.filter((m) => m.kind === 'request');
      expect(requests().map(({ method }) => method)).toEqual(['ACK']);
      call.leg.sendInfoDtmf('5');
      net.scheduler.advance(10);
      const info = requests().at(-1)!;
      foreign.send(responseTo(info, 401, { toTag: 'them', headers: [challenged(401)] }), US);
      net.scheduler.advance(10);
      expect(requests().length).toBe(2);
      expect(requests().flatMap((m) => m.headers.filter((h) => h.name.includes('authorization')))).toEqual(
        [],
      );
    }
  });

  test('answers no challenge of another realm or without qop after the trunk accepted credentials', () => {
    const authenticator = createAuthenticator(CREDENTIALS);
    const first = dial({ trunk: { authenticator } });
    first.answer(first.last('INVITE'), 407, { headers: [challenged(407)] });
    first.answer(first.last('INVITE'), 200, { sdp: 'answer' });
    for (const value of [
      'Digest realm="callee", nonce="chosen"',
      'Digest realm="r", nonce="chosen"',
      'Digest realm="r", nonce="chosen", qop="auth"',
    ]) {
      const call = dial({ trunk: { authenticator } });
      call.answer(call.last('INVITE'), 401, { headers: [{ name: 'www-authenticate', value }] });
      expect(call.received('INVITE').length).toBe(1);
      expect(call.log).toEqual(['failed failed 401 false']);
    }
  });

  test('answers a proxy and then the server behind it, each in its realm', () => {
    const call = dial({ trunk: { authenticator: createAuthenticator(CREDENTIALS) } });
    const inner = createDigestServer({ realm: 'inner', now: () => 0 });
    call.answer(call.last('INVITE'), 407, { headers: [challenged(407)] });
    call.answer(call.last('INVITE'), 401, {
      headers: [{ name: 'www-authenticate', value: inner.challenge(false) }],
    });
    const third = call.last('INVITE');
    expect(call.received('INVITE').length).toBe(3);
    expect(inner.verify(third, () => 'secret').ok).toBe(true);
    expect(header(third, 'proxy-authorization')).toContain('realm="r"');
    call.answer(third, 200, { sdp: 'answer' });
    expect(call.log).toEqual(['answered answer']);
  });

  test('sends an INVITE that credentials make too large for UDP over TCP', () => {
    const call = dial({
      request: { sdpOffer: 'x'.repeat(700) },
      trunk: { authenticator: createAuthenticator(CREDENTIALS), transport: 'auto' },
    });
    expect(call.last('INVITE').via[0]?.transport).toBe('UDP');
    const value = `Digest realm="r", nonce="${'n'.repeat(300)}", qop="auth", opaque="${'o'.repeat(300)}"`;
    call.answer(call.last('INVITE'), 401, { headers: [{ name: 'www-authenticate', value }] });
    expect(call.last('INVITE').via[0]?.transport).toBe('TCP');
  });

  test('a 503 after a challenge sends the call to the second gateway, without the credentials of the first', () => {
    const net = new VirtualNetwork();
    const second = net.peer(SECOND);
    const call = dial({
      net,
      trunk: {
        authenticator: createAuthenticator(CREDENTIALS),
        known: () => [peerAt(THEM), peerAt(SECOND)],
        owns: () => true,
      },
    });
    call.answer(call.last('INVITE'), 407, { headers: [challenged(407)] });
    call.answer(call.last('INVITE'), 503);
    const invites = (): SipRequest[] =>
      second.received.filter((m): m is SipRequest => m.kind === 'request' && m.method === 'INVITE');
    expect(invites().map((invite) => header(invite, 'proxy-authorization'))).toEqual([null]);
    expect(call.log).toEqual([]);
    const reply = (status: number, more: { headers: Header[]; body?: Buffer }): void => {
      second.send(responseTo(invites().at(-1)!, status, { toTag: 'second', ...more }), US);
      net.scheduler.advance(10);
    };
    reply(407, { headers: [challenged(407)] });
    expect(header(invites().at(-1)!, 'proxy-authorization')).toContain('Digest');
    reply(200, { headers: [CONTACT, SDP_TYPE], body: Buffer.from('answer') });
    expect(call.log).toEqual(['answered answer']);
  });

  test('a phone that rang is not called over a second gateway after a challenge', () => {
    const net = new VirtualNetwork();
    const second = net.peer(SECOND);
    const call = dial({
      net,
      trunk: {
        authenticator: createAuthenticator(CREDENTIALS),
        known: () => [peerAt(THEM), peerAt(SECOND)],
      },
    });
    call.answer(call.last('INVITE'), 407, { headers: [challenged(407)] });
    call.answer(call.last('INVITE'), 180);
    call.answer(call.last('INVITE'), 503);
    expect(second.received).toEqual([]);
    expect(call.log).toEqual(['ringing 180', 'failed failed 503 false']);
  });

  test('a BYE that an edge of the carrier challenges is repeated to the trunk, and logged', () => {
    const EDGE = '192.0.2.77';
    const net = new VirtualNetwork();
    const edge = net.peer(EDGE);
    const call = dial({ net, trunk: { authenticator: createAuthenticator(CREDENTIALS) } });
    call.answer(call.last('INVITE'), 200, {
      sdp: 'answer',
      headers: [{ name: 'record-route', value: `<sip:${EDGE};lr>` }],
    });
    call.leg.hangup('agent');
    net.scheduler.advance(10);
    const bye = edge.received.find((m): m is SipRequest => m.kind === 'request' && m.method === 'BYE')!;
    edge.send(responseTo(bye, 407, { toTag: 'them', headers: [challenged(407)] }), US);
    net.scheduler.advance(10);
    expect(edge.received.flatMap((m) => m.headers.filter((h) => h.name.includes('authorization')))).toEqual(
      [],
    );
    expect(call.warnings).toEqual([
      [{ trunk: 'trunk', trunkId: 'trunk', status: 407, peer: EDGE }, 'BYE was challenged'],
    ]);
    const first = call.last('BYE');
    expect(header(first, 'route')).toBe(`<sip:${EDGE};lr>`);
    call.answer(first, 407, { headers: [challenged(407)] });
    expect(header(call.last('BYE'), 'proxy-authorization')).toContain('Digest');
    expect(call.last('BYE').cseq.sequence).toBeGreaterThan(first.cseq.sequence);
    call.answer(call.last('BYE'), 200);
    expect(call.agent.busy).toBe(false);
  });
});
