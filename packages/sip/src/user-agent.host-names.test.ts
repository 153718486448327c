import { describe, expect, test } from 'vitest';
import type { InboundLeg } from './call.ts';
import { EMPTY_BODY, header, type SipResponse } from './message.ts';
import { dial, finalOf, inDialog, SDP_TYPE, taken, THEM, US } from '../test/virtual-call.ts';
import { peerAt } from '../test/virtual-network.ts';
import type { Peer } from './transport.ts';

const NAMED = 'v=0\r\nc=IN IP4 media.example\r\nm=audio 4000 RTP/AVP 0\r\n';
const FOUND = NAMED.replace('media.example', '192.0.2.40');
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A name service that answers when the test says so. */
function names() {
  const asked: { uri: string; answer: (peers: readonly Peer[]) => void }[] = [];
  return {
    asked,
    resolve: (uri: string) =>
      new Promise<readonly Peer[]>((answer) => {
        asked.push({ uri, answer });
      }),
    /** Answers the oldest question. */
    async answer(...addresses: string[]) {
      asked.shift()?.answer(addresses.map((address) => peerAt(address)));
      await settle();
    },
  };
}
const warningOf = (received: readonly { kind: string }[], status: number): string | null => {
  const response = received.find((m): m is SipResponse => (m as SipResponse).status === status);
  return response === undefined ? null : header(response, 'warning');
};

describe('a host name in c= of an INVITE', () => {
  const answering = (leg: InboundLeg): void => leg.answer(`answer to ${leg.sdpOffer ?? ''}`);

  test('is looked up before the call is reported, as an address without SRV records', async () => {
    const service = names();
    const call = taken(answering, { body: NAMED, resolve: service.resolve });
    expect([call.responses(), call.legs.length]).toEqual([['100 INVITE'], 0]);
    expect(service.asked.map(({ uri }) => uri)).toEqual(['sip:media.example:5060']);
    await service.answer('2001:db8::1', '192.0.2.40');
    call.net.scheduler.advance(10);
    expect(call.legs.map(({ sdpOffer }) => sdpOffer)).toEqual([FOUND]);
    expect(call.responses()).toEqual(['100 INVITE', '200 INVITE']);
  });

  test('without an address within two seconds reaches the user as it is; its 488 says why', () => {
    const call = taken((leg) => leg.reject(488), { body: NAMED, resolve: names().resolve });
    call.net.scheduler.advance(1_900);
    expect(call.legs).toEqual([]);
    call.net.scheduler.advance(100);
    expect(call.legs.map(({ sdpOffer }) => sdpOffer)).toEqual([NAMED]);
    expect(finalOf(call.peer, 'INVITE')).toEqual([488]);
    expect(warningOf(call.peer.received, 488)).toBe('301 callwright "Host name in c= without an address"');
  });

  test('other 488s have no warning', () => {
    const call = taken((leg) => leg.reject(488));
    expect([finalOf(call.peer, 'INVITE'), warningOf(call.peer.received, 488)]).toEqual([[488], null]);
  });

  test('CANCEL during the look-up ends the call, which is never reported', async () => {
    const service = names();
    const call = taken(answering, { body: NAMED, resolve: service.resolve });
    call.peer.send(
      {
        ...call.invite,
        method: 'CANCEL',
        cseq: { sequence: 7, method: 'CANCEL' },
        headers: [],
        body: EMPTY_BODY,
      },
      US,
    );
    call.net.scheduler.advance(10);
    await service.answer('192.0.2.40');
    call.net.scheduler.advance(10);
    expect([finalOf(call.peer, 'INVITE'), call.legs, call.agent.liveCalls]).toEqual([[487], [], 0]);
  });

  test('more than four names are left to the user of the call', () => {
    const service = names();
    const body = NAMED + [1, 2, 3, 4].map((n) => `c=IN IP4 media${n}.example\r\n`).join('');
    const call = taken(answering, { body, resolve: service.resolve });
    expect([service.asked, call.legs.length]).toEqual([[], 1]);
  });

  test('in the ACK of a delayed offer is looked up before the answer is reported', async () => {
    const service = names();
    const call = taken((leg) => leg.answer('offer'), { body: '', resolve: service.resolve });
    call.within('ACK', { body: NAMED });
    expect(call.log).toEqual([]);
    await service.answer('192.0.2.40');
    expect(call.log).toEqual([`answered ${FOUND}`]);
    call.net.scheduler.advance(10_000);
    expect(finalOf(call.peer, 'INVITE')).toEqual([200]);
  });

  test('hanging up during the look-up of an ACK sends BYE after it', async () => {
    const service = names();
    const call = taken((leg) => leg.answer('offer'), { body: '', resolve: service.resolve });
    call.within('ACK', { body: NAMED });
    call.legs[0]?.hangup('agent');
    await service.answer('192.0.2.40');
    call.net.scheduler.advance(10);
    expect(call.log).toEqual(['ended agent agent null']);
    expect(call.peer.received.filter((m) => m.kind === 'request').map((m) => m.cseq.method)).toEqual(['BYE']);
  });
});

