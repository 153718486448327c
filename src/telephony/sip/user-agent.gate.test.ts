import { describe, expect, test } from 'vitest';
import type { InviteGate } from '../leg.ts';
import { createAuthenticator } from './authenticator.ts';
import type { Header } from './message.ts';
import { VirtualNetwork, peerAt } from './virtual-network.ts';
import { dial, outbound, recorder, THEM, trunkTo, US } from '../../../test/helpers/virtual-call.ts';

const CHALLENGE: Header = { name: 'proxy-authenticate', value: 'Digest realm="r", nonce="n", qop="auth"' };
const account = { authenticator: createAuthenticator({ username: 'u', password: 'p' }) };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A gate that is open or not, and says how often it was asked to open again. */
function gateThat(isOpen: boolean, reopens: boolean): InviteGate & { open: boolean; asked: number } {
  const gate = {
    open: isOpen,
    asked: 0,
    isOpen: () => gate.open,
    reopen: async () => {
      gate.asked += 1;
      gate.open = reopens;
      return reopens;
    },
  };
  return gate;
}

/** A call over a trunk whose name is looked up for `lookUpMs`. */
function dialByName(request: Parameters<typeof outbound>[0], lookUpMs: number) {
  const net = new VirtualNetwork();
  const peer = net.peer(THEM);
  const trunk = trunkTo(THEM, {
    known: () => null,
    lookUp: () =>
      new Promise((resolve) => {
        net.scheduler.after(lookUpMs, () => resolve([peerAt(THEM)]));
      }),
  });
  const agent = net.agent(US, () => ({ kind: 'trunk', trunk }));
  const { log, events } = recorder();
  const late: (boolean | undefined)[] = [];
  agent.call(trunk, outbound(request), {
    ...events,
    onSent: () => log.push('sent'),
    onFailed: (failure) => {
      late.push(failure.tooLate);
      events.onFailed(failure);
    },
  });
  return { net, peer, log, late };
}

describe('an INVITE that would leave late', () => {
  test('is asked about again after a slow name service, and leaves where it may', async () => {
    const gate = gateThat(true, true);
    const call = dialByName({ gate }, 4000);
    call.net.scheduler.advance(3999);
    expect(call.log).toEqual([]);
    gate.open = false;
    call.net.scheduler.advance(1);
    await settled();
    call.net.scheduler.advance(10);
    expect({ asked: gate.asked, log: call.log, heard: call.peer.heard.length }).toEqual({
      asked: 1,
      log: ['sent'],
      heard: 1,
    });
  });
  test('is never sent where its gate stays closed', async () => {
    const gate = gateThat(false, false);
    const call = dialByName({ gate }, 4000);
    call.net.scheduler.advance(4000);
    await settled();
    call.net.scheduler.advance(70_000);
    expect({ ...call, net: null, peer: call.peer.heard }).toEqual({
      net: null,
      peer: [],
      log: ['failed failed null true'],
      late: [true],
    });
  });
  test('is never sent where its window closes before its address is known', async () => {
    const net = new VirtualNetwork();
    const call = dialByName({ ringUntil: net.scheduler.now() + 3000 }, 4000);
    call.net.scheduler.advance(3000);
    expect(call.late).toEqual([true]);
    call.net.scheduler.advance(2000);
    await settled();
    call.net.scheduler.advance(2000);
    expect(call.peer.heard).toEqual([]);
  });
  test('with credentials, after a late challenge: asked about again', async () => {
    for (const reopens of [true, false]) {
      const gate = gateThat(true, reopens);
      const call = dial({ request: { gate }, trunk: account });
      call.answer(call.last('INVITE'), 100);
      gate.open = false;
      call.answer(call.last('INVITE'), 407, { headers: [CHALLENGE] });
      await settled();
      call.net.scheduler.advance(10);
      expect({ asked: gate.asked, heard: call.heard('INVITE').length, log: call.log }).toEqual(
        reopens ? { asked: 1, heard: 2, log: [] } : { asked: 1, heard: 1, log: ['failed failed null true'] },
      );
    }
  });
  test('is hung up on while its gate is asked: not sent', async () => {
    const gate = gateThat(true, true);
    const call = dial({ request: { gate }, trunk: account });
    gate.open = false;
    call.answer(call.last('INVITE'), 407, { headers: [CHALLENGE] });
    call.leg.hangup('stopped');
    await settled();
    call.net.scheduler.advance(100);
    expect(call.heard('INVITE').length).toBe(1);
    expect(call.log).toEqual(['failed cancelled null true']);
  });
});

describe('a call is told as sent', () => {
  const sentLog = (trunk: Parameters<typeof trunkTo>[1], unreachable = false) => {
    const net = new VirtualNetwork();
    if (unreachable) net.unreachable.add(`udp:${THEM}`);
    const sent: number[] = [];
    const onSent = (): void => void sent.push(net.scheduler.now());
    return { sent, call: dial({ net, trunk: trunk ?? {}, events: { onSent } }) };
  };
  test('when its bytes are on the way, once; not when they could not be', () => {
    const { sent, call } = sentLog({});
    call.net.scheduler.advance(5000);
    expect(call.heard('INVITE').length).toBeGreaterThan(2);
    expect(sent.length).toBe(1);
    expect(sentLog({}, true).sent).toEqual([]);
  });
  test('where it is challenged: with its credentials', () => {
    const { sent, call } = sentLog(account);
    expect(sent).toEqual([]);
    call.answer(call.last('INVITE'), 407, { headers: [CHALLENGE] });
    expect(sent.length).toBe(1);
  });
});

describe('the closing of the window', () => {
  test('ends the ringing, whatever the ring timeout', () => {
    const net = new VirtualNetwork();
    const call = dial({ net, request: { ringUntil: net.scheduler.now() + 4000 } });
    const invite = call.last('INVITE');
    call.answer(invite, 180);
    call.net.scheduler.advance(3900);
    expect(call.heard('CANCEL')).toEqual([]);
    call.net.scheduler.advance(100);
    expect(call.heard('CANCEL').length).toBe(1);
    call.answer(call.last('CANCEL'), 200);
    call.answer(invite, 487);
    expect(call.log).toEqual(['ringing 180', 'failed no_answer null false']);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });
  test('ends the copies of an INVITE that nothing answers; a late answer is cancelled', () => {
    const net = new VirtualNetwork();
    const call = dial({ net, request: { ringUntil: net.scheduler.now() + 1000 } });
    call.net.scheduler.advance(1000);
    const copies = call.heard('INVITE').length;
    call.net.scheduler.advance(10_000);
    expect(call.heard('INVITE').length).toBe(copies);
    call.answer(call.last('INVITE'), 180);
    expect(call.heard('CANCEL').length).toBe(1);
  });
});

test('an INVITE is not repeated by a process that may have lost its calls; what comes of it is still taken', () => {
  let mayRepeat = true;
  const call = dial({ request: { ringTimeoutMs: 60_000 }, mayRepeatInvite: () => mayRepeat });
  call.net.scheduler.advance(600);
  expect(call.heard('INVITE').length).toBe(2);
  mayRepeat = false;
  call.net.scheduler.advance(10_000);
  expect(call.heard('INVITE').length).toBe(2);
  call.answer(call.last('INVITE'), 180);
  call.leg.hangup('stopped');
  call.net.scheduler.advance(10);
  expect(call.log).toEqual(['ringing 180']);
  expect(call.heard('CANCEL').length).toBe(1);
});
