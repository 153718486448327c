import { describe, expect, it, test } from 'vitest';
import type { SignallingEvents } from './call.ts';
import { header, type Header, type SipMessage, type SipRequest } from './message.ts';
import { responseTo } from './response.ts';
import { CONTACT, dial, finalOf, inDialog, SDP_TYPE, THEM, US } from '../test/virtual-call.ts';
import { peerAt, VirtualNetwork } from '../test/virtual-network.ts';
import type { SourceGuard } from './user-agent.ts';

describe('dialog of an answered call', () => {
  function answered(events: Partial<SignallingEvents> = {}, guard: Partial<SourceGuard> = {}) {
    const call = dial({ events, guard });
    const invite = call.last('INVITE');
    call.answer(invite, 200, { sdp: 'answer' });
    const send = (request: SipRequest): SipMessage | undefined => {
      const before = call.peer.received.length;
      call.peer.send(request, US);
      call.net.scheduler.advance(10);
      return call.peer.received.slice(before).find((m) => m.kind === 'response');
    };
    return { ...call, invite, send };
  }

  test("the peer's BYE ends it; a second BYE gets 200 without another event", () => {
    const call = answered();
    expect(call.send(inDialog(call.invite, 'BYE', 1))).toMatchObject({ status: 200 });
    expect(call.send(inDialog(call.invite, 'BYE', 1))).toMatchObject({ status: 200 });
    expect(call.send(inDialog(call.invite, 'BYE', 2))).toMatchObject({ status: 200 });
    expect(call.log).toEqual(['answered answer', 'ended caller remote hangup null']);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.received('BYE')).toEqual([]);
  });
  test('crossing BYEs are both answered and give one end event', () => {
    const call = answered();
    call.leg.hangup('agent');
    expect(call.send(inDialog(call.invite, 'BYE', 1))).toMatchObject({ status: 200 });
    call.answer(call.last('BYE'), 481);
    expect(call.log.filter((line) => line.startsWith('ended')).length).toBe(1);
  });
  test.each(['ours', 'theirs'])('after the BYE, %s, late requests find an ended dialog for 32 s', (whose) => {
    const call = answered();
    if (whose === 'ours') {
      call.leg.hangup('agent');
      call.net.scheduler.advance(10);
      call.answer(call.last('BYE'), 200);
    } else call.send(inDialog(call.invite, 'BYE', 1));
    const before = [...call.log];
    const late = (method: string, sequence: number): unknown =>
      (call.send(inDialog(call.invite, method, sequence)) as { status?: number } | undefined)?.status;
    expect(['INVITE', 'UPDATE', 'INFO', 'NOTIFY', 'PRACK'].map((method, n) => late(method, 3 + n))).toEqual([
      481, 481, 481, 481, 481,
    ]);
    expect([late('OPTIONS', 20), late('BYE', 21), late('BYE', 2)]).toEqual([200, 200, 500]);
    call.peer.send(inDialog(call.invite, 'ACK', 22, { branch: 'late' }), US);
    call.net.scheduler.advance(33_000);
    expect(call.log).toEqual(before);
    // Gone: answered by the user agent alone.
    expect(late('OPTIONS', 23)).toBe(481);
  });
  test('an unanswered BYE ends the call at once and its transaction after 32 s', () => {
    const call = answered();
    call.leg.hangup('agent');
    expect(call.agent.liveCalls).toBe(0);
    expect(call.agent.busy).toBe(true);
    call.net.scheduler.advance(33_000);
    expect(call.agent.busy).toBe(false);
    expect(call.received('BYE').length).toBe(11);
  });
  test('refuses a lower CSeq with 500', () => {
    const call = answered();
    call.send(inDialog(call.invite, 'OPTIONS', 10));
    expect(call.send(inDialog(call.invite, 'INFO', 9))).toMatchObject({ status: 500 });
  });
  test('answers a re-INVITE with our SDP until the ACK, or refuses it with 488', () => {
    const call = answered();
    expect(
      call.send(inDialog(call.invite, 'INVITE', 5, { headers: [SDP_TYPE], body: 'hold' })),
    ).toMatchObject({ status: 488 });
    call.peer.send(inDialog(call.invite, 'ACK', 5, { branch: 'INVITE5' }), US);
    call.reoffer.answer = 'held';
    const reply = call.send(
      inDialog(call.invite, 'INVITE', 6, {
        headers: [SDP_TYPE, { name: 'contact', value: '<sip:moved@192.0.2.9>' }],
        body: 'hold',
      }),
    );
    expect(reply).toMatchObject({ status: 200 });
    expect(reply?.body.toString()).toBe('held');
    call.net.scheduler.advance(600);
    expect(finalOf(call.peer, 'INVITE')).toEqual([488, 200, 200]);
    // Before the ACK another re-INVITE gets 491.
    expect(call.send(inDialog(call.invite, 'INVITE', 7, { headers: [SDP_TYPE], body: 'x' }))).toMatchObject({
      status: 491,
    });
    call.peer.send(inDialog(call.invite, 'ACK', 6, { branch: 'ack6' }), US);
    call.net.scheduler.advance(30_000);
    expect(finalOf(call.peer, 'INVITE').filter((status) => status === 200).length).toBe(2);
    expect(call.reoffer.offers).toEqual(['hold', 'hold']);
  });
  test('answers a re-INVITE without SDP with our offer and takes the answer from the ACK', () => {
    const answers: string[] = [];
    const call = answered({
      onOfferRequest: () => 'fresh offer',
      onReofferAnswer: (sdp) => void answers.push(sdp),
    });
    expect(call.send(inDialog(call.invite, 'INVITE', 5))?.body.toString()).toBe('fresh offer');
    call.peer.send(
      inDialog(call.invite, 'ACK', 5, { branch: 'a5', headers: [SDP_TYPE], body: 'new answer' }),
      US,
    );
    call.net.scheduler.advance(10);
    expect(answers).toEqual(['new answer']);
    expect(call.reoffer.offers).toEqual([]);
  });
  test('reads INFO digits in both content types and refuses others with 415', () => {
    const call = answered();
    const relay: Header = { name: 'content-type', value: 'application/dtmf-relay' };
    const bare: Header = { name: 'content-type', value: 'application/dtmf' };
    const xml: Header = { name: 'content-type', value: 'application/media_control+xml' };
    const info = inDialog(call.invite, 'INFO', 5, { headers: [relay], body: 'Signal=5\r\nDuration=160\r\n' });
    expect(call.send(info)).toMatchObject({ status: 200 });
    call.send(info);
    call.send(inDialog(call.invite, 'INFO', 6, { headers: [relay], body: 'Signal= *\nDuration= 250' }));
    call.send(inDialog(call.invite, 'INFO', 7, { headers: [bare], body: '#' }));
    expect(call.send(inDialog(call.invite, 'INFO', 8, { headers: [xml], body: '<x/>' }))).toMatchObject({
      status: 415,
    });
    expect(call.send(inDialog(call.invite, 'INFO', 9))).toMatchObject({ status: 200 });
    expect(call.log).toEqual(['answered answer', 'dtmf 5', 'dtmf *', 'dtmf #']);
  });
  test('refuses an INFO beyond the budget of its call with 503 before it reads the body, and goes on', () => {
    const left = new Map<string, number>();
    const takesInfo = (callId: string): boolean => {
      const rest = left.get(callId) ?? 2;
      left.set(callId, rest - 1);
      return rest > 0;
    };
    const call = answered({}, { takesInfo });
    const relay: Header = { name: 'content-type', value: 'application/dtmf-relay' };
    const press = (sequence: number, body: string): SipMessage | undefined =>
      call.send(inDialog(call.invite, 'INFO', sequence, { headers: [relay], body }));
    expect([press(5, 'Signal=1'), press(6, 'Signal=2')]).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(press(7, 'Signal=3')).toMatchObject({ status: 503 });
    // Unread: it would be a 415.
    expect(press(8, 'no digit')).toMatchObject({ status: 503 });
    expect([...left.keys()]).toEqual([call.invite.callId]);
    expect(call.log).toEqual(['answered answer', 'dtmf 1', 'dtmf 2']);
    expect(call.agent.liveCalls).toBe(1);
  });
  test.each([
    ['NOTIFY', 481],
    ['REFER', 405],
    ['UPDATE', 200],
    ['OPTIONS', 200],
    ['BANANA', 501],
  ])('answers %s with %i and continues the call', (method, status) => {
    const call = answered();
    expect(call.send(inDialog(call.invite, method, 5))).toMatchObject({ status });
    expect(call.log).toEqual(['answered answer']);
  });
  test('a 481 to an in-dialog request ends the call', () => {
    const call = answered();
    call.leg.sendInfoDtmf('1');
    call.net.scheduler.advance(10);
    call.answer(call.last('INFO'), 481);
    expect(call.log.at(-1)).toBe('ended system dialog lost 481');
    expect(call.received('BYE').length).toBe(1);
  });
  test('a REFER or INFO that the network does not take leaves the call up', async () => {
    const call = answered();
    call.net.unreachable.add(`udp:${THEM}`);
    const outcome = call.leg.refer('+15550003', 20_000);
    call.leg.sendInfoDtmf('1');
    call.net.scheduler.advance(10);
    expect(await outcome).toEqual({
      transferred: false,
      accepted: false,
      sipCode: null,
      reason: 'REFER refused',
    });
    expect(call.log).toEqual(['answered answer']);
    call.net.unreachable.clear();
    call.net.scheduler.advance(40_000);
    expect([call.agent.liveCalls, call.received('BYE')]).toEqual([1, []]);
  });
  test('a REFER that the peer never answers ends the call', async () => {
    const call = answered();
    const outcome = call.leg.refer('+15550003', 60_000);
    call.net.scheduler.advance(33_000);
    expect(await outcome).toMatchObject({ transferred: false });
    expect(call.log.at(-1)).toBe('ended system dialog lost null');
  });
  test('ACK and BYE follow the flow when a proxy behind NAT records its private route', () => {
    const FLOW = '203.0.113.9';
    const net = new VirtualNetwork();
    const inside = net.peer('10.0.0.5');
    const proxy = net.peer(FLOW);
    const call = dial({ net, trunk: { known: () => [peerAt(FLOW)] } });
    const received = (): SipRequest[] => proxy.received.filter((m) => m.kind === 'request');
    const headers = [{ name: 'record-route', value: '<sip:10.0.0.5;lr>' }, CONTACT, SDP_TYPE];
    const body = Buffer.from('answer');
    proxy.send(responseTo(received()[0]!, 200, { toTag: 'them', headers, body }), US);
    net.scheduler.advance(10);
    call.leg.hangup('agent');
    net.scheduler.advance(10);
    expect(received().map(({ method }) => method)).toEqual(['INVITE', 'ACK', 'BYE']);
    expect(received().map((request) => header(request, 'route'))).toEqual([
      null,
      '<sip:10.0.0.5;lr>',
      '<sip:10.0.0.5;lr>',
    ]);
    expect(inside.received).toEqual([]);
  });
  test('answers an INVITE of the peer with 491 while our INVITE is pending', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 183, { sdp: 'early' });
    call.peer.send(inDialog(invite, 'INVITE', 5, { headers: [SDP_TYPE], body: 'x' }), US);
    call.net.scheduler.advance(10);
    expect(finalOf(call.peer, 'INVITE')).toEqual([491]);
  });
});

describe('a BYE', () => {
  it('answers every BYE: repeated, after the end, or of an unknown call', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 200, { sdp: 'answer' });
    const answers = (): number[] =>
      call.peer.received.flatMap((m) => (m.kind === 'response' && m.cseq.method === 'BYE' ? [m.status] : []));
    for (const [sequence, branch] of [
      [1, 'a'],
      [1, 'a'],
      [2, 'b'],
      [2, 'b'],
    ] as const) {
      call.peer.send(inDialog(invite, 'BYE', sequence, { branch }), US);
      call.net.scheduler.advance(700);
    }
    expect(answers()).toEqual([200, 200, 200, 200]);
    expect(call.log.filter((line) => line.startsWith('ended'))).toHaveLength(1);

    const net = new VirtualNetwork();
    const stranger = net.peer('192.0.2.50');
    net.agent(US, () => ({ kind: 'drop' }));
    stranger.send(inDialog(invite, 'BYE', 9), US);
    net.scheduler.advance(10);
    expect(stranger.received.map((m) => (m.kind === 'response' ? m.status : 0))).toEqual([481]);
  });
});
