import { describe, expect, test } from 'vitest';
import { header, type SipMessage, type SipRequest, tagOf } from './message.ts';
import { responseTo } from './response.ts';
import {
  CONTACT,
  dial,
  inDialog,
  outbound,
  recorder,
  SDP_TYPE,
  taken,
  THEM,
  trunkTo,
  US,
} from '../test/virtual-call.ts';
import { VirtualNetwork, type VirtualPeer } from '../test/virtual-network.ts';

/** The address of the party that takes a call over. */
const DESK = '192.0.2.77';

/** An INVITE of the desk with these Replaces values. */
function takeOver(desk: VirtualPeer, net: VirtualNetwork, ...replaces: string[]) {
  const invite: SipRequest = {
    kind: 'request',
    method: 'INVITE',
    uri: `sip:account@${US}`,
    via: [{ transport: 'UDP', host: DESK, port: 5060, params: new Map([['branch', 'z9hG4bKtake']]) }],
    from: { displayName: null, uri: `sip:desk@${DESK}`, params: new Map([['tag', 'desk']]) },
    to: { displayName: null, uri: `sip:account@${US}`, params: new Map() },
    callId: 'taken-over',
    cseq: { sequence: 1, method: 'INVITE' },
    headers: [
      { ...CONTACT, value: `<sip:desk@${DESK}:5060>` },
      { name: 'require', value: 'replaces' },
      ...replaces.map((value) => ({ name: 'replaces', value })),
      SDP_TYPE,
    ],
    body: Buffer.from('desk offer'),
  };
  desk.send(invite, US);
  net.scheduler.advance(10);
  const answer = desk.received.findLast((m) => m.kind === 'response' && m.status >= 200);
  const send = (method: string, sequence: number): SipMessage | undefined => {
    const to = { ...invite.to, params: new Map([['tag', tagOf(answer!.to)]]) };
    const via = [{ ...invite.via[0]!, params: new Map([['branch', `z9hG4bK${method}`]]) }];
    const headers = invite.headers.slice(0, 1);
    desk.send({ ...invite, method, to, via, headers, cseq: { sequence, method }, body: Buffer.alloc(0) }, US);
    net.scheduler.advance(10);
    return desk.received.at(-1);
  };
  return { answer, status: answer?.kind === 'response' ? answer.status : null, send };
}

/** An answered call of ours, and the desk. */
function up() {
  const net = new VirtualNetwork();
  const desk = net.peer(DESK);
  const call = dial({ net });
  const invite = call.last('INVITE');
  call.answer(invite, 200, { sdp: 'answer' });
  const replaces = `${invite.callId};to-tag=${tagOf(invite.from)};from-tag=them`;
  return { ...call, desk, invite, replaces };
}

