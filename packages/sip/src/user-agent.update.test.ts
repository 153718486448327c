import { describe, expect, test } from 'vitest';
import { header, type Header, type SipMessage, type SipRequest } from './message.ts';
import { dial, inDialog, SDP_TYPE, taken, US } from '../test/virtual-call.ts';

const expires = (value: string): Header[] => [
  { name: 'supported', value: 'timer' },
  { name: 'session-expires', value },
];

function called() {
  const call = dial();
  const invite = call.last('INVITE');
  const update = (sequence: number, content: { headers?: Header[]; body?: string } = {}): SipMessage => {
    const before = call.peer.received.length;
    const built: SipRequest = inDialog(invite, 'UPDATE', sequence, content);
    // A Contact of the test replaces the peer's.
    const moves = content.headers?.some(({ name }) => name === 'contact') === true;
    call.peer.send(moves ? { ...built, headers: content.headers ?? [] } : built, US);
    call.net.scheduler.advance(10);
    const response = call.peer.received.slice(before).find((m) => m.kind === 'response');
    if (response === undefined) throw new Error('the UPDATE got no response');
    return response;
  };
  return { ...call, invite, update };
}

describe('UPDATE of the peer', () => {
  test('a new offer is answered in the 200, or refused with 488', () => {
    const call = called();
    call.answer(call.invite, 200, { sdp: 'answer' });
    expect(call.update(5, { headers: [SDP_TYPE], body: 'hold' })).toMatchObject({ status: 488 });
    call.reoffer.answer = 'held';
    const held = call.update(6, { headers: [SDP_TYPE], body: 'hold' });
    expect(held).toMatchObject({ status: 200 });
    expect([held.body.toString(), header(held, 'content-type')]).toEqual(['held', 'application/sdp']);
    expect(call.reoffer.offers).toEqual(['hold', 'hold']);
  });
  test('one without an offer moves the target of our requests and changes no audio', () => {
    const call = called();
    call.answer(call.invite, 200, { sdp: 'answer' });
    const moved = call.update(5, { headers: [{ name: 'contact', value: '<sip:moved@192.0.2.9>' }] });
    expect(moved).toMatchObject({ status: 200 });
    expect([moved.body.length, header(moved, 'content-type')]).toEqual([0, null]);
    expect(call.reoffer.offers).toEqual([]);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.last('BYE').uri).toBe('sip:moved@192.0.2.9');
  });
  test('an offer before the answer of our INVITE gets 491, an UPDATE without offer 200', () => {
    const call = called();
    call.answer(call.invite, 183, { sdp: 'early' });
    call.reoffer.answer = 'held';
    expect(call.update(5, { headers: [SDP_TYPE], body: 'hold' })).toMatchObject({ status: 491 });
    expect(call.update(6)).toMatchObject({ status: 200 });
    call.answer(call.invite, 200, { sdp: 'answer' });
    expect(call.update(7, { headers: [SDP_TYPE], body: 'hold' })).toMatchObject({ status: 200 });
    expect(call.log).toEqual(['ringing 183 early', 'answered answer']);
  });
  test('an ended dialog answers 481, other content than SDP 415', () => {
    const call = called();
    call.answer(call.invite, 200, { sdp: 'answer' });
    const xml: Header = { name: 'content-type', value: 'application/xml' };
    expect(call.update(5, { headers: [xml], body: '<x/>' })).toMatchObject({ status: 415 });
    call.leg.hangup('agent');
    expect(call.update(6)).toMatchObject({ status: 481 });
  });
  test('it keeps a session with a timer alive, and the call ends without it', () => {
    const call = taken((leg) => leg.answer('answer'), { headers: expires('90') });
    call.within('ACK');
    call.net.scheduler.advance(50_000);
    call.within('UPDATE', { sequence: 8, branch: 'refresh', headers: expires('120') });
    expect(call.responses().at(-1)).toBe('200 UPDATE');
    const refreshed = call.peer.received.at(-1)!;
    expect([header(refreshed, 'require'), header(refreshed, 'session-expires')]).toEqual([
      'timer',
      '120;refresher=uac',
    ]);
    call.net.scheduler.advance(85_000);
    expect(call.log).toEqual([]);
    call.net.scheduler.advance(4_000);
    expect(call.log).toEqual(['ended system dialog lost null']);
  });
  test('a session timer below 90 s gets 422 with Min-SE', () => {
    const call = taken((leg) => leg.answer('answer'), { headers: expires('90') });
    call.within('ACK');
    call.within('UPDATE', { sequence: 8, branch: 'short', headers: expires('60') });
    expect(call.responses().at(-1)).toBe('422 UPDATE');
    expect(header(call.peer.received.at(-1)!, 'min-se')).toBe('90');
  });
});
