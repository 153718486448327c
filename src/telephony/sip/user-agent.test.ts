import { describe, expect, test } from 'vitest';
import type { InboundLeg, OutboundRequest, SignallingEvents } from '../leg.ts';
import { createAuthenticator } from './authenticator.ts';
import type { CallTrunk } from './call-trunk.ts';
import { createDigestServer } from './digest-server.ts';
import { EMPTY_BODY, header, tagOf, type Header, type SipMessage, type SipRequest } from './message.ts';
import { responseTo } from './response.ts';
import type { UserAgent } from './user-agent.ts';
import { VirtualNetwork, peerAt, seededRandom, type VirtualPeer } from './virtual-network.ts';

const US = '192.0.2.1';
const THEM = '192.0.2.9';
const SDP_TYPE: Header = { name: 'content-type', value: 'application/sdp' };
const CONTACT: Header = { name: 'contact', value: `<sip:them@${THEM}:5060>` };

function trunkTo(address: string, patch: Partial<CallTrunk> = {}): CallTrunk {
  return {
    id: 'trunk',
    domain: address,
    transport: 'udp',
    authenticator: null,
    contactUser: '',
    known: () => [peerAt(address)],
    lookUp: async () => [peerAt(address)],
    ...patch,
  };
}

/** Events of a call as short lines. */
function recorder(): {
  log: string[];
  events: SignallingEvents;
  reoffer: { answer: string | null; offers: string[] };
} {
  const log: string[] = [];
  const reoffer: { answer: string | null; offers: string[] } = { answer: null, offers: [] };
  return {
    log,
    reoffer,
    events: {
      onRinging: ({ sipCode, earlySdp }) =>
        log.push(`ringing ${sipCode}${earlySdp === null ? '' : ` ${earlySdp}`}`),
      onAnswered: ({ sdp }) => log.push(`answered ${sdp}`),
      onFailed: ({ failure, sipCode, neverSent }) => log.push(`failed ${failure} ${sipCode} ${neverSent}`),
      onEnded: ({ by, cause, sipCode }) => log.push(`ended ${by} ${cause} ${sipCode}`),
      onReoffer: (sdp) => {
        reoffer.offers.push(sdp);
        return reoffer.answer;
      },
      onDtmf: (digit) => log.push(`dtmf ${digit}`),
    },
  };
}

const outbound = (patch: Partial<OutboundRequest> = {}): OutboundRequest => ({
  trunkId: 'trunk',
  from: '+15550001',
  to: '+15550002',
  displayName: null,
  sdpOffer: 'offer',
  ringTimeoutMs: 30_000,
  attemptId: 'attempt',
  ...patch,
});

/** Our agent calling a peer that the test plays. */
function dial(
  patch: { request?: Partial<OutboundRequest>; trunk?: Partial<CallTrunk>; net?: VirtualNetwork } = {},
) {
  const net = patch.net ?? new VirtualNetwork();
  const peer = net.peer(THEM);
  const trunk = trunkTo(THEM, patch.trunk);
  const agent = net.agent(US, () => ({ kind: 'trunk', trunk }));
  const { log, events, reoffer } = recorder();
  const leg = agent.call(trunk, outbound(patch.request), events);
  net.scheduler.advance(10);
  const heard = (method: string): SipRequest[] =>
    peer.heard.filter((m) => m.kind === 'request' && m.method === method) as SipRequest[];
  const last = (method: string): SipRequest => {
    const found = heard(method).at(-1);
    if (found === undefined) throw new Error(`no ${method}`);
    return found;
  };
  const answer = (
    request: SipRequest,
    status: number,
    more: { tag?: string; headers?: Header[]; sdp?: string } = {},
  ): void => {
    const headers = [CONTACT, ...(more.sdp === undefined ? [] : [SDP_TYPE]), ...(more.headers ?? [])];
    const body = more.sdp === undefined ? EMPTY_BODY : Buffer.from(more.sdp);
    peer.say(responseTo(request, status, { toTag: more.tag ?? 'them', headers, body }), US);
    net.scheduler.advance(10);
  };
  return { net, peer, agent, leg, log, reoffer, heard, last, answer };
}

