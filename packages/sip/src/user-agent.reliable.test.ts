import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { header, type Header, type SipRequest } from './message.ts';
import { dial, THEM } from '../test/virtual-call.ts';

const reliable = (sequence: number): Header[] => [
  { name: 'require', value: '100rel' },
  { name: 'rseq', value: String(sequence) },
];
const rackOf = (request: SipRequest): string | null => header(request, 'rack');

describe('reliable provisional responses to our INVITE', () => {
  test('we offer 100rel and acknowledge a 183 with PRACK in its early dialog', () => {
    const call = dial();
    const invite = call.last('INVITE');
    expect(header(invite, 'supported')).toBe('100rel, timer, replaces');
    call.answer(invite, 183, { sdp: 'early', headers: reliable(17) });
    const prack = call.last('PRACK');
    expect(prack).toMatchObject({
      uri: `sip:them@${THEM}:5060`,
      callId: invite.callId,
      cseq: { sequence: invite.cseq.sequence + 1, method: 'PRACK' },
    });
    expect(rackOf(prack)).toBe(`17 ${invite.cseq.sequence} INVITE`);
    expect(header(prack, 'contact')).toBeNull();
    call.answer(prack, 200);
    call.answer(invite, 200, { sdp: 'answer' });
    expect(call.last('ACK').cseq.sequence).toBe(invite.cseq.sequence);
    expect(call.log).toEqual(['ringing 183 early', 'answered answer']);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.last('BYE').cseq.sequence).toBe(invite.cseq.sequence + 2);
  });
  test('a response without Require or without a usable RSeq gets no PRACK and rings', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 180, { headers: [{ name: 'rseq', value: '1' }] });
    call.answer(invite, 183, { headers: [{ name: 'require', value: '100rel' }] });
    call.answer(invite, 181, {
      headers: [...reliable(1).slice(0, 1), { name: 'rseq', value: '4294967296' }],
    });
    expect(call.received('PRACK')).toEqual([]);
    expect(call.log).toEqual(['ringing 180', 'ringing 183', 'ringing 181']);
  });
  test('each fork counts its responses by itself', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 180, { tag: 'desk', headers: reliable(100) });
    call.answer(invite, 180, { tag: 'mobile', headers: reliable(7) });
    call.answer(invite, 183, { tag: 'desk', headers: reliable(101) });
    expect(call.received('PRACK').map((prack) => rackOf(prack)?.split(' ')[0])).toEqual(['100', '7', '101']);
    expect(call.received('PRACK').map(({ to }) => to.params.get('tag'))).toEqual(['desk', 'mobile', 'desk']);
  });
  test('a PRACK that is refused or gets no answer leaves the call to its INVITE', () => {
    const refused = dial();
    refused.answer(refused.last('INVITE'), 180, { headers: reliable(1) });
    refused.answer(refused.last('PRACK'), 481);
    refused.answer(refused.last('INVITE'), 200, { sdp: 'answer' });
    expect(refused.log).toEqual(['ringing 180', 'answered answer']);

    const silent = dial({ request: { ringTimeoutMs: 60_000 } });
    silent.answer(silent.last('INVITE'), 180, { headers: reliable(1) });
    silent.net.scheduler.advance(40_000);
    expect(silent.received('BYE')).toEqual([]);
    silent.answer(silent.last('INVITE'), 200, { sdp: 'answer' });
    expect(silent.log).toEqual(['ringing 180', 'answered answer']);
  });
  test('a response that arrives after we gave up gets CANCEL and no PRACK', () => {
    const call = dial();
    call.leg.hangup('agent');
    call.answer(call.last('INVITE'), 180, { headers: reliable(1) });
    expect(call.received('CANCEL').length).toBe(1);
    expect(call.received('PRACK')).toEqual([]);
  });
  test('whatever the network repeats, drops or swaps, each response gets one PRACK, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 31 }),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 }),
        (first, arrivals) => {
          const call = dial();
          const invite = call.last('INVITE');
          const expected: number[] = [];
          for (const offset of arrivals) {
            const last = expected.at(-1);
            if (last === undefined || first + offset === last + 1) expected.push(first + offset);
            call.answer(invite, 183, { headers: reliable(first + offset) });
            if (call.received('PRACK').length > 0) call.answer(call.last('PRACK'), 200);
          }
          const racks = call.received('PRACK').map(rackOf);
          expect(racks).toEqual(expected.map((rseq) => `${rseq} ${invite.cseq.sequence} INVITE`));
        },
      ),
      { numRuns: 100 },
    );
  });
});
