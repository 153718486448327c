import { describe, expect, test } from 'vitest';
import type { CallFailure } from './call.ts';
import type { SipRequest } from './message.ts';
import { dial, THEM } from '../test/virtual-call.ts';

/** A call whose user permits redirects to some targets, and what it was asked about. */
function redirectable(permits: (to: string) => boolean = () => true, patch: Parameters<typeof dial>[0] = {}) {
  const asked: string[] = [];
  const redirect = async (to: string): Promise<boolean> => {
    asked.push(to);
    return permits(to);
  };
  const call = dial({ ...patch, request: { ...patch.request, redirect } });
  const moved = async (status: number, ...contacts: string[]): Promise<SipRequest | null> => {
    const before = call.received('INVITE').length;
    const headers = contacts.map((value) => ({ name: 'contact', value }));
    // The helper's own Contact would be a target.
    const invite = call.last('INVITE');
    call.peer.send(
      {
        ...invite,
        kind: 'response',
        status,
        reason: 'Moved',
        headers,
        to: { ...invite.to, params: new Map([['tag', `t${before}`]]) },
      },
      '192.0.2.1',
    );
    call.net.scheduler.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    call.net.scheduler.advance(10);
    const after = call.received('INVITE');
    return after.length === before ? null : (after.at(-1) ?? null);
  };
  return { ...call, asked, moved };
}

describe('a redirect of the carrier', () => {
  test('is followed in the same call, with the old To and a new Request-URI', async () => {
    const call = redirectable();
    const first = call.last('INVITE');
    const second = await call.moved(302, `<sip:+15550003@${THEM}>`);
    expect(call.asked).toEqual(['+15550003']);
    expect(second?.uri).toBe(`sip:+15550003@${THEM}`);
    expect([second?.callId, second?.to.uri, second?.cseq.sequence]).toEqual([first.callId, first.to.uri, 2]);
    call.answer(second!, 200, { sdp: 'answer' });
    expect(call.log).toEqual(['answered answer']);
  });
  test('goes to the Contacts by their q, and past those that the call may not reach', async () => {
    const call = redirectable((to) => to === 'sip:desk@pbx.example:5070');
    const second = await call.moved(
      300,
      '<sip:desk@pbx.example:5070>;q=0.2, <mailto:desk@pbx.example>',
      `<tel:+15550004>;q=0.9`,
      `<sip:+15550003@${THEM}>;q=0.5`,
    );
    expect(call.asked).toEqual(['+15550004', '+15550003', 'sip:desk@pbx.example:5070']);
    expect(second?.uri).toBe('sip:desk@pbx.example:5070');
  });
  test('fails the call when no target is permitted, none is new, or it names a proxy', async () => {
    for (const [status, contact, asked] of [
      [302, `<sip:+15550003@${THEM}>`, ['+15550003']],
      [302, `<sip:+15550002@${THEM}>`, []],
      [305, `<sip:+15550003@${THEM}>`, []],
      [302, 'nonsense', []],
    ] as const) {
      const call = redirectable(() => false);
      expect(await call.moved(status, contact)).toBeNull();
      expect(call.asked).toEqual(asked);
      expect(call.log).toEqual([`failed failed ${status} false`]);
    }
  });
  test('is followed three times at most', async () => {
    const call = redirectable();
    for (const n of [3, 4, 5]) expect(await call.moved(302, `<sip:+1555000${n}@${THEM}>`)).not.toBeNull();
    expect(await call.moved(302, `<sip:+15550006@${THEM}>`)).toBeNull();
    expect(call.log).toEqual(['failed failed 302 false']);
  });
  test('fails the call of a user who permits none, and one that is hung up meanwhile is cancelled', async () => {
    const plain = dial();
    plain.answer(plain.last('INVITE'), 302);
    expect(plain.log).toEqual(['failed failed 302 false']);
    const call = redirectable(() => {
      call.leg.hangup('agent');
      return true;
    });
    expect(await call.moved(302, `<sip:+15550003@${THEM}>`)).toBeNull();
    expect(call.log).toEqual(['failed cancelled null false']);
    expect(call.received('CANCEL')).toEqual([]);
  });
  test('that cannot be followed any more is no call that was never sent: a phone may have rung', async () => {
    const lost = redirectable();
    lost.answer(lost.last('INVITE'), 180);
    lost.net.unreachable.add(`udp:${THEM}`);
    await lost.moved(302, `<sip:+15550003@${THEM}>`);
    lost.net.scheduler.advance(10);
    expect(lost.log).toEqual(['ringing 180', 'failed failed null false']);

    let permits = 0;
    const gate = { isOpen: () => permits++ === 0, reopen: async () => false };
    const failures: CallFailure[] = [];
    const late = redirectable(() => true, {
      request: { gate },
      events: { onFailed: (failure) => void failures.push(failure) },
    });
    await late.moved(302, `<sip:+15550003@${THEM}>`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toMatchObject([{ neverSent: false, tooLate: false }]);
  });
});