describe('a host name in c= of an answer', () => {
  function answered() {
    const service = names();
    const call = dial({ resolve: service.resolve });
    call.answer(call.last('INVITE'), 200, { sdp: NAMED });
    return { ...call, service };
  }

  test('is looked up before the ACK; a 200 that comes again meanwhile is acknowledged, too', async () => {
    const call = answered();
    call.answer(call.last('INVITE'), 200, { sdp: NAMED });
    expect([call.log, call.received('ACK'), call.service.asked.length]).toEqual([[], [], 1]);
    await call.service.answer('192.0.2.40');
    call.net.scheduler.advance(10);
    expect([call.log, call.received('ACK').length]).toEqual([[`answered ${FOUND}`], 2]);
  });

  test('without an address reaches the user as it is', () => {
    const call = answered();
    call.net.scheduler.advance(1_900);
    expect([call.log, call.received('ACK')]).toEqual([[], []]);
    call.net.scheduler.advance(100);
    expect([call.log, call.received('ACK').length]).toEqual([[`answered ${NAMED}`], 1]);
  });

  test('hanging up during the look-up acknowledges the 200 and sends BYE', async () => {
    const call = answered();
    call.leg.hangup('agent');
    await call.service.answer('192.0.2.40');
    call.net.scheduler.advance(10);
    expect([call.received('ACK').length, call.received('BYE').length]).toEqual([1, 1]);
    expect(call.log).toEqual(['failed cancelled null false']);
  });

  test('in a 183 is looked up before it is reported, and dropped when the 200 overtakes it', async () => {
    const service = names();
    const call = dial({ resolve: service.resolve });
    call.answer(call.last('INVITE'), 183, { sdp: NAMED });
    expect(call.log).toEqual([]);
    call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
    await service.answer('192.0.2.40');
    expect(call.log).toEqual(['answered answer']);
  });

  test('to an offer of ours is looked up before it counts, and holds back offers of the peer', async () => {
    const service = names();
    const call = dial({ resolve: service.resolve });
    call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
    const outcomes: unknown[] = [];
    call.leg.reoffer?.(
      () => 'hold',
      (outcome) => outcomes.push(outcome),
    );
    call.net.scheduler.advance(10);
    call.answer(call.last('INVITE'), 200, { sdp: NAMED });
    expect([call.received('ACK').length, outcomes]).toEqual([2, []]);
    call.peer.send(inDialog(call.last('INVITE'), 'INVITE', 5, { headers: [SDP_TYPE], body: 'offer' }), US);
    call.net.scheduler.advance(10);
    expect(finalOf(call.peer, 'INVITE')).toEqual([491]);
    await service.answer('192.0.2.40');
    expect(outcomes).toEqual([{ answer: FOUND }]);
  });
});

describe.each(['INVITE', 'UPDATE'])('a host name in c= of a later %s', (method) => {
  function offered() {
    const service = names();
    const call = dial({ resolve: service.resolve });
    const invite = call.last('INVITE');
    call.answer(invite, 200, { sdp: 'answer' });
    call.reoffer.answer = 'ours';
    const send = (name: string, sequence: number, body?: string): void => {
      const content = body === undefined ? {} : { headers: [SDP_TYPE], body };
      call.peer.send(inDialog(invite, name, sequence, content), US);
      call.net.scheduler.advance(10);
    };
    send(method, 5, NAMED);
    return { ...call, service, send };
  }

  test('is looked up before the user sees the offer; another offer meanwhile gets 491', async () => {
    const call = offered();
    expect([call.reoffer.offers, finalOf(call.peer, method)]).toEqual([[], []]);
    call.send(method, 6, 'second');
    expect(finalOf(call.peer, method)).toEqual([491]);
    await call.service.answer('192.0.2.40');
    call.net.scheduler.advance(10);
    expect([call.reoffer.offers, finalOf(call.peer, method)]).toEqual([[FOUND], [491, 200]]);
  });

  test('without an address is refused with 488 and a warning, and the call goes on', () => {
    const call = offered();
    call.reoffer.answer = null;
    call.net.scheduler.advance(2_010);
    expect([call.reoffer.offers, finalOf(call.peer, method)]).toEqual([[NAMED], [488]]);
    expect(warningOf(call.peer.received, 488)).toMatch(/^301 /);
    expect(call.agent.liveCalls).toBe(1);
  });

  test('BYE during the look-up ends the call; the offer gets 487 and changes nothing', async () => {
    const call = offered();
    call.send('BYE', 6);
    await call.service.answer('192.0.2.40');
    call.net.scheduler.advance(10);
    expect([finalOf(call.peer, method), call.reoffer.offers]).toEqual([[487], []]);
    expect(call.log.at(-1)).toBe('ended caller remote hangup null');
  });
});

test('an INVITE with Replaces takes the call over once the host name in its c= is looked up', async () => {
  const service = names();
  const call = dial({ resolve: service.resolve });
  const invite = call.last('INVITE');
  call.answer(invite, 200, { sdp: 'answer' });
  call.reoffer.answer = 'ours';
  const { params } = invite.from;
  const replaces = `${invite.callId};to-tag=${params.get('tag')};from-tag=them`;
  const next = inDialog(invite, 'INVITE', 1, {
    headers: [SDP_TYPE, { name: 'replaces', value: replaces }],
    body: NAMED,
  });
  call.peer.send(
    {
      ...next,
      uri: `sip:us@${US}`,
      callId: 'taking-over',
      from: { displayName: null, uri: `sip:new@${THEM}`, params: new Map([['tag', 'new']]) },
      to: { displayName: null, uri: `sip:us@${US}`, params: new Map() },
    },
    US,
  );
  call.net.scheduler.advance(10);
  expect([call.reoffer.offers, finalOf(call.peer, 'INVITE')]).toEqual([[], []]);
  await service.answer('192.0.2.40');
  call.net.scheduler.advance(10);
  expect([call.reoffer.offers, finalOf(call.peer, 'INVITE')]).toEqual([[FOUND], [200]]);
});
