import { describe, expect, test } from 'vitest';
import type { InboundLeg } from './call.ts';
import { EMPTY_BODY, header, tagOf, type Header, type SipRequest } from './message.ts';
import { VirtualNetwork } from '../test/virtual-network.ts';
import { dial, finalOf, inDialog, recorder, taken, THEM, trunkTo, US } from '../test/virtual-call.ts';

describe('inbound call', () => {
  test("sends 100, 180 and 200 until the ACK, and ends on the caller's BYE", () => {
    const call = taken((leg) => {
      leg.ringing();
      leg.answer('answer');
    });
    expect(call.legs[0]).toMatchObject({
      from: '+15550999',
      to: '+15550100',
      displayName: 'Bob',
      sdpOffer: 'offer',
      trunkIds: ['trunk'],
    });
    call.net.scheduler.advance(1600);
    expect(call.responses()).toEqual(['100 INVITE', '180 INVITE', '200 INVITE', '200 INVITE', '200 INVITE']);
    call.within('ACK');
    call.net.scheduler.advance(20_000);
    expect(call.responses().length).toBe(5);
    call.within('BYE', { sequence: 8 });
    expect(call.log).toEqual(['ended caller remote hangup null']);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });
  test('a retransmitted INVITE is one call; a merged one with another branch gets 482', () => {
    const call = taken((leg) => leg.ringing());
    call.peer.send(call.invite, US);
    call.peer.send(
      { ...call.invite, via: [{ ...call.invite.via[0]!, params: new Map([['branch', 'z9hG4bKother']]) }] },
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.legs.length).toBe(1);
    expect(call.responses()).toEqual(['100 INVITE', '180 INVITE', '180 INVITE', '482 INVITE']);
  });
  test('sends BYE and ends without an ACK for 32 s', () => {
    const call = taken((leg) => leg.answer('answer'));
    call.net.scheduler.advance(32_100);
    expect(call.log).toEqual(['ended system no ACK null']);
    expect(call.peer.received.some((m) => m.kind === 'request' && m.method === 'BYE')).toBe(true);
    expect(call.responses().filter((r) => r === '200 INVITE').length).toBe(11);
  });
  test('takes our own INVITE that a proxy routes back as a call, not as a loop', () => {
    const call = dial();
    const ours = call.last('INVITE');
    const proxy = { transport: 'UDP', host: THEM, port: 5060, params: new Map([['branch', 'z9hG4bKproxy']]) };
    call.peer.send({ ...ours, via: [proxy, ...ours.via] }, US);
    call.net.scheduler.advance(10);
    // The handler of `dial` rejects every inbound call.
    expect(finalOf(call.peer, 'INVITE')).toEqual([480]);
  });
  test('drops requests of an unknown source for an unknown dialog, except BYE', () => {
    const net = new VirtualNetwork();
    const peer = net.peer(THEM);
    net.agent(US, () => ({ kind: 'drop' }));
    const known = dial();
    const made = (method: string): SipRequest => inDialog(known.last('INVITE'), method, 3);
    for (const method of ['INVITE', 'OPTIONS', 'INFO', 'BYE']) peer.send(made(method), US);
    net.scheduler.advance(10);
    expect(peer.received.map((m) => `${m.kind === 'response' ? m.status : ''} ${m.cseq.method}`)).toEqual([
      '481 BYE',
    ]);
  });
  test('CANCEL while ringing gets 200 and the INVITE 487, with the same To tag', () => {
    const call = taken((leg) => leg.ringing());
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
    expect(call.responses().toSorted()).toEqual(['100 INVITE', '180 INVITE', '200 CANCEL', '487 INVITE']);
    expect(new Set(call.peer.received.slice(1).map((m) => tagOf(m.to))).size).toBe(1);
    expect(call.log).toEqual(['failed cancelled 487 false']);
  });
  test('CANCEL without an INVITE gets 481; after the answer it has no effect', () => {
    const call = taken((leg) => leg.answer('answer'));
    const cancel: SipRequest = {
      ...call.invite,
      method: 'CANCEL',
      cseq: { sequence: 7, method: 'CANCEL' },
      headers: [],
      body: EMPTY_BODY,
    };
    call.peer.send(cancel, US);
    call.peer.send(
      { ...cancel, via: [{ ...cancel.via[0]!, params: new Map([['branch', 'z9hG4bKnone']]) }] },
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.responses()).toContain('200 CANCEL');
    expect(call.responses()).toContain('481 CANCEL');
    expect(call.log).toEqual([]);
  });
  test('delayed offer: sends our offer in the 200 and takes the answer from the ACK', () => {
    const call = taken((leg) => leg.answer('our offer'), { body: '' });
    expect(call.legs[0]?.sdpOffer).toBeNull();
    call.within('ACK', { body: 'their answer' });
    expect(call.log).toEqual(['answered their answer']);
  });
  test('reports the ACK of an answered offer, which media must wait for', () => {
    const acknowledged: number[] = [];
    const call = taken((leg) => {
      leg.listen({ ...recorder().events, onAcknowledged: ({ at }) => acknowledged.push(at) });
      leg.answer('answer');
    });
    call.net.scheduler.advance(5_000);
    expect(acknowledged).toEqual([]);
    call.within('ACK');
    expect(acknowledged.length).toBe(1);
  });
  test('a hang-up before the ACK delays the BYE until the ACK', () => {
    const call = taken((leg) => {
      leg.answer('answer');
      leg.hangup('system cap');
    });
    expect(call.log).toEqual(['ended system system cap null']);
    const byes = (): number =>
      call.peer.received.filter((m) => m.kind === 'request' && m.method === 'BYE').length;
    expect(byes()).toBe(0);
    call.within('ACK');
    expect(byes()).toBe(1);
  });
  test('rejects once and retransmits the response until its ACK', () => {
    const call = taken((leg) => {
      leg.reject(486, 'Busy');
      leg.reject(603);
      leg.answer('x');
    });
    call.net.scheduler.advance(600);
    expect(call.responses()).toEqual(['100 INVITE', '486 INVITE', '486 INVITE']);
    expect(call.log).toEqual(['failed busy 486 false']);
  });
  test('a BYE before the answer gets 200 and the INVITE 487', () => {
    const call = taken((leg) => leg.ringing());
    call.within('BYE', { sequence: 8 });
    expect(call.responses()).toContain('200 BYE');
    expect(call.responses()).toContain('487 INVITE');
    expect(call.log).toEqual(['failed cancelled 487 false']);
  });
  test('takes the number from To when the Request-URI is our Contact', () => {
    const call = taken(() => {}, { to: `sip:account@${US}` });
    expect(call.legs[0]?.to).toBe('+15550100');
  });
  test('takes the offer from a multipart body and refuses other bodies with 415', () => {
    const type = (value: string): Header => ({ name: 'content-type', value });
    const body =
      '--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--b--';
    const mixed = taken(() => {}, { type: type('multipart/mixed;boundary="b"'), body });
    expect(mixed.legs[0]?.sdpOffer).toBe('v=0\r\n');
    const other = taken(() => {}, { type: type('text/plain'), body: 'hello' });
    expect(other.legs).toEqual([]);
    expect(other.responses()).toEqual(['415 INVITE']);
  });
  test('refuses a caller whom no request could reach: neither Contact nor From is a URI', () => {
    const bad = 'sip:them@192.0.2.\u202e9';
    const refused = taken((leg) => leg.answer('answer'), { contact: `<${bad}>`, from: bad });
    expect([refused.legs, refused.responses()]).toEqual([[], ['400 INVITE']]);
    for (const [patch, uri] of [
      [{ contact: `<${bad}>` }, `sip:+15550999@${THEM}`],
      [{ from: bad }, `sip:them@${THEM}:5060`],
    ] as const) {
      const call = taken((leg) => leg.answer('answer'), patch);
      call.within('ACK');
      call.legs[0]?.hangup('done');
      call.net.scheduler.advance(10);
      expect(call.peer.received.at(-1)).toMatchObject({ method: 'BYE', uri });
    }
  });
  test('answers 500 when the handler throws', () => {
    const call = taken(() => {
      throw new Error('broken');
    });
    expect(call.responses()).toEqual(['100 INVITE', '500 INVITE']);
    expect(call.agent.liveCalls).toBe(0);
  });
  test('while draining, answers new INVITEs and OPTIONS with 503 and continues live dialogs', () => {
    const call = taken((leg) => leg.answer('answer'));
    call.within('ACK');
    call.agent.drain();
    for (const method of ['INVITE', 'OPTIONS']) {
      call.peer.send(
        {
          ...call.invite,
          method,
          callId: `new ${method}`.replace(' ', '-'),
          cseq: { sequence: 1, method },
          via: [{ ...call.invite.via[0]!, params: new Map([['branch', `z9hG4bKnew${method}`]]) }],
        },
        US,
      );
    }
    call.net.scheduler.advance(10);
    expect(call.responses().slice(-2)).toEqual(['503 INVITE', '503 OPTIONS']);
    call.within('BYE', { sequence: 8 });
    expect(call.responses().at(-1)).toBe('200 BYE');
  });
  test('answers BYE for an unknown dialog with 481', () => {
    const call = taken((leg) => leg.ringing());
    call.peer.send(
      {
        ...call.invite,
        method: 'BYE',
        callId: 'unknown',
        cseq: { sequence: 2, method: 'BYE' },
        to: { ...call.invite.to, params: new Map([['tag', 'x']]) },
      },
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.responses().at(-1)).toBe('481 BYE');
  });

  test('a flood of BYEs without To tag opens no transaction and draws a limited number of responses', () => {
    const net = new VirtualNetwork();
    const attacker = net.peer('192.0.2.66');
    const carrier = net.peer(THEM);
    let budget = 20;
    const agent = net.agent(
      US,
      (_, { address }) => (address === THEM ? { kind: 'trunk', trunk: trunkTo(THEM) } : { kind: 'drop' }),
      { guard: { mayRefuse: () => budget-- > 0 } },
    );
    const legs: InboundLeg[] = [];
    agent.setHandler((leg) => legs.push(leg));
    const { invite } = taken(() => {});
    for (let n = 0; n < 25_000; n++) {
      const params = new Map([['branch', `z9hG4bKflood${n}`]]);
      attacker.send(
        {
          ...invite,
          method: 'BYE',
          callId: `flood-${n}`,
          cseq: { sequence: 1, method: 'BYE' },
          via: [{ ...invite.via[0]!, host: '192.0.2.66', params }],
        },
        US,
      );
    }
    net.scheduler.advance(10);
    expect(agent.endpoint.live).toBe(0);
    expect(attacker.received.map((m) => (m.kind === 'response' ? m.status : 0))).toEqual(
      Array.from({ length: 20 }, () => 481),
    );
    carrier.send(invite, US);
    net.scheduler.advance(10);
    expect(legs.length).toBe(1);
  });
  test('keeps capacity for in-dialog requests when new requests fill the transactions', () => {
    const call = taken((leg) => leg.answer('answer'), { maxTransactions: 1_000 });
    call.within('ACK');
    for (let n = 0; n < 950; n++) {
      const params = new Map([['branch', `z9hG4bKload${n}`]]);
      call.peer.send(
        {
          ...call.invite,
          method: 'OPTIONS',
          callId: `load-${n}`,
          cseq: { sequence: 1, method: 'OPTIONS' },
          via: [{ ...call.invite.via[0]!, params }],
        },
        US,
      );
    }
    call.net.scheduler.advance(10);
    // 899 beside the INVITE, and 51 above nine tenths of the cap.
    const count = (line: string): number => call.responses().filter((each) => each === line).length;
    expect([count('200 OPTIONS'), count('503 OPTIONS')]).toEqual([899, 51]);
    call.within('BYE', { sequence: 8 });
    expect(call.responses().at(-1)).toBe('200 BYE');
    expect(call.log).toEqual(['ended caller remote hangup null']);
  });

  test('echoes Timestamp in the 100', () => {
    const net = new VirtualNetwork();
    const peer = net.peer(THEM);
    net.agent(US, () => ({ kind: 'trunk', trunk: trunkTo(THEM) })).setHandler(() => {});
    const { invite } = taken(() => {});
    peer.send({ ...invite, headers: [...invite.headers, { name: 'timestamp', value: '54.21' }] }, US);
    net.scheduler.advance(10);
    expect(peer.received.map((m) => header(m, 'timestamp'))).toEqual(['54.21']);
  });

  describe('session timer', () => {
    const expires = (value: string, option = 'supported'): Header[] => [
      { name: option, value: 'timer' },
      { name: 'session-expires', value },
    ];
    test('is accepted with the caller as refresher; the call ends without a refresh', () => {
      const call = taken((leg) => leg.answer('answer'), { headers: expires('300', 'require') });
      const success = call.peer.received.find((m) => m.kind === 'response' && m.status === 200)!;
      expect([header(success, 'require'), header(success, 'session-expires')]).toEqual([
        'timer',
        '300;refresher=uac',
      ]);
      call.within('ACK');
      call.net.scheduler.advance(200_000);
      call.reoffer.answer = 'answer';
      call.within('INVITE', { sequence: 8, body: 'offer', headers: expires('300') });
      expect(call.reoffer.offers).toEqual(['offer']);
      call.within('ACK', { sequence: 8, branch: 'refresh' });
      call.net.scheduler.advance(200_000);
      expect(call.log).toEqual([]);
      call.net.scheduler.advance(68_000);
      expect(call.log).toEqual(['ended system dialog lost null']);
    });
    test('is refused below 90 s with 422', () => {
      const short = taken(() => {}, { headers: expires('30;refresher=uac') });
      expect(short.responses()).toEqual(['422 INVITE']);
      expect(header(short.peer.received[0]!, 'min-se')).toBe('90');
    });
  });

  describe('required 100rel', () => {
    const required = [{ name: 'require', value: '100rel' }];
    test('retransmits the 180 with RSeq until its PRACK', () => {
      const call = taken((leg) => leg.ringing(), { headers: required });
      call.net.scheduler.advance(600);
      const ringing = call.peer.received.filter((m) => m.kind === 'response' && m.status === 180);
      expect(ringing.length).toBe(2);
      expect(header(ringing[0]!, 'require')).toBe('100rel');
      const rseq = header(ringing[0]!, 'rseq')!;
      call.within('PRACK', {
        sequence: 8,
        headers: [{ name: 'rack', value: '1 7 INVITE' }],
        branch: 'wrong',
      });
      expect(call.responses().at(-1)).toBe('481 PRACK');
      call.within('PRACK', { sequence: 9, headers: [{ name: 'rack', value: `${rseq} 7 INVITE` }] });
      expect(call.responses().at(-1)).toBe('200 PRACK');
      call.net.scheduler.advance(20_000);
      expect(call.responses().filter((line) => line === '180 INVITE').length).toBe(2);
      call.legs[0]?.answer('answer');
      call.net.scheduler.advance(10);
      call.within('ACK');
      expect(call.log).toEqual([]);
    });
    test('fails the call after 64*T1 without PRACK', () => {
      const call = taken((leg) => leg.ringing(), { headers: required });
      call.net.scheduler.advance(32_100);
      expect(call.responses()).toContain('500 INVITE');
      expect(call.log).toEqual(['failed failed 500 false']);
    });
    test('the answer ends the retransmission', () => {
      const call = taken((leg) => leg.ringing(), { headers: required });
      call.legs[0]?.answer('answer');
      call.net.scheduler.advance(10);
      call.within('ACK');
      call.net.scheduler.advance(20_000);
      expect(call.responses().filter((line) => line === '180 INVITE').length).toBe(1);
    });
  });
});