describe('an INVITE with Replaces', () => {
  test('takes an answered call over: the new party is heard, the old one gets BYE, the call goes on', () => {
    const call = up();
    call.reoffer.answer = 'our answer';
    const taken = takeOver(call.desk, call.net, call.replaces);
    expect([taken.status, taken.answer?.body.toString()]).toEqual([200, 'our answer']);
    expect(call.reoffer.offers).toEqual(['desk offer']);
    expect(header(call.last('BYE'), 'reason')).toBe('SIP;cause=200;text="Replaced"');
    taken.send('ACK', 1);
    expect([call.log, call.agent.liveCalls]).toEqual([['answered answer'], 1]);
    // Requests of the old party find an ended dialog; those of the new one control the call.
    call.peer.send(inDialog(call.invite, 'BYE', 9), US);
    call.net.scheduler.advance(10);
    expect(call.log).toEqual(['answered answer']);
    expect(taken.send('BYE', 2)).toMatchObject({ kind: 'response', status: 200 });
    expect(call.log).toEqual(['answered answer', 'ended caller remote hangup null']);
  });
  test('our BYE goes to the new party', () => {
    const call = up();
    call.reoffer.answer = 'our answer';
    takeOver(call.desk, call.net, call.replaces).send('ACK', 1);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    const byes = call.desk.received.filter((m) => m.kind === 'request' && m.method === 'BYE');
    expect(byes.map(({ callId }) => callId)).toEqual(['taken-over']);
  });
  test('whose call is hung up before its ACK gets BYE after it', () => {
    const call = up();
    call.reoffer.answer = 'our answer';
    const over = takeOver(call.desk, call.net, call.replaces);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    const byes = () => call.desk.received.filter((m) => m.kind === 'request' && m.method === 'BYE');
    expect([call.log.at(-1), byes()]).toEqual(['ended agent agent null', []]);
    over.send('ACK', 1);
    expect(byes()).toHaveLength(1);
  });
  test('that is never acknowledged ends the call', () => {
    const call = up();
    call.reoffer.answer = 'our answer';
    takeOver(call.desk, call.net, call.replaces);
    call.net.scheduler.advance(33_000);
    expect([call.log.at(-1), call.agent.liveCalls]).toEqual(['ended system dialog lost null', 0]);
  });
  test('takes an inbound call over, too', () => {
    const call = taken((leg) => leg.answer('answer'));
    call.within('ACK');
    const ours = call.peer.received.map((m) => tagOf(m.to)).find((tag) => tag !== null);
    call.reoffer.answer = 'our answer';
    const desk = call.net.peer(DESK);
    const over = takeOver(desk, call.net, `inbound;to-tag=${ours};from-tag=bob`);
    over.send('ACK', 1);
    expect([over.status, call.log]).toEqual([200, []]);
    call.legs[0]!.hangup('agent');
    call.net.scheduler.advance(10);
    expect(desk.received.some((m) => m.kind === 'request' && m.method === 'BYE')).toBe(true);
  });
  test.each<[string, number, ...string[]]>([
    ['of no call', 481, 'nobody;to-tag=a;from-tag=b'],
    ['that wants an unanswered call only', 486, 'ours;early-only'],
    ['without tags', 400, 'nobody'],
    ['twice', 400, 'ours', 'ours'],
  ])('%s is refused with %i and leaves the call as it was', (_, status, ...values) => {
    const call = up();
    call.reoffer.answer = 'our answer';
    const named = values.map((value) => value.replace('ours', call.replaces));
    expect(takeOver(call.desk, call.net, ...named).status).toBe(status);
    expect([call.log, call.received('BYE')]).toEqual([['answered answer'], []]);
  });
  test('with an offer that the call cannot take gets 488, with a call that has ended 603', () => {
    const refusing = up();
    expect(takeOver(refusing.desk, refusing.net, refusing.replaces).status).toBe(488);
    expect(refusing.received('BYE')).toEqual([]);

    const ended = up();
    ended.leg.hangup('agent');
    ended.net.scheduler.advance(10);
    expect(takeOver(ended.desk, ended.net, ended.replaces).status).toBe(603);
  });
  test('of another trunk than that of the call gets 481', () => {
    const net = new VirtualNetwork();
    const [peer, desk] = [net.peer(THEM), net.peer(DESK)];
    const [own, other] = [trunkTo(THEM), trunkTo(DESK, { id: 'other' })];
    const agent = net.agent(US, (_, { address }) => ({
      kind: 'trunk',
      trunk: address === DESK ? other : own,
    }));
    const { log, events } = recorder();
    agent.call(own, outbound(), { ...events, onReoffer: () => 'our answer' });
    net.scheduler.advance(10);
    const invite = peer.received[0] as SipRequest;
    const headers = [CONTACT, SDP_TYPE];
    peer.send(responseTo(invite, 200, { toTag: 'them', headers, body: Buffer.from('answer') }), US);
    net.scheduler.advance(10);
    const replaces = `${invite.callId};to-tag=${tagOf(invite.from)};from-tag=them`;
    expect([takeOver(desk, net, replaces).status, log]).toEqual([481, ['answered answer']]);
  });
});
