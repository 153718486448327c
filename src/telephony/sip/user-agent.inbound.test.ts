import { describe, expect, test } from 'vitest';
import { EMPTY_BODY, tagOf, type Header, type SipRequest } from './message.ts';
import { VirtualNetwork } from './virtual-network.ts';
import { dial, finalOf, inDialog, THEM, US } from '../../../test/helpers/virtual-call.ts';
import { taken } from '../../../test/helpers/virtual-caller.ts';

describe('inbound call', () => {
  test('100, 180, 200 until the ACK, ended by the caller', () => {
    const call = taken((leg) => {
      leg.ringing();
      leg.answer('answer');
    });
    expect(call.legs[0]).toMatchObject({
      from: '+15550999',
      to: '+15550100',
      displayName: 'Bob',
      sdpOffer: 'offer',
      trunkId: 'trunk',
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
  test('a repeated INVITE is one call; the same one on another branch is 482', () => {
    const call = taken((leg) => leg.ringing());
    call.peer.say(call.invite, US);
    call.peer.say(
      { ...call.invite, via: [{ ...call.invite.via[0]!, params: new Map([['branch', 'z9hG4bKother']]) }] },
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.legs.length).toBe(1);
    expect(call.responses()).toEqual(['100 INVITE', '180 INVITE', '180 INVITE', '482 INVITE']);
  });
  test('no ACK for 32 s: BYE and the end', () => {
    const call = taken((leg) => leg.answer('answer'));
    call.net.scheduler.advance(32_100);
    expect(call.log).toEqual(['ended system no ACK null']);
    expect(call.peer.heard.some((m) => m.kind === 'request' && m.method === 'BYE')).toBe(true);
    expect(call.responses().filter((r) => r === '200 INVITE').length).toBe(11);
  });
  test('a request of our own that comes back to us is a loop: 482', () => {
    const call = dial();
    const ours = call.last('INVITE');
    const proxy = { transport: 'UDP', host: THEM, port: 5060, params: new Map([['branch', 'z9hG4bKproxy']]) };
    call.peer.say({ ...ours, via: [proxy, ...ours.via] }, US);
    call.net.scheduler.advance(10);
    expect(finalOf(call.peer, 'INVITE')).toEqual([482]);
  });
  test('a stranger learns nothing from a made-up dialog, but a BYE is answered', () => {
    const net = new VirtualNetwork();
    const peer = net.peer(THEM);
    net.agent(US, () => ({ kind: 'drop' }));
    const known = dial();
    const made = (method: string): SipRequest => inDialog(known.last('INVITE'), method, 3);
    for (const method of ['INVITE', 'OPTIONS', 'INFO', 'BYE']) peer.say(made(method), US);
    net.scheduler.advance(10);
    expect(peer.heard.map((m) => `${m.kind === 'response' ? m.status : ''} ${m.cseq.method}`)).toEqual([
      '481 BYE',
    ]);
  });
  test('CANCEL while ringing: 200 for it, 487 for the INVITE with the same To tag', () => {
    const call = taken((leg) => leg.ringing());
    call.peer.say(
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
    expect(new Set(call.peer.heard.slice(1).map((m) => tagOf(m.to))).size).toBe(1);
    expect(call.log).toEqual(['failed cancelled 487 false']);
  });
  test('CANCEL of nothing is 481, and after the answer it changes nothing', () => {
    const call = taken((leg) => leg.answer('answer'));
    const cancel: SipRequest = {
      ...call.invite,
      method: 'CANCEL',
      cseq: { sequence: 7, method: 'CANCEL' },
      headers: [],
      body: EMPTY_BODY,
    };
    call.peer.say(cancel, US);
    call.peer.say(
      { ...cancel, via: [{ ...cancel.via[0]!, params: new Map([['branch', 'z9hG4bKnone']]) }] },
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.responses()).toContain('200 CANCEL');
    expect(call.responses()).toContain('481 CANCEL');
    expect(call.log).toEqual([]);
  });
  test('late offer: ours in the 200, the answer from the ACK', () => {
    const call = taken((leg) => leg.answer('our offer'), { body: '' });
    expect(call.legs[0]?.sdpOffer).toBeNull();
    call.within('ACK', { body: 'their answer' });
    expect(call.log).toEqual(['answered their answer']);
  });
  test('hung up before the ACK: the BYE waits for it', () => {
    const call = taken((leg) => {
      leg.answer('answer');
      leg.hangup('system cap');
    });
    expect(call.log).toEqual(['ended system system cap null']);
    const byes = (): number =>
      call.peer.heard.filter((m) => m.kind === 'request' && m.method === 'BYE').length;
    expect(byes()).toBe(0);
    call.within('ACK');
    expect(byes()).toBe(1);
  });
  test('rejected: the code, once, repeated until its ACK', () => {
    const call = taken((leg) => {
      leg.reject(486, 'Busy');
      leg.reject(603);
      leg.answer('x');
    });
    call.net.scheduler.advance(600);
    expect(call.responses()).toEqual(['100 INVITE', '486 INVITE', '486 INVITE']);
    expect(call.log).toEqual(['failed busy 486 false']);
  });
  test('ended by the caller with BYE before the answer', () => {
    const call = taken((leg) => leg.ringing());
    call.within('BYE', { sequence: 8 });
    expect(call.responses()).toContain('200 BYE');
    expect(call.responses()).toContain('487 INVITE');
    expect(call.log).toEqual(['failed cancelled 487 false']);
  });
  test('the number stands in To when the Request-URI is our own Contact', () => {
    const call = taken(() => {}, { to: `sip:account@${US}` });
    expect(call.legs[0]?.to).toBe('+15550100');
  });
  test('SDP inside a multipart body is the offer; a body of another kind is 415', () => {
    const type = (value: string): Header => ({ name: 'content-type', value });
    const body =
      '--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--b--';
    const mixed = taken(() => {}, { type: type('multipart/mixed;boundary="b"'), body });
    expect(mixed.legs[0]?.sdpOffer).toBe('v=0\r\n');
    const other = taken(() => {}, { type: type('text/plain'), body: 'hello' });
    expect(other.legs).toEqual([]);
    expect(other.responses()).toEqual(['415 INVITE']);
  });
  test('a handler that throws does not take the stack down: 500', () => {
    const call = taken(() => {
      throw new Error('broken');
    });
    expect(call.responses()).toEqual(['100 INVITE', '500 INVITE']);
    expect(call.agent.liveCalls).toBe(0);
  });
  test('draining: 503 for new calls and OPTIONS, live dialogs go on', () => {
    const call = taken((leg) => leg.answer('answer'));
    call.within('ACK');
    call.agent.drain();
    for (const method of ['INVITE', 'OPTIONS']) {
      call.peer.say(
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
  test('BYE for a dialog nobody knows: 481', () => {
    const call = taken((leg) => leg.ringing());
    call.peer.say(
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
});
