import { describe, expect, test } from 'vitest';
import type { ReferRequest, SignallingEvents } from './call.ts';
import { dialogKey } from './dialog.ts';
import { replacesOf } from './replaces.ts';
import { header, type Header, type SipRequest } from './message.ts';
import { dial, finalOf, inDialog, taken, THEM, US } from '../test/virtual-call.ts';

const TO = `<sip:+15550003@${THEM}>`;
const referTo = (value: string): Header[] => [{ name: 'refer-to', value }];

/** An answered call whose peer may refer us to other targets. */
function answered(events: Partial<SignallingEvents> = {}, acceptsRefer = true) {
  const asked: ReferRequest[] = [];
  const answers: string[] = [];
  const call = dial({
    trunk: { acceptsRefer, headerNames: ['X-Desk'] },
    events: {
      onOfferRequest: () => 'offer to the target',
      onReofferAnswer: (sdp) => answers.push(sdp),
      onRefer: async (refer) => asked.push(refer) > 0,
      ...events,
    },
  });
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  const first = call.last('INVITE');
  const within = async (method: string, sequence: number, headers: Header[] = []): Promise<void> => {
    call.peer.send(inDialog(first, method, sequence, { headers }), US);
    call.net.scheduler.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    call.net.scheduler.advance(10);
  };
  /** The progress that we reported. */
  const progress = (): string[] =>
    call.received('NOTIFY').map((notify) => {
      const state = header(notify, 'subscription-state')?.split(';')[0];
      return `${notify.body.toString().trim()} ${state}`;
    });
  const acknowledge = (): void => {
    for (const notify of call.received('NOTIFY')) call.answer(notify, 200);
  };
  return { ...call, asked, answers, first, within, progress, acknowledge };
}

const status = (call: ReturnType<typeof answered>): number[] => finalOf(call.peer, 'REFER');

