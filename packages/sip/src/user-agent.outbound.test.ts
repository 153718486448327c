import { describe, expect, test } from 'vitest';
import type { CallFailure } from './call.ts';
import { header, tagOf } from './message.ts';
import { literalPeer, resolveByName } from './resolver.ts';
import { responseTo } from './response.ts';
import type { Peer } from './transport.ts';
import { writeMessage } from './write.ts';
import { VirtualNetwork } from '../test/virtual-network.ts';
import { dial, inDialog, SDP_TYPE, THEM, US } from '../test/virtual-call.ts';

describe('outbound call', () => {
  test('rings, is answered, sends ACK, and ends with our BYE', () => {
    const call = dial({ request: { displayName: 'Acme "A\\' } });
    const invite = call.last('INVITE');
    expect(invite.uri).toBe(`sip:+15550002@${THEM}`);
    expect(invite.from.displayName).toBe('Acme "A\\');
    expect(invite.callId).toBe(`attempt@${US}`);
    call.answer(invite, 100);
    call.answer(invite, 180);
    call.answer(invite, 180);
    call.answer(invite, 183, { sdp: 'early' });
    call.answer(invite, 200, { sdp: 'answer' });
    expect(call.log).toEqual(['ringing 180', 'ringing 183 early', 'answered answer']);
    expect(call.last('ACK')).toMatchObject({
      uri: `sip:them@${THEM}:5060`,
      cseq: { sequence: invite.cseq.sequence },
    });
    call.answer(invite, 200, { sdp: 'answer' });
    expect(call.received('ACK').length).toBe(2);
    call.leg.hangup('agent said goodbye');
    expect(call.log.at(-1)).toBe('ended agent agent said goodbye null');
    call.net.scheduler.advance(10);
    expect(call.last('BYE').cseq.sequence).toBe(invite.cseq.sequence + 1);
    call.answer(call.last('BYE'), 200);
    call.net.scheduler.advance(70_000);
    expect(call.log.length).toBe(4);
    expect(call.agent.liveCalls).toBe(0);
    expect(call.agent.endpoint.live).toBe(0);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test.each([
    [486, 'busy'],
    [600, 'busy'],
    [408, 'no_answer'],
    [480, 'no_answer'],
    [487, 'no_answer'],
    [603, 'rejected'],
    [404, 'invalid_number'],
    [410, 'invalid_number'],
    [484, 'invalid_number'],
    [604, 'invalid_number'],
    [302, 'failed'],
    [403, 'failed'],
    [488, 'failed'],
    [503, 'failed'],
  ])('classifies %i as %s', (status, failure) => {
    const call = dial();
    call.answer(call.last('INVITE'), status);
    expect(call.log).toEqual([`failed ${failure} ${status} false`]);
    expect(call.received('ACK').length).toBe(1);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test.each([
    [503, '120', 120_000],
    [503, '120 (overloaded);duration=60', 120_000],
    [503, '5;duration=1', 5_000],
    [500, '0', 0],
    [600, '18000', 18_000_000],
    [486, '60', 60_000],
    [503, '99999999999999999999999', 86_400_000],
    [503, '-5', null],
    [503, '1e9', null],
    [503, 'Fri, 31 Dec 1999 23:59:59 GMT', null],
    [503, '', null],
    [503, null, null],
  ])('reports Retry-After of %i "%s" as %s ms', (status, value, ms) => {
    const failures: CallFailure[] = [];
    const call = dial({ events: { onFailed: (failure) => void failures.push(failure) } });
    const headers = value === null ? [] : [{ name: 'retry-after', value }];
    call.answer(call.last('INVITE'), status, { headers });
    expect(failures.map(({ retryAfterMs }) => retryAfterMs)).toEqual([ms]);
  });

  test('a trunk on another port has it in the Request-URI, not in From and To', () => {
    const call = dial({ trunk: { domain: `${THEM}:5070`, host: THEM } });
    const invite = call.last('INVITE');
    expect([invite.uri, invite.from.uri, invite.to.uri]).toEqual([
      `sip:+15550002@${THEM}:5070`,
      `sip:+15550001@${THEM}`,
      `sip:+15550002@${THEM}`,
    ]);
  });

  test('fails after timer B without a response, and not as never sent', () => {
    const call = dial({ request: { ringTimeoutMs: 60_000 } });
    call.net.scheduler.advance(33_000);
    expect(call.log).toEqual(['failed failed null false']);
    expect(call.received('INVITE').length).toBe(7);
  });

  test.each([
    ['no response', [], 'failed no response from trunk'],
    ['100, then no response to the CANCEL', [100], 'no_answer ring timeout'],
    ['100, then 487', [100, 487], 'no_answer ring timeout'],
    ['180 after the timeout, then 487', [null, 180, 487], 'no_answer ring timeout'],
  ])('outcome of a short ring timeout: %s', (_, answers, outcome) => {
    const ends: string[] = [];
    const call = dial({
      request: { ringTimeoutMs: 5_000 },
      events: { onFailed: ({ failure, reason }) => void ends.push(`${failure} ${reason}`) },
    });
    for (const answer of answers) {
      if (answer !== null) call.answer(call.last('INVITE'), answer);
      call.net.scheduler.advance(5_001);
    }
    call.net.scheduler.advance(70_000);
    expect(ends).toEqual([outcome]);
    expect(call.received('CANCEL').length > 0).toBe(answers.length > 0);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test('fails as never sent when the look-up outlasts the ring timeout', () => {
    const trunk = { known: () => null, lookUp: () => new Promise<never>(() => {}) };
    const call = dial({ request: { ringTimeoutMs: 5_000 }, trunk });
    call.net.scheduler.advance(5_001);
    expect(call.log).toEqual(['failed failed null true']);
  });

  test('reports a closed window even when the trunk never responded', () => {
    const ends: string[] = [];
    const net = new VirtualNetwork();
    dial({
      net,
      request: { ringTimeoutMs: 20_000, ringUntil: net.scheduler.now() + 5_000 },
      events: { onFailed: ({ failure, reason }) => void ends.push(`${failure} ${reason}`) },
    });
    net.scheduler.advance(70_000);
    expect(ends).toEqual(['no_answer window closed']);
  });

  test('fails as never sent when the transport fails', () => {
    const net = new VirtualNetwork();
    net.unreachable.add(`udp:${THEM}`);
    const call = dial({ net });
    expect(call.log).toEqual(['failed failed null true']);
  });

  test('a hang-up while ringing sends CANCEL with the branch of the INVITE', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.leg.hangup('stopped');
    call.net.scheduler.advance(10);
    expect(call.received('CANCEL').length).toBe(0);
    call.answer(invite, 180);
    const cancel = call.last('CANCEL');
    expect(cancel.via[0]?.params.get('branch')).toBe(invite.via[0]?.params.get('branch'));
    expect(cancel.cseq).toEqual({ sequence: invite.cseq.sequence, method: 'CANCEL' });
    call.answer(cancel, 200);
    call.answer(invite, 487);
    expect(call.log).toEqual(['failed cancelled 487 false']);
  });

  test('a ring timeout is no_answer without a SIP code', () => {
    const call = dial({ request: { ringTimeoutMs: 5_000 } });
    const invite = call.last('INVITE');
    call.answer(invite, 180);
    call.net.scheduler.advance(5_000);
    call.answer(call.last('CANCEL'), 200);
    call.answer(invite, 487);
    expect(call.log).toEqual(['ringing 180', 'failed no_answer null false']);
  });

  test('a 200 that crosses our CANCEL gets ACK and BYE', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 180);
    call.leg.hangup('stopped');
    call.answer(invite, 200, { sdp: 'answer' });
    expect(call.received('ACK').length).toBe(1);
    expect(call.received('BYE').length).toBe(1);
    expect(call.log).toEqual(['ringing 180', 'failed cancelled null false']);
    call.answer(call.last('BYE'), 200);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test('fails 64*T1 after a CANCEL without a final response', () => {
    const call = dial();
    call.answer(call.last('INVITE'), 180);
    call.leg.hangup('stopped');
    call.net.scheduler.advance(32_100);
    expect(call.log.at(-1)).toBe('failed cancelled null false');
    call.net.scheduler.advance(70_000);
    expect(call.agent.endpoint.live).toBe(0);
  });

  test('takes the first 200 of two forks; the second gets ACK and BYE', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 183, { tag: 'one', sdp: 'early one' });
    call.answer(invite, 180, { tag: 'two' });
    call.answer(invite, 200, { tag: 'one', sdp: 'answer one' });
    call.answer(invite, 200, { tag: 'two', sdp: 'answer two' });
    const byes = call.received('BYE').map((bye) => tagOf(bye.to));
    expect(byes).toEqual(['two']);
    expect(call.received('ACK').map((ack) => tagOf(ack.to))).toEqual(['one', 'two']);
    expect(call.log).toEqual(['ringing 183 early one', 'ringing 180', 'answered answer one']);
  });

  test('a fork that answers after the hang-up gets ACK and BYE', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 180, { tag: 'two' });
    call.answer(invite, 200, { tag: 'one', sdp: 'answer' });
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    call.answer(call.last('BYE'), 200);
    call.answer(invite, 200, { tag: 'two', sdp: 'late' });
    expect(call.received('BYE').map((bye) => tagOf(bye.to))).toEqual(['one', 'two']);
    expect(call.log.at(-1)).toBe('ended agent agent null');
  });

  test('a 200 without SDP uses the early SDP; without any SDP the call ends', () => {
    const early = dial();
    early.answer(early.last('INVITE'), 183, { sdp: 'early' });
    early.answer(early.last('INVITE'), 200);
    expect(early.log.at(-1)).toBe('answered early');
    const none = dial();
    none.answer(none.last('INVITE'), 200);
    expect(none.log).toEqual(['failed failed 200 false']);
    expect(none.received('BYE').length).toBe(1);
  });

  test('requests use the reversed Record-Route; a strict router becomes the Request-URI', () => {
    const call = dial();
    call.answer(call.last('INVITE'), 200, {
      sdp: 'answer',
      headers: [{ name: 'record-route', value: `<sip:p2@${THEM};lr>, <sip:p1@${THEM};lr>` }],
    });
    expect(
      call
        .last('ACK')
        .headers.filter((h) => h.name === 'route')
        .map((h) => h.value),
    ).toEqual([`<sip:p1@${THEM};lr>`, `<sip:p2@${THEM};lr>`]);
    const strict = dial();
    strict.answer(strict.last('INVITE'), 200, {
      sdp: 'a',
      headers: [{ name: 'record-route', value: `<sip:old@${THEM}>` }],
    });
    expect(strict.last('ACK').uri).toBe(`sip:old@${THEM}`);
    expect(header(strict.last('ACK'), 'route')).toBe(`<sip:them@${THEM}:5060>`);
  });

  test('acknowledges a 2xx with faults outside the fields that match it', () => {
    const call = dial();
    const invite = call.last('INVITE');
    const text = writeMessage(responseTo(invite, 200, { toTag: 'them', body: Buffer.from('answer') }))
      .toString()
      .replace(
        '\r\nContent-Length',
        '\r\nContent-Type: application/sdp\r\nContact: "\r\nExpires: 1\r\nExpires: 2\r\nodd\r\nContent-Length',
      );
    call.peer.send(Buffer.from(text), US);
    call.net.scheduler.advance(10);
    expect(call.log).toEqual(['answered answer']);
    expect(call.received('ACK').length).toBe(1);
  });

  test('ignores a response with two Vias', () => {
    const call = dial();
    const response = responseTo(call.last('INVITE'), 200, { toTag: 'them' });
    call.peer.send({ ...response, via: [...response.via, ...response.via] }, US);
    call.net.scheduler.advance(10);
    expect(call.log).toEqual([]);
  });

  test('keeps a malformed Record-Route value in the route set', () => {
    const call = dial();
    call.answer(call.last('INVITE'), 200, {
      sdp: 'answer',
      headers: [{ name: 'record-route', value: `<sip:odd@@host;lr>, <sip:p1@${THEM};lr>` }],
    });
    const routes = call.last('ACK').headers.filter((h) => h.name === 'route');
    expect(routes.map((h) => h.value)).toEqual([`<sip:p1@${THEM};lr>`, '<sip:odd@@host;lr>']);
  });

  test('sends ACK and BYE to the address of the call when the Contact is private', () => {
    const call = dial();
    const response = responseTo(call.last('INVITE'), 200, {
      toTag: 'them',
      headers: [{ name: 'contact', value: '<sip:them@10.0.0.7:5061>' }, SDP_TYPE],
      body: Buffer.from('answer'),
    });
    call.peer.send(response, US);
    call.net.scheduler.advance(10);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.last('ACK').uri).toBe('sip:them@10.0.0.7:5061');
    expect(call.last('BYE').uri).toBe('sip:them@10.0.0.7:5061');
  });

  test('acknowledges and ends a call whose Contact is a sips URI over the flow of the call', async () => {
    const call = dial();
    const headers = [{ name: 'contact', value: `<sips:them@${THEM}>` }, SDP_TYPE];
    const body = Buffer.from('answer');
    call.peer.send(responseTo(call.last('INVITE'), 200, { toTag: 'them', headers, body }), US);
    call.net.scheduler.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    call.net.scheduler.advance(10);
    call.leg.hangup('agent');
    await new Promise((resolve) => setImmediate(resolve));
    call.net.scheduler.advance(10);
    expect([call.last('ACK').uri, call.last('BYE').uri]).toEqual([`sips:them@${THEM}`, `sips:them@${THEM}`]);
  });

  test.each([
    ['the address of the call', `<sip:them@${THEM}:5060>`],
    ['another address in clear', '<sip:them@198.51.100.7:5060;transport=udp>'],
  ])('stays on TLS with a Contact at %s', async (_name, contact) => {
    const peer: Peer = { transport: 'tls', address: THEM, port: 5061, domain: 'carrier.example' };
    const elsewhere: string[] = [];
    const net = new VirtualNetwork();
    net.attach('198.51.100.7', (bytes) => elsewhere.push(bytes.toString()));
    const call = dial({ net, trunk: { transport: 'auto', host: 'carrier.example', known: () => [peer] } });
    call.peer.send(
      responseTo(call.last('INVITE'), 200, {
        toTag: 'them',
        headers: [{ name: 'contact', value: contact }, SDP_TYPE],
        body: Buffer.from('answer'),
      }),
      US,
    );
    call.net.scheduler.advance(10);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    const vias = call.peer.received.flatMap((message) => message.via[0]?.transport ?? []);
    expect(vias.filter((transport) => transport !== 'TLS')).toEqual([]);
    expect(elsewhere.filter((text) => !text.includes('Via: SIP/2.0/TLS '))).toEqual([]);
    const methods = [
      ...call.peer.received.map(({ cseq }) => cseq.method),
      ...elsewhere.map((text) => text.split(' ')[0]),
    ];
    expect(methods).toEqual(['INVITE', 'ACK', 'BYE']);
  });

  test.each([
    ['sips:192.0.2.9', 'auto', 5061],
    ['sips:192.0.2.9:5071', 'udp', 5071],
    ['sip:192.0.2.9;transport=TLS', 'auto', 5061],
    ['sip:192.0.2.9', 'tls', 5061],
  ] as const)('resolves %s with transport %s to TLS', async (uri, choice, port) => {
    const peer = { transport: 'tls', address: '192.0.2.9', port, domain: '192.0.2.9' };
    expect(literalPeer(uri, choice)).toEqual(peer);
    expect(await resolveByName(uri, choice)).toEqual([peer]);
  });

  test.each([
    ['control characters in the name', { displayName: 'A\r\nRoute: <sip:evil>' }, 'failed failed null true'],
    ['control characters in the number', { to: '+1\n2' }, 'failed invalid_number null true'],
    ['an empty number', { to: '' }, 'failed invalid_number null true'],
  ])('refuses %s before sending', (_, request, line) => {
    const call = dial({ request });
    expect(call.log).toEqual([line]);
    expect(call.peer.received).toEqual([]);
  });

  test('escapes reserved URI characters in the number', () => {
    const call = dial({ request: { to: '+1;phone-context=x@evil?a' } });
    expect(call.last('INVITE').uri).toBe(`sip:+1%3Bphone-context%3Dx%40evil%3Fa@${THEM}`);
  });

  test('keeps 32 early dialogs of a peer with ever new To tags, and still acknowledges an answer beyond them', () => {
    const call = dial();
    const invite = call.last('INVITE');
    for (let n = 0; n < 200; n++) call.answer(invite, 180, { tag: `fork${n}` });
    const early = (tag: string): number | undefined => {
      const before = call.peer.received.length;
      const bye = inDialog(invite, 'BYE', 1, { branch: tag });
      call.peer.send({ ...bye, from: { ...bye.from, params: new Map([['tag', tag]]) } }, US);
      call.net.scheduler.advance(10);
      const reply = call.peer.received.slice(before).find((m) => m.kind === 'response');
      return reply?.kind === 'response' ? reply.status : undefined;
    };
    expect([early('fork31'), early('fork32')]).toEqual([200, 481]);
    call.answer(invite, 200, { tag: 'fork150', sdp: 'answer' });
    expect(call.log.at(-1)).toBe('answered answer');
    expect(call.received('ACK').length).toBe(1);
  });
});
