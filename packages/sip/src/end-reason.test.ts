import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dial, inDialog, taken } from '../test/virtual-call.ts';
import { endReason, reasonOf } from './end-reason.ts';
import { header, type SipRequest } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { writeMessage } from './write.ts';

describe('Reason of our requests', () => {
  test('BYE says why we hang up', () => {
    const call = dial();
    call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
    call.leg.hangup('media timeout');
    call.net.scheduler.advance(10);
    expect(header(call.last('BYE'), 'reason')).toBe('Q.850;cause=41;text="media timeout"');
  });
  test('CANCEL says that nobody answered in time', () => {
    const call = dial({ request: { ringTimeoutMs: 5_000 } });
    call.answer(call.last('INVITE'), 180);
    call.net.scheduler.advance(5_000);
    expect(header(call.last('CANCEL'), 'reason')).toBe('Q.850;cause=19;text="ring timeout"');
  });
  test('the BYE to a phone that answers second says that another took the call', () => {
    const call = dial();
    call.answer(call.last('INVITE'), 200, { tag: 'first', sdp: 'answer' });
    call.answer(call.last('INVITE'), 200, { tag: 'second', sdp: 'answer' });
    expect(header(call.last('BYE'), 'reason')).toBe('SIP;cause=200;text="Call completed elsewhere"');
  });
  test('the BYE of a lost dialog, and one that waits for the ACK of an inbound call, say why', () => {
    const lost = dial();
    lost.answer(lost.last('INVITE'), 200, { sdp: 'answer' });
    lost.leg.sendInfoDtmf('1');
    lost.net.scheduler.advance(10);
    lost.answer(lost.last('INFO'), 481);
    expect(header(lost.last('BYE'), 'reason')).toBe('Q.850;cause=102;text="dialog lost"');

    const inbound = taken((leg) => {
      leg.answer('answer');
      leg.hangup('agent is done');
    });
    inbound.within('ACK');
    const byes = inbound.peer.received.filter((m) => m.kind === 'request' && m.method === 'BYE');
    expect(byes.map((bye) => header(bye, 'reason'))).toEqual(['Q.850;cause=16;text="agent is done"']);
  });
});

describe('Reason of the peer', () => {
  const withReason = (...values: string[]): SipRequest => ({
    ...inDialog(dial().last('INVITE'), 'BYE', 5),
    headers: values.map((value) => ({ name: 'reason', value })),
  });
  test.each([
    ['Q.850;cause=34;text="No circuit, available"', 'Q.850 34 No circuit, available'],
    ['SIP ;cause=600;text=Busy , Q.850; cause=17', 'SIP 600 Busy, Q.850 17'],
    ['q.850', 'q.850'],
    ['', null],
  ])('%s is read as %s', (value, words) => {
    expect(reasonOf(withReason(value))).toBe(words);
  });
  test('a refusal is reported with the Reason of its response', () => {
    const failures: string[] = [];
    const call = dial({ events: { onFailed: ({ reason }) => failures.push(reason) } });
    call.answer(call.last('INVITE'), 503, {
      headers: [{ name: 'reason', value: 'Q.850;cause=34;text="No circuit available"' }],
    });
    expect(failures).toEqual(['503 Service Unavailable; Q.850 34 No circuit available']);
  });
  test('whatever the words, our header stays one line and is read back', () => {
    const bye = inDialog(dial().last('INVITE'), 'BYE', 5);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (why) => {
        const written = writeMessage({ ...bye, headers: [endReason(why)] });
        const parsed = parseMessage(written);
        const message = parsed.kind === 'message' ? parsed.message : null;
        expect(message?.headers.map(({ name }) => name)).toEqual(['reason']);
        expect(message === null ? null : reasonOf(message)).toMatch(/^Q\.850 \d+/);
      }),
    );
  });
});