describe('REFER of the peer', () => {
  test('the call goes on with the target, and the peer hears of it', async () => {
    const call = answered();
    await call.within('REFER', 5, [...referTo(TO), { name: 'x-desk', value: 'sales' }]);
    expect(status(call)).toEqual([202]);
    expect(call.asked).toEqual([{ to: '+15550003', headers: { others: { 'x-desk': 'sales' } } }]);
    const invite = call.last('INVITE');
    expect(invite.callId).not.toBe(call.first.callId);
    expect([invite.uri, invite.body.toString()]).toEqual([`sip:+15550003@${THEM}`, 'offer to the target']);
    call.answer(invite, 180, { tag: 'target' });
    call.answer(invite, 200, { tag: 'target', sdp: 'answer of the target' });
    call.acknowledge();
    expect(call.progress()).toEqual([
      'SIP/2.0 100 Trying active',
      'SIP/2.0 180 Ringing active',
      'SIP/2.0 200 OK terminated',
    ]);
    expect(call.answers).toEqual(['answer of the target']);
    const byes = call.received('BYE');
    expect(byes.map(({ callId }) => callId)).toEqual([call.first.callId]);
    expect(call.log).toEqual(['answered answer']);
    expect(call.agent.liveCalls).toBe(2);
    // The target hangs up: the call is over.
    call.peer.send(
      { ...inDialog(invite, 'BYE', 9), from: { ...invite.to, params: new Map([['tag', 'target']]) } },
      US,
    );
    call.net.scheduler.advance(10);
    expect(call.log.at(-1)).toBe('ended caller remote hangup null');
    expect(call.agent.liveCalls).toBe(0);
  });

  test('we hang up the leg with the target', async () => {
    const call = answered();
    await call.within('REFER', 5, referTo(TO));
    const invite = call.last('INVITE');
    call.answer(invite, 200, { tag: 'target', sdp: 'answer' });
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.received('BYE').map(({ callId }) => callId)).toEqual([call.first.callId, invite.callId]);
    expect(call.log.at(-1)).toBe('ended agent agent null');
  });

  test('the call waits for the target when the peer hangs up after its REFER', async () => {
    const call = answered();
    await call.within('REFER', 5, referTo(TO));
    await call.within('BYE', 6);
    expect(call.log).toEqual(['answered answer']);
    call.answer(call.last('INVITE'), 200, { tag: 'target', sdp: 'answer of the target' });
    expect(call.answers).toEqual(['answer of the target']);
    expect(call.agent.liveCalls).toBe(2);
  });

  test('it ends when the peer has gone and the target is busy', async () => {
    const call = answered();
    await call.within('REFER', 5, referTo(TO));
    await call.within('BYE', 6);
    call.answer(call.last('INVITE'), 486, { tag: 'target' });
    expect(call.log.at(-1)).toBe('ended caller remote hangup null');
    expect(call.agent.liveCalls).toBe(0);
  });

  test('the call stays with the peer when the target is busy, and may be referred again', async () => {
    const call = answered();
    await call.within('REFER', 5, referTo(TO));
    call.answer(call.last('INVITE'), 486, { tag: 'target' });
    call.acknowledge();
    expect(call.progress().at(-1)).toBe('SIP/2.0 486 Failed terminated');
    expect(call.log).toEqual(['answered answer']);
    expect(call.received('BYE')).toEqual([]);
    await call.within('REFER', 6, referTo(`<sip:+15550004@${THEM}>`));
    expect(call.asked.map(({ to }) => to)).toEqual(['+15550003', '+15550004']);
    expect(header(call.received('NOTIFY').at(-1) as SipRequest, 'event')).toBe('refer;id=6');
  });

  test('the INVITE of an attended transfer replaces the call of the peer', async () => {
    const call = answered();
    const replaces = 'abc%40host%3Bto-tag%3D1%3Bfrom-tag%3D2';
    await call.within('REFER', 5, [
      ...referTo(`<sip:+15550003@${THEM}?Replaces=${replaces}>`),
      { name: 'referred-by', value: '<sip:desk@example.com>' },
    ]);
    const invite = call.last('INVITE');
    expect(['replaces', 'require', 'referred-by'].map((name) => header(invite, name))).toEqual([
      'abc@host;to-tag=1;from-tag=2',
      'replaces',
      '<sip:desk@example.com>',
    ]);
  });

  test.each<[string, Header[], number]>([
    ['without Refer-To', [], 400],
    ['with two targets', [...referTo(TO), ...referTo(TO)], 400],
    ['for another method', referTo(`<sip:+15550003@${THEM};method=BYE>`), 400],
  ])('is refused %s', async (_, headers, expected) => {
    const call = answered();
    await call.within('REFER', 5, headers);
    expect([status(call), call.asked]).toEqual([[expected], []]);
    expect(call.received('INVITE')).toHaveLength(1);
  });

  test('is declined when the user permits no such target, or fails', async () => {
    for (const onRefer of [async () => false, () => Promise.reject(new Error('away'))]) {
      const call = answered({ onRefer });
      await call.within('REFER', 5, referTo(TO));
      expect(status(call)).toEqual([603]);
      expect([call.received('INVITE').length, call.received('NOTIFY').length]).toEqual([1, 0]);
    }
  });

  test('gets 405 on a trunk that may not refer, whose messages do not name the method', async () => {
    const call = answered({}, false);
    await call.within('REFER', 5, referTo(TO));
    expect([status(call), call.asked]).toEqual([[405], []]);
    expect(header(call.first, 'allow')).not.toContain('REFER');
    expect(header(answered().first, 'allow')).toContain('REFER');
  });

  test('a caller refers us as well', async () => {
    const answers: string[] = [];
    const call = taken((leg) => leg.answer('answer'), {
      trunk: { acceptsRefer: true },
      events: {
        onOfferRequest: () => 'offer to the target',
        onReofferAnswer: (sdp) => answers.push(sdp),
        onRefer: () => Promise.resolve(true),
      },
    });
    call.within('ACK');
    call.within('REFER', { sequence: 8, headers: referTo(TO) });
    await new Promise((resolve) => setImmediate(resolve));
    call.net.scheduler.advance(10);
    const invite = call.peer.received.find(
      (message): message is SipRequest => message.kind === 'request' && message.method === 'INVITE',
    );
    expect(invite?.from.uri).toBe(`sip:+15550100@${THEM}`);
    expect(finalOf(call.peer, 'REFER')).toEqual([202]);
    call.legs[0]?.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.log.at(-1)).toBe('ended agent agent null');
  });
});

test('a leg names itself for the Refer-To of another one, and its peer finds the dialog in it', async () => {
  const call = dial();
  expect(call.leg.replacingUri).toBeNull();
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  const uri = call.leg.replacingUri ?? '';
  const [target, headers = ''] = uri.split('?');
  expect(target).toBe(`sip:them@${THEM}:5060`);
  const invite = call.last('INVITE');
  const value = decodeURIComponent(headers.replace('Replaces=', ''));
  const asked = { ...invite, headers: [...invite.headers, { name: 'replaces', value }] };
  const ourTag = invite.from.params.get('tag') ?? '';
  expect(replacesOf(asked)).toEqual({ key: dialogKey(invite.callId, 'them', ourTag), isEarlyOnly: false });
  const referring = answered();
  void referring.leg.refer(uri, 1000);
  referring.net.scheduler.advance(10);
  expect(header(referring.last('REFER'), 'refer-to')).toBe(`<${uri}>`);
});
