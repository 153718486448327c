import { describe, expect, test } from 'vitest';
import { header, type Header, sdpOf, type SipRequest } from './message.ts';
import { dial, finalOf, inDialog, SDP_TYPE, taken, US } from '../test/virtual-call.ts';

const allow = (methods: string): Header => ({ name: 'allow', value: methods });
const WITH_UPDATE = allow('INVITE, ACK, BYE, CANCEL, UPDATE');
const agreed = (value: string): Header[] => [
  { name: 'require', value: 'timer' },
  { name: 'session-expires', value },
];

/** The requests without those that were sent again. */
const once = (requests: readonly SipRequest[]): SipRequest[] => [
  ...new Map(requests.map((request) => [request.cseq.sequence, request])).values(),
];

describe('session timer of a call that we place', () => {
  function answered(...headers: Header[]) {
    const call = dial();
    call.answer(call.last('INVITE'), 200, { sdp: 'answer', headers });
    return call;
  }
  const offered = (request: SipRequest): (string | null)[] => [
    header(request, 'session-expires'),
    header(request, 'min-se'),
  ];

  test('the INVITE offers that we refresh every 1,800 s', () => {
    const call = dial();
    expect(offered(call.last('INVITE'))).toEqual(['1800;refresher=uac', '90']);
    expect(header(call.last('INVITE'), 'supported')).toBe('100rel, timer, replaces');
  });
  test('we refresh with UPDATE at half of the agreed interval, as long as the peer answers', () => {
    const call = answered(WITH_UPDATE, ...agreed('600;refresher=uac'));
    for (const count of [1, 2, 3]) {
      call.net.scheduler.advance(299_000);
      expect(once(call.received('UPDATE'))).toHaveLength(count - 1);
      call.net.scheduler.advance(2_000);
      expect(once(call.received('UPDATE'))).toHaveLength(count);
      expect(offered(call.last('UPDATE'))).toEqual(['600;refresher=uac', '90']);
      expect(call.last('UPDATE').body).toHaveLength(0);
      call.answer(call.last('UPDATE'), 200, { headers: agreed('600;refresher=uac') });
    }
    expect(call.log).toEqual(['answered answer']);
  });
  test('without UPDATE a re-INVITE with our last SDP refreshes, and its 200 is acknowledged', () => {
    const call = answered(allow('INVITE, ACK, BYE, CANCEL'), ...agreed('600;refresher=uac'));
    call.net.scheduler.advance(301_000);
    const refresh = call.last('INVITE');
    expect([refresh.cseq.sequence, sdpOf(refresh)]).toEqual([2, 'offer']);
    call.answer(refresh, 200, { sdp: 'answer', headers: agreed('600;refresher=uac') });
    expect(call.last('ACK').cseq.sequence).toBe(2);
    call.answer(refresh, 200, { sdp: 'answer', headers: agreed('600;refresher=uac') });
    expect(call.received('ACK').map(({ cseq }) => cseq.sequence)).toEqual([1, 2, 2]);
    expect([call.received('UPDATE'), call.log]).toEqual([[], ['answered answer']]);
  });
  test('a re-INVITE that crosses our refresh gets 491, and a 491 to ours sends it again 2.1 to 4 s later', () => {
    const call = answered(allow('INVITE, ACK, BYE, CANCEL'), ...agreed('600;refresher=uac'));
    call.net.scheduler.advance(300_010);
    const refresh = call.last('INVITE');
    call.peer.send(inDialog(refresh, 'INVITE', 5, { headers: [SDP_TYPE], body: 'offer' }), US);
    call.net.scheduler.advance(10);
    expect(finalOf(call.peer, 'INVITE')).toEqual([491]);
    call.answer(refresh, 491);
    call.net.scheduler.advance(2_000);
    expect(call.received('INVITE').at(-1)?.cseq.sequence).toBe(2);
    call.net.scheduler.advance(2_100);
    expect(call.received('INVITE').at(-1)?.cseq.sequence).toBe(3);
    expect(call.log).toEqual(['answered answer']);
  });
  test('a 422 to the refresh is followed by one with its Min-SE', () => {
    const call = answered(WITH_UPDATE, ...agreed('600;refresher=uac'));
    call.net.scheduler.advance(301_000);
    call.answer(call.last('UPDATE'), 422, { headers: [{ name: 'min-se', value: '900' }] });
    expect(offered(call.last('UPDATE'))).toEqual(['900;refresher=uac', '900']);
  });
  test('a 422 to the INVITE is followed by one INVITE of the same call with its Min-SE', () => {
    const call = dial();
    const first = call.last('INVITE');
    call.answer(first, 422, { headers: [{ name: 'min-se', value: '3600' }] });
    const second = call.last('INVITE');
    expect([second.callId, second.cseq.sequence]).toEqual([first.callId, 2]);
    expect(offered(second)).toEqual(['3600;refresher=uac', '3600']);
    call.answer(second, 422, { headers: [{ name: 'min-se', value: '3600' }] });
    expect([call.received('INVITE').length, call.log]).toEqual([2, ['failed failed 422 false']]);
  });
  test('a refresh refused until the session expires ends the call', () => {
    const call = answered(WITH_UPDATE, ...agreed('90;refresher=uac'));
    call.net.scheduler.advance(45_010);
    call.answer(call.last('UPDATE'), 500);
    call.net.scheduler.advance(10_010);
    call.answer(call.last('INVITE'), 488);
    call.net.scheduler.advance(10_000);
    expect(call.log).toEqual(['answered answer', 'ended system dialog lost null']);
    expect(once(call.received('BYE'))).toHaveLength(1);
  });
  test('a peer that refreshes keeps the call, and the call ends without its refresh', () => {
    const call = answered(...agreed('300;refresher=uas'));
    call.net.scheduler.advance(200_000);
    call.peer.send(
      inDialog(call.last('INVITE'), 'UPDATE', 5, {
        headers: [{ name: 'supported', value: 'timer' }, ...agreed('300;refresher=uac').slice(1)],
      }),
      US,
    );
    call.net.scheduler.advance(200_000);
    expect([call.received('UPDATE'), call.log]).toEqual([[], ['answered answer']]);
    call.net.scheduler.advance(69_000);
    expect(call.log.at(-1)).toBe('ended system dialog lost null');
  });
  test('a 2xx without Session-Expires leaves the call without a timer', () => {
    const call = answered(WITH_UPDATE);
    call.net.scheduler.advance(10_000_000);
    expect([call.received('UPDATE'), call.log]).toEqual([[], ['answered answer']]);
  });
});

