import { describe, expect, test } from 'vitest';
import { header, tagOf } from './message.ts';
import { VirtualNetwork } from './virtual-network.ts';
import { dial, THEM, US } from '../../../test/helpers/virtual-call.ts';

describe('outbound call', () => {
  test('rings, is answered, acknowledged, and ended by us', () => {
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
    expect(call.heard('ACK').length).toBe(2);
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
    [403, 'rejected'],
    [603, 'rejected'],
    [404, 'invalid_number'],
    [410, 'invalid_number'],
    [484, 'invalid_number'],
    [604, 'invalid_number'],
    [302, 'failed'],
    [488, 'failed'],
    [503, 'failed'],
  ])('%i means %s', (status, failure) => {
    const call = dial();
    call.answer(call.last('INVITE'), status);
    expect(call.log).toEqual([`failed ${failure} ${status} false`]);
    expect(call.heard('ACK').length).toBe(1);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test('nobody there: failed after timer B, not never sent', () => {
    const call = dial({ request: { ringTimeoutMs: 60_000 } });
    call.net.scheduler.advance(33_000);
    expect(call.log).toEqual(['failed failed null false']);
    expect(call.heard('INVITE').length).toBe(7);
  });

  test.each([
    ['nothing at all', [], 'failed no response from trunk'],
    ['100, and nothing to the CANCEL', [100], 'no_answer ring timeout'],
    ['100, and the INVITE is cancelled', [100, 487], 'no_answer ring timeout'],
    ['180 when the time is over', [null, 180, 487], 'no_answer ring timeout'],
  ])('a short ring timeout: %s', (_, answers, outcome) => {
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
    expect(call.heard('CANCEL').length > 0).toBe(answers.length > 0);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test('a trunk whose address is not known in time has failed, and nothing was sent', () => {
    const trunk = { known: () => null, lookUp: () => new Promise<never>(() => {}) };
    const call = dial({ request: { ringTimeoutMs: 5_000 }, trunk });
    call.net.scheduler.advance(5_001);
    expect(call.log).toEqual(['failed failed null true']);
  });

  test('a window that closes on a silent trunk stays what it is', () => {
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

  test('no way to send: never sent', () => {
    const net = new VirtualNetwork();
    net.unreachable.add(`udp:${THEM}`);
    const call = dial({ net });
    expect(call.log).toEqual(['failed failed null true']);
  });

  test('hung up while ringing: CANCEL with the branch of the INVITE, 487, cancelled', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.leg.hangup('stopped');
    call.net.scheduler.advance(10);
    expect(call.heard('CANCEL').length).toBe(0);
    call.answer(invite, 180);
    const cancel = call.last('CANCEL');
    expect(cancel.via[0]?.params.get('branch')).toBe(invite.via[0]?.params.get('branch'));
    expect(cancel.cseq).toEqual({ sequence: invite.cseq.sequence, method: 'CANCEL' });
    call.answer(cancel, 200);
    call.answer(invite, 487);
    expect(call.log).toEqual(['failed cancelled 487 false']);
  });

  test('ring timeout is no_answer without a code of its own', () => {
    const call = dial({ request: { ringTimeoutMs: 5_000 } });
    const invite = call.last('INVITE');
    call.answer(invite, 180);
    call.net.scheduler.advance(5_000);
    call.answer(call.last('CANCEL'), 200);
    call.answer(invite, 487);
    expect(call.log).toEqual(['ringing 180', 'failed no_answer null false']);
  });

  test('a 200 that crosses CANCEL is acknowledged and ended by BYE', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 180);
    call.leg.hangup('stopped');
    call.answer(invite, 200, { sdp: 'answer' });
    expect(call.heard('ACK').length).toBe(1);
    expect(call.heard('BYE').length).toBe(1);
    expect(call.log).toEqual(['ringing 180', 'failed cancelled null false']);
    call.answer(call.last('BYE'), 200);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });

  test('no final response after CANCEL: over after 64*T1', () => {
    const call = dial();
    call.answer(call.last('INVITE'), 180);
    call.leg.hangup('stopped');
    call.net.scheduler.advance(32_100);
    expect(call.log.at(-1)).toBe('failed cancelled null false');
    call.net.scheduler.advance(70_000);
    expect(call.agent.endpoint.live).toBe(0);
  });

  test('forks: the first 200 wins, the second is acknowledged and ended', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 183, { tag: 'one', sdp: 'early one' });
    call.answer(invite, 180, { tag: 'two' });
    call.answer(invite, 200, { tag: 'one', sdp: 'answer one' });
    call.answer(invite, 200, { tag: 'two', sdp: 'answer two' });
    const byes = call.heard('BYE').map((bye) => tagOf(bye.to));
    expect(byes).toEqual(['two']);
    expect(call.heard('ACK').map((ack) => tagOf(ack.to))).toEqual(['one', 'two']);
    expect(call.log).toEqual(['ringing 183 early one', 'ringing 180', 'answered answer one']);
  });

  test('a fork that answers after we hung up is ended too', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 180, { tag: 'two' });
    call.answer(invite, 200, { tag: 'one', sdp: 'answer' });
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    call.answer(call.last('BYE'), 200);
    call.answer(invite, 200, { tag: 'two', sdp: 'late' });
    expect(call.heard('BYE').map((bye) => tagOf(bye.to))).toEqual(['one', 'two']);
    expect(call.log.at(-1)).toBe('ended agent agent null');
  });

  test('an answer without SDP takes the early one; without any it is ended', () => {
    const early = dial();
    early.answer(early.last('INVITE'), 183, { sdp: 'early' });
    early.answer(early.last('INVITE'), 200);
    expect(early.log.at(-1)).toBe('answered early');
    const none = dial();
    none.answer(none.last('INVITE'), 200);
    expect(none.log).toEqual(['failed failed 200 false']);
    expect(none.heard('BYE').length).toBe(1);
  });

  test('requests follow the reversed record route; a strict router becomes the Request-URI', () => {
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

  test.each([
    ['control characters in the name', { displayName: 'A\r\nRoute: <sip:evil>' }, 'failed failed null true'],
    ['control characters in the number', { to: '+1\n2' }, 'failed invalid_number null true'],
    ['an empty number', { to: '' }, 'failed invalid_number null true'],
  ])('%s: refused before anything is sent', (_, request, line) => {
    const call = dial({ request });
    expect(call.log).toEqual([line]);
    expect(call.peer.heard).toEqual([]);
  });

  test('characters with a meaning in URIs are escaped in the number', () => {
    const call = dial({ request: { to: '+1;phone-context=x@evil?a' } });
    expect(call.last('INVITE').uri).toBe(`sip:+1%3Bphone-context%3Dx%40evil%3Fa@${THEM}`);
  });

  test('a large INVITE goes over TCP when the trunk takes both, and over UDP when nothing listens there', () => {
    const request = { sdpOffer: 'x'.repeat(1400) };
    const both = dial({ request, trunk: { transport: 'auto' } });
    expect(both.last('INVITE').via[0]?.transport).toBe('TCP');
    expect(header(both.last('INVITE'), 'contact')).toContain(';transport=tcp');
    const net = new VirtualNetwork();
    net.unreachable.add(`tcp:${THEM}`);
    const udp = dial({ request, trunk: { transport: 'auto' }, net });
    udp.net.scheduler.advance(10);
    expect(udp.last('INVITE').via[0]?.transport).toBe('UDP');
    expect(header(udp.last('INVITE'), 'contact')).not.toContain('transport');
    const only = dial({ request });
    expect(only.last('INVITE').via[0]?.transport).toBe('UDP');
  });
});