/** A request of the far side inside the dialog that our INVITE made. */
function inDialog(
  invite: SipRequest,
  method: string,
  sequence: number,
  content: { headers?: Header[]; body?: string; branch?: string } = {},
): SipRequest {
  return {
    kind: 'request',
    method,
    uri: `sip:us@${US}`,
    via: [
      {
        transport: 'UDP',
        host: THEM,
        port: 5060,
        params: new Map([['branch', `z9hG4bK${content.branch ?? `${method}${sequence}`}`]]),
      },
    ],
    from: { ...invite.to, params: new Map([['tag', 'them']]) },
    to: invite.from,
    callId: invite.callId,
    cseq: { sequence, method },
    headers: [CONTACT, ...(content.headers ?? [])],
    body: Buffer.from(content.body ?? ''),
  };
}

const finalOf = (peer: VirtualPeer, method: string): number[] =>
  peer.heard.flatMap((m) =>
    m.kind === 'response' && m.cseq.method === method && m.status >= 200 ? [m.status] : [],
  );

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

describe('credentials', () => {
  const account = createAuthenticator({ username: 'u', password: 'secret' });
  const server = createDigestServer({ realm: 'r', now: () => 0 });
  const challenged = (status: number, stale = false): Header => ({
    name: status === 407 ? 'proxy-authenticate' : 'www-authenticate',
    value: server.challenge(stale),
  });

  test.each([401, 407])('%i is answered once, in a new transaction with the next CSeq', (status) => {
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

  test('a second 401 is a wrong password, unless it says stale', () => {
    const wrong = dial({ trunk: { authenticator: account } });
    wrong.answer(wrong.last('INVITE'), 401, { headers: [challenged(401)] });
    wrong.answer(wrong.last('INVITE'), 401, { headers: [challenged(401)] });
    expect(wrong.heard('INVITE').length).toBe(2);
    expect(wrong.log).toEqual(['failed failed 401 false']);
    const stale = dial({ trunk: { authenticator: account } });
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401)] });
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401, true)] });
    expect(stale.heard('INVITE').length).toBe(3);
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401, true)] });
    expect(stale.log).toEqual(['failed failed 401 false']);
  });

  test('a call that is no longer wanted does not answer the challenge', () => {
    const call = dial({ trunk: { authenticator: account } });
    call.leg.hangup('stopped');
    call.answer(call.last('INVITE'), 401, { headers: [challenged(401)] });
    expect(call.heard('INVITE').length).toBe(1);
    expect(call.log).toEqual(['failed cancelled 401 false']);
  });

  test('BYE and INFO answer challenges as well', () => {
    const call = dial({ trunk: { authenticator: account } });
    call.answer(call.last('INVITE'), 200, { sdp: 'a' });
    call.leg.sendInfoDtmf('5');
    call.net.scheduler.advance(10);
    call.answer(call.last('INFO'), 407, { headers: [challenged(407)] });
    expect(header(call.last('INFO'), 'proxy-authorization')).toContain('Digest');
    expect(call.last('INFO').body.toString()).toBe('Signal=5\r\nDuration=160\r\n');
    call.answer(call.last('INFO'), 200);
    const seen = call.heard('INFO').map((info) => info.cseq.sequence);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.last('BYE').cseq.sequence).toBeGreaterThan(Math.max(...seen));
  });
});

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

