import { describe, expect, test } from 'vitest';
import type { Header, SipMessage, SipRequest } from './message.ts';
import { dial, finalOf, inDialog, SDP_TYPE, US } from '../../../test/helpers/virtual-call.ts';

describe('inside an answered call', () => {
  function answered() {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 200, { sdp: 'answer' });
    const say = (request: SipRequest): SipMessage | undefined => {
      const before = call.peer.heard.length;
      call.peer.say(request, US);
      call.net.scheduler.advance(10);
      return call.peer.heard.slice(before).find((m) => m.kind === 'response');
    };
    return { ...call, invite, say };
  }

  test('BYE of the far side ends it; a second BYE gets 200 and nothing more happens', () => {
    const call = answered();
    expect(call.say(inDialog(call.invite, 'BYE', 1))).toMatchObject({ status: 200 });
    expect(call.say(inDialog(call.invite, 'BYE', 1))).toMatchObject({ status: 200 });
    expect(call.say(inDialog(call.invite, 'BYE', 2))).toMatchObject({ status: 200 });
    expect(call.log).toEqual(['answered answer', 'ended caller remote hangup null']);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.heard('BYE')).toEqual([]);
  });
  test('BYEs that cross: one end event, both answered', () => {
    const call = answered();
    call.leg.hangup('agent');
    expect(call.say(inDialog(call.invite, 'BYE', 1))).toMatchObject({ status: 200 });
    call.answer(call.last('BYE'), 481);
    expect(call.log.filter((line) => line.startsWith('ended')).length).toBe(1);
  });
  test('our BYE is never answered: over at once for the call, given up after 32 s', () => {
    const call = answered();
    call.leg.hangup('agent');
    expect(call.agent.liveCalls).toBe(0);
    expect(call.agent.busy).toBe(true);
    call.net.scheduler.advance(33_000);
    expect(call.agent.busy).toBe(false);
    expect(call.heard('BYE').length).toBe(11);
  });
  test('a lower CSeq is refused with 500', () => {
    const call = answered();
    call.say(inDialog(call.invite, 'OPTIONS', 10));
    expect(call.say(inDialog(call.invite, 'INFO', 9))).toMatchObject({ status: 500 });
  });
  test('re-INVITE: answered with our SDP until the ACK, or refused with 488', () => {
    const call = answered();
    expect(call.say(inDialog(call.invite, 'INVITE', 5, { headers: [SDP_TYPE], body: 'hold' }))).toMatchObject(
      { status: 488 },
    );
    call.peer.say(inDialog(call.invite, 'ACK', 5, { branch: 'INVITE5' }), US);
    call.reoffer.answer = 'held';
    const reply = call.say(
      inDialog(call.invite, 'INVITE', 6, {
        headers: [SDP_TYPE, { name: 'contact', value: '<sip:moved@192.0.2.9>' }],
        body: 'hold',
      }),
    );
    expect(reply).toMatchObject({ status: 200 });
    expect(reply?.body.toString()).toBe('held');
    call.net.scheduler.advance(600);
    expect(finalOf(call.peer, 'INVITE')).toEqual([488, 200, 200]);
    // Until the ACK another one has to wait.
    expect(call.say(inDialog(call.invite, 'INVITE', 7, { headers: [SDP_TYPE], body: 'x' }))).toMatchObject({
      status: 491,
    });
    call.peer.say(inDialog(call.invite, 'ACK', 6, { branch: 'ack6' }), US);
    call.net.scheduler.advance(30_000);
    expect(finalOf(call.peer, 'INVITE').filter((status) => status === 200).length).toBe(2);
    expect(call.reoffer.offers).toEqual(['hold', 'hold']);
  });
  test('re-INVITE without an offer gets ours, the answer comes in the ACK', () => {
    const call = answered();
    expect(call.say(inDialog(call.invite, 'INVITE', 5))?.body.toString()).toBe('offer');
    call.peer.say(
      inDialog(call.invite, 'ACK', 5, { branch: 'a5', headers: [SDP_TYPE], body: 'new answer' }),
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.reoffer.offers).toEqual(['new answer']);
  });
  test('INFO brings digits in both forms; other content is 415', () => {
    const call = answered();
    const relay: Header = { name: 'content-type', value: 'application/dtmf-relay' };
    const bare: Header = { name: 'content-type', value: 'application/dtmf' };
    const xml: Header = { name: 'content-type', value: 'application/media_control+xml' };
    const info = inDialog(call.invite, 'INFO', 5, { headers: [relay], body: 'Signal=5\r\nDuration=160\r\n' });
    expect(call.say(info)).toMatchObject({ status: 200 });
    call.say(info);
    call.say(inDialog(call.invite, 'INFO', 6, { headers: [relay], body: 'Signal= *\nDuration= 250' }));
    call.say(inDialog(call.invite, 'INFO', 7, { headers: [bare], body: '#' }));
    expect(call.say(inDialog(call.invite, 'INFO', 8, { headers: [xml], body: '<x/>' }))).toMatchObject({
      status: 415,
    });
    expect(call.say(inDialog(call.invite, 'INFO', 9))).toMatchObject({ status: 200 });
    expect(call.log).toEqual(['answered answer', 'dtmf 5', 'dtmf *', 'dtmf #']);
  });
  test.each([
    ['NOTIFY', 481],
    ['REFER', 405],
    ['UPDATE', 405],
    ['OPTIONS', 200],
    ['BANANA', 501],
  ])('%s gets %i and the call goes on', (method, status) => {
    const call = answered();
    expect(call.say(inDialog(call.invite, method, 5))).toMatchObject({ status });
    expect(call.log).toEqual(['answered answer']);
  });
  test('a 481 inside the dialog ends the call', () => {
    const call = answered();
    call.leg.sendInfoDtmf('1');
    call.net.scheduler.advance(10);
    call.answer(call.last('INFO'), 481);
    expect(call.log.at(-1)).toBe('ended system dialog lost 481');
    expect(call.heard('BYE').length).toBe(1);
  });
  test('INVITE of the far side before it has answered ours: 491', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 183, { sdp: 'early' });
    call.peer.say(inDialog(invite, 'INVITE', 5, { headers: [SDP_TYPE], body: 'x' }), US);
    call.net.scheduler.advance(10);
    expect(finalOf(call.peer, 'INVITE')).toEqual([491]);
  });
});
