import { afterEach, describe, expect, test } from 'vitest';
import type { InboundLeg, OutboundLeg } from '@callwright/sip';
import { until } from '../helpers/sip/peer-process.ts';
import { hangUpSoon, place, SDP, verdict } from '../helpers/sip/placed-call.ts';
import { closePlanes, counting } from '../helpers/sip/sip-plane.ts';
import { calleeOf, callerOf, planeTo, sipp, TRANSPORTS } from '../helpers/sip/sipp-plane.ts';
import { answering, calling, methods } from '../helpers/sip/sipp-calls.ts';
import { callee } from '../helpers/sip/sipp.ts';

afterEach(closePlanes);

describe.each(TRANSPORTS)('SIPp over %s', (transport) => {
  test('INVITE, ACK and BYE', async () => {
    const { peer, signalling } = await calleeOf(transport, 'uas');
    const call = place(signalling, { onAnswer: hangUpSoon });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'answered', 'ended agent']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('CANCEL', async () => {
    const { peer, signalling } = await calleeOf(transport, callee.ringsOnly);
    const call = place(signalling, { onRinging: (leg) => leg.hangup('stopped') });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'failed cancelled 487']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('PRACK for a reliable 183, and an UPDATE that refreshes the session', async () => {
    const { peer, signalling } = await calleeOf(transport, callee.ringsReliably);
    const isUpdated = (leg: OutboundLeg): boolean =>
      signalling.trace(leg.sipCallId).some(({ what }) => what === '200 UPDATE');
    const call = place(signalling, {
      onAnswer: (leg) =>
        void until(() => isUpdated(leg), 'the UPDATE is answered').then(
          () => leg.hangup('agent done'),
          () => leg.hangup('no UPDATE'),
        ),
    });
    await call.over();
    expect(call.log).toEqual(['ringing 183', 'answered', 'ended agent']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('the longer session that a 422 demands', async () => {
    const { peer, signalling } = await calleeOf(transport, callee.demandsLongSession);
    const call = place(signalling, { onAnswer: hangUpSoon });
    await call.over();
    expect(call.log).toEqual(['answered', 'ended agent']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('the target of a 302', async () => {
    const { peer, signalling } = await calleeOf(transport, callee.movesOnce);
    const asked: string[] = [];
    const call = place(signalling, {
      redirect: async (to) => asked.push(to) > 0,
      onAnswer: hangUpSoon,
    });
    await call.over();
    expect(call.log).toEqual(['answered', 'ended agent']);
    expect(asked).toEqual([expect.stringMatching(/^sip:peer@/)]);
    expect(await verdict(peer)).toBe('as written');
  });

  test('REFER and the NOTIFYs about it', async () => {
    const { peer, signalling } = await calleeOf(transport, methods.isReferred);
    const outcomes: unknown[] = [];
    const call = place(signalling, {
      onAnswer: (leg) =>
        void leg.refer('+15550003', 60_000).then((outcome) => {
          outcomes.push(outcome);
          leg.hangup('agent transferred');
        }),
    });
    await call.over();
    expect(outcomes).toMatchObject([{ transferred: true, accepted: true, sipCode: 200 }]);
    expect(await verdict(peer)).toBe('as written');
  });

  test('REFER of the peer: the call goes on with the target', async () => {
    const more = { calls: 2, trunk: { acceptRefer: true } };
    const { peer, signalling } = await calleeOf(transport, methods.refers, more);
    const asked: string[] = [];
    const call = place(signalling, {
      onRefer: async ({ to }) => asked.push(to) > 0,
      onMoved: hangUpSoon,
    });
    await call.over();
    expect([call.log, asked]).toEqual([['answered', 'moved', 'ended agent'], ['+15550003']]);
    expect(await verdict(peer)).toBe('as written');
  });

  test('our hold, after a 491 to it, and its end', async () => {
    const { peer, signalling } = await calleeOf(transport, methods.isHeld);
    const offers: string[] = [];
    const offer = (direction: string) => (): string => {
      offers.push(direction);
      return `${SDP}a=${direction}\r\n`;
    };
    const outcomes: string[] = [];
    const call = place(signalling, {
      onAnswer: (leg) =>
        leg.reoffer?.(offer('sendonly'), (held) => {
          outcomes.push(JSON.stringify(held));
          leg.reoffer?.(offer('sendrecv'), (back) => {
            outcomes.push(JSON.stringify(back));
            hangUpSoon(leg);
          });
        }),
    });
    await call.over();
    expect(offers).toEqual(['sendonly', 'sendonly', 'sendrecv']);
    expect(outcomes).toEqual([expect.stringContaining('a=recvonly'), expect.stringContaining('a=sendrecv')]);
    expect(call.log).toEqual(['ringing 180', 'answered', 'ended agent']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('a refused hold, after which the call goes on', async () => {
    const { peer, signalling } = await calleeOf(transport, methods.refusesHold);
    const outcomes: unknown[] = [];
    const call = place(signalling, {
      onAnswer: (leg) =>
        leg.reoffer?.(
          () => `${SDP}a=sendonly\r\n`,
          (outcome) => {
            outcomes.push(outcome);
            hangUpSoon(leg);
          },
        ),
    });
    await call.over();
    expect([outcomes, call.log]).toEqual([[{ refusedBy: 488 }], ['ringing 180', 'answered', 'ended agent']]);
    expect(await verdict(peer)).toBe('as written');
  });

  test('a key in INFO', async () => {
    const { peer, signalling } = await calleeOf(transport, methods.sendsInfo);
    const call = place(signalling);
    await until(() => call.log.includes('dtmf 5'), 'the key arrives');
    call.leg.hangup('agent done');
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'answered', 'dtmf 5', 'ended agent']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('OPTIONS that probes the trunk', async () => {
    const peer = await sipp(transport, { scenario: methods.answersOptions });
    const signalling = await planeTo(transport, peer.port, 60_000);
    await until(() => signalling.health().trunks[0]?.reachable === true, 'OPTIONS is answered');
    expect(await verdict(peer)).toBe('as written');
  });

  test('491 for an offer before the ACK of the last answer', async () => {
    const signalling = await planeTo(transport, 5060);
    const ends = { ends: 0 };
    signalling.onInbound((leg: InboundLeg) => {
      leg.listen(counting(ends, { onReoffer: () => SDP }));
      leg.answer(SDP);
    });
    const peer = await callerOf(transport, signalling, calling.offersTooEarly);
    expect(await verdict(peer)).toBe('as written');
    await until(() => ends.ends === 1, 'the call is over');
  });

  test('Replaces: another party takes the call over', async () => {
    const { peer, signalling } = await calleeOf(transport, answering.waitsForBye);
    const call = place(signalling);
    await until(() => call.log.includes('answered'), 'the call is answered');
    // SIPp may write its trace a little later.
    const ourTag = (): string => /From: [^\r\n]*;tag=([^\s;]+)/.exec(peer.messages())?.[1] ?? '';
    await until(() => ourTag() !== '', 'SIPp has traced the INVITE');
    const keys = { old_call: call.leg.sipCallId, our_tag: ourTag() };
    const other = await callerOf(transport, signalling, calling.takesOver, keys);
    expect(await verdict(peer)).toBe('as written');
    call.leg.hangup('agent done');
    await call.over();
    expect(await verdict(other)).toBe('as written');
    expect(call.log).toEqual(['ringing 180', 'answered', 'ended agent']);
  });
});