/** A peer that calls us; the test's handler decides. */
function taken(
  handler: (leg: InboundLeg) => void,
  patch: { body?: string; type?: Header; to?: string } = {},
) {
  const net = new VirtualNetwork();
  const peer = net.peer(THEM);
  const agent: UserAgent = net.agent(US, () => ({
    kind: 'trunk',
    trunk: trunkTo(THEM, { contactUser: 'account' }),
  }));
  const { log, events, reoffer } = recorder();
  const legs: InboundLeg[] = [];
  agent.setHandler((leg) => {
    legs.push(leg);
    leg.listen(events);
    handler(leg);
  });
  const invite: SipRequest = {
    kind: 'request',
    method: 'INVITE',
    uri: patch.to ?? `sip:+15550100@${US}`,
    via: [{ transport: 'UDP', host: THEM, port: 5060, params: new Map([['branch', 'z9hG4bKcall']]) }],
    from: { displayName: 'Bob\u0007', uri: `sip:+15550999@${THEM}`, params: new Map([['tag', 'bob']]) },
    to: { displayName: null, uri: `sip:+15550100@${US}`, params: new Map() },
    callId: 'inbound',
    cseq: { sequence: 7, method: 'INVITE' },
    headers: [CONTACT, ...(patch.body === '' ? [] : [patch.type ?? SDP_TYPE])],
    body: Buffer.from(patch.body ?? 'offer'),
  };
  peer.say(invite, US);
  net.scheduler.advance(10);
  const responses = (): string[] =>
    peer.heard.flatMap((m) => (m.kind === 'response' ? [`${m.status} ${m.cseq.method}`] : []));
  const within = (method: string, more: { sequence?: number; body?: string; branch?: string } = {}): void => {
    const tag = peer.heard.map((m) => tagOf(m.to)).find((t) => t !== null) ?? '';
    peer.say(
      {
        ...invite,
        method,
        via: [
          {
            transport: 'UDP',
            host: THEM,
            port: 5060,
            params: new Map([['branch', `z9hG4bK${more.branch ?? method}`]]),
          },
        ],
        to: { ...invite.to, params: new Map([['tag', tag]]) },
        cseq: { sequence: more.sequence ?? 7, method },
        headers: more.body === undefined ? [CONTACT] : [CONTACT, SDP_TYPE],
        body: Buffer.from(more.body ?? ''),
      },
      US,
    );
    net.scheduler.advance(10);
  };
  return { net, peer, agent, invite, legs, log, reoffer, responses, within };
}

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

describe('two of our own over a bad line', () => {
  test('1 000 calls with loss, duplicates and reordering: every leg ends exactly once on both sides, nothing leaks', () => {
    const random = seededRandom(20);
    const net = new VirtualNetwork(random);
    Object.assign(net.weather, { loss: 0.2, duplication: 0.1, delayMs: 5, jitterMs: 60 });
    const caller = net.agent(US, () => ({ kind: 'drop' }));
    const callee = net.agent(THEM, () => ({ kind: 'trunk', trunk: trunkTo(US) }));
    const ends = { caller: 0, callee: 0, answered: 0, legs: 0 };
    const count = (side: 'caller' | 'callee', hangup: () => void): SignallingEvents => ({
      onRinging: () => {},
      onAnswered: () => {
        ends.answered++;
        net.scheduler.after(random() * 3000, hangup);
      },
      onFailed: () => ends[side]++,
      onEnded: () => ends[side]++,
      onReoffer: () => null,
      onDtmf: () => {},
    });
    callee.setHandler((leg) => {
      ends.legs++;
      leg.listen(count('callee', () => {}));
      leg.ringing();
      const fate = random();
      net.scheduler.after(random() * 4000, () => (fate < 0.2 ? leg.reject(486) : leg.answer('answer')));
      if (fate > 0.8) net.scheduler.after(random() * 6000, () => leg.hangup('agent'));
    });
    const trunk = trunkTo(THEM);
    for (let i = 0; i < 1000; i++) {
      const leg = caller.call(
        trunk,
        outbound({ attemptId: `a${i}`, ringTimeoutMs: 500 + random() * 6000 }),
        count('caller', () => leg.hangup('agent')),
      );
      if (random() < 0.2) net.scheduler.after(random() * 5000, () => leg.hangup('stop'));
      net.scheduler.advance(20);
    }
    net.scheduler.advance(300_000);
    expect(ends.caller).toBe(1000);
    expect(ends.callee).toBe(ends.legs);
    expect(ends.legs).toBeLessThanOrEqual(1000);
    expect(ends.answered).toBeGreaterThan(300);
    for (const agent of [caller, callee]) {
      expect(agent.liveCalls).toBe(0);
      expect(agent.busy).toBe(false);
      expect(agent.endpoint.live).toBe(0);
    }
    expect(net.scheduler.pending).toBe(0);
  });
});
