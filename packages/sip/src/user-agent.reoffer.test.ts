import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReofferOutcome } from './call.ts';
import { header, type Header, sdpOf, type SipRequest } from './message.ts';
import { responseTo } from './response.ts';
import { dial, finalOf, inDialog, SDP_TYPE, taken, US } from '../test/virtual-call.ts';

const ALLOW: Header = { name: 'allow', value: 'INVITE, ACK, BYE, CANCEL, UPDATE' };
const agreed = (value: string): Header[] => [
  { name: 'require', value: 'timer' },
  { name: 'session-expires', value },
];

/** A call that we placed and the peer answered; `reoffer` sends our offer and notes what became of it. */
function up(headers: readonly Header[] = []) {
  const call = dial();
  call.answer(call.last('INVITE'), 200, { sdp: 'answer', headers: [...headers] });
  const outcomes: ReofferOutcome[] = [];
  let made = 0;
  const reoffer = (): void => {
    call.leg.reoffer?.(
      () => `hold ${(made += 1)}`,
      (outcome) => outcomes.push(outcome),
    );
    call.net.scheduler.advance(10);
  };
  return { ...call, theirs: call.reoffer, outcomes, reoffer };
}

describe('an offer of our own in a call', () => {
  test('goes out in a re-INVITE whose 2xx is acknowledged, each time that it comes', () => {
    const call = up();
    call.reoffer();
    const invite = call.last('INVITE');
    expect([invite.cseq.sequence, sdpOf(invite), header(invite, 'session-expires')]).toEqual([
      2,
      'hold 1',
      null,
    ]);
    call.answer(invite, 200, { sdp: 'held' });
    call.answer(invite, 200, { sdp: 'held' });
    expect(call.received('ACK').map(({ cseq }) => cseq.sequence)).toEqual([1, 2, 2]);
    expect(call.outcomes).toEqual([{ answer: 'held' }]);
  });

  test('a refusal leaves the call up; 481 ends it', () => {
    const call = up();
    call.reoffer();
    call.answer(call.last('INVITE'), 488);
    expect([call.outcomes, call.log]).toEqual([[{ refusedBy: 488 }], ['answered answer']]);
    call.reoffer();
    call.answer(call.last('INVITE'), 481);
    expect(call.log.at(-1)).toBe('ended system dialog lost 481');
    expect(call.outcomes).toHaveLength(2);
  });

  test.each([
    ['we placed', 2_100, 4_000],
    ['the peer placed', 0, 2_000],
  ])('a 491 in a call that %s is followed by a new offer after %i to %i ms', (who, from, to) => {
    const ours = who === 'we placed' ? up() : null;
    const theirs = ours === null ? taken((leg) => leg.answer('ours')) : null;
    theirs?.within('ACK');
    const { net, peer } = ours ?? theirs ?? dial();
    const leg = ours?.leg ?? theirs?.legs[0];
    let made = 0;
    leg?.reoffer?.(
      () => `hold ${(made += 1)}`,
      () => expect.unreachable(),
    );
    net.scheduler.advance(10);
    const offers = (): SipRequest[] =>
      peer.received.filter(
        (m): m is SipRequest => m.kind === 'request' && sdpOf(m)?.startsWith('hold') === true,
      );
    const [first] = offers();
    if (first === undefined) throw new Error('no re-INVITE');
    peer.send(responseTo(first, 491, {}), US);
    net.scheduler.advance(from === 0 ? 0 : from - 20);
    expect(made).toBe(1);
    net.scheduler.advance(to - from + 60);
    expect(made).toBe(2);
    expect(sdpOf(offers().at(-1)!)).toBe('hold 2');
  });

  test('waits for the ACK of a re-INVITE of the peer, and the peer gets 491 while ours is open', () => {
    const call = up();
    call.theirs.answer = 'our answer';
    call.peer.send(inDialog(call.last('INVITE'), 'INVITE', 5, { headers: [SDP_TYPE], body: 'theirs' }), US);
    call.net.scheduler.advance(10);
    call.reoffer();
    expect(call.received('INVITE')).toHaveLength(1);
    call.peer.send(inDialog(call.last('INVITE'), 'ACK', 5), US);
    call.net.scheduler.advance(4_100);
    expect(sdpOf(call.last('INVITE'))).toBe('hold 1');
    call.peer.send(
      inDialog(call.received('INVITE')[0]!, 'INVITE', 6, { headers: [SDP_TYPE], body: 'again' }),
      US,
    );
    call.net.scheduler.advance(10);
    expect(finalOf(call.peer, 'INVITE').at(-1)).toBe(491);
    call.answer(call.last('INVITE'), 200, { sdp: 'held' });
    expect(call.outcomes).toEqual([{ answer: 'held' }]);
  });

  test('is given up after six requests of the peer that it met', () => {
    const call = up();
    call.reoffer();
    for (let tries = 0; tries < 6; tries++) {
      call.answer(call.last('INVITE'), 491);
      call.net.scheduler.advance(4_100);
    }
    expect([call.outcomes, new Set(call.received('INVITE').map(({ cseq }) => cseq.sequence)).size]).toEqual([
      [{ refusedBy: 491 }],
      7,
    ]);
  });

  test.each(['uac', 'uas'] as const)(
    'keeps the session timer of the side that refreshes (%s)',
    (refresher) => {
      const call = up([ALLOW, ...agreed(`600;refresher=${refresher}`)]);
      call.reoffer();
      const invite = call.last('INVITE');
      expect(header(invite, 'session-expires')).toBe(`600;refresher=${refresher}`);
      call.answer(invite, 200, { sdp: 'held', headers: [ALLOW, ...agreed(`600;refresher=${refresher}`)] });
      call.net.scheduler.advance(301_000);
      expect(call.received('UPDATE').length > 0).toBe(refresher === 'uac');
    },
  );

  test('a 422 to it is followed by one with its Min-SE', () => {
    const call = up([ALLOW, ...agreed('600;refresher=uac')]);
    call.reoffer();
    call.answer(call.last('INVITE'), 422, { headers: [{ name: 'min-se', value: '900' }] });
    expect(header(call.last('INVITE'), 'session-expires')).toBe('900;refresher=uac');
    call.answer(call.last('INVITE'), 200, { sdp: 'held', headers: [...agreed('900;refresher=uac')] });
    expect(call.outcomes).toEqual([{ answer: 'held' }]);
  });

  test('the refresh of a session without UPDATE repeats the held offer', () => {
    const call = up([{ name: 'allow', value: 'INVITE, ACK, BYE' }, ...agreed('600;refresher=uac')]);
    call.reoffer();
    call.answer(call.last('INVITE'), 200, { sdp: 'held', headers: agreed('600;refresher=uac') });
    call.net.scheduler.advance(301_000);
    expect([call.last('INVITE').cseq.sequence, sdpOf(call.last('INVITE'))]).toEqual([3, 'hold 1']);
  });

  test('has one outcome in every order of answers, requests of the peer and the end of the call', () => {
    const moves = fc.array(fc.constantFrom('200', '488', '491', '500', 'reINVITE', 'BYE', 'hangup', 'wait'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(moves, (steps) => {
        const call = up();
        call.theirs.answer = 'our answer';
        const first = call.last('INVITE');
        call.reoffer();
        let sequence = 20;
        for (const step of steps) {
          const last = call.last('INVITE');
          if (step === 'wait') call.net.scheduler.advance(2_500);
          else if (step === 'hangup') call.leg.hangup('done');
          else if (step === 'BYE') call.peer.send(inDialog(first, 'BYE', (sequence += 1)), US);
          else if (step === 'reINVITE')
            call.peer.send(
              inDialog(first, 'INVITE', (sequence += 1), { headers: [SDP_TYPE], body: 'theirs' }),
              US,
            );
          else if (last.cseq.sequence > 1)
            call.answer(last, Number(step), step === '200' ? { sdp: 'held' } : {});
          call.net.scheduler.advance(20);
          expect(call.outcomes.length).toBeLessThanOrEqual(1);
        }
        // Unanswered, it ends with its transaction or its last try.
        call.net.scheduler.advance(200_000);
        expect(call.outcomes).toHaveLength(1);
        expect(call.log.filter((line) => line.startsWith('ended')).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});