describe('session timer of an inbound call that we refresh', () => {
  const wanted = (value: string, ...more: Header[]): Header[] => [
    WITH_UPDATE,
    ...more,
    { name: 'session-expires', value },
  ];
  const TIMER: Header = { name: 'supported', value: 'timer' };
  function up(headers: Header[]) {
    const call = taken((leg) => leg.answer('answer'), { headers });
    call.within('ACK');
    const requests = (method: string): SipRequest[] =>
      once(call.peer.received.filter((m): m is SipRequest => m.kind === 'request' && m.method === method));
    const success = call.peer.received.find((m) => m.kind === 'response' && m.status === 200)!;
    return { ...call, requests, success };
  }

  test('a caller that names us as refresher gets our UPDATE at half of the interval', () => {
    const call = up(wanted('300;refresher=uas', TIMER));
    expect([header(call.success, 'require'), header(call.success, 'session-expires')]).toEqual([
      'timer',
      '300;refresher=uas',
    ]);
    call.net.scheduler.advance(149_000);
    expect(call.requests('UPDATE')).toEqual([]);
    call.net.scheduler.advance(2_000);
    expect(call.requests('UPDATE').map((m) => header(m, 'session-expires'))).toEqual(['300;refresher=uac']);
  });
  test('a proxy that asks for a timer, whose caller knows none, gets our refreshes', () => {
    const call = up(wanted('300'));
    expect([header(call.success, 'require'), header(call.success, 'session-expires')]).toEqual([
      null,
      '300;refresher=uas',
    ]);
    call.net.scheduler.advance(151_000);
    expect(call.requests('UPDATE')).toHaveLength(1);
  });
  test('a re-INVITE without a timer leaves the refreshes to us', () => {
    const call = up(wanted('300;refresher=uas', TIMER));
    call.net.scheduler.advance(100_000);
    call.reoffer.answer = 'answer';
    call.within('INVITE', { sequence: 8, branch: 'hold', body: 'hold' });
    call.within('ACK', { sequence: 8, branch: 'hold-ack' });
    expect(header(call.peer.received.at(-1)!, 'session-expires')).toBe('300;refresher=uas');
    call.net.scheduler.advance(151_000);
    expect(call.requests('UPDATE')).toHaveLength(1);
  });
});
