import { describe, expect, test } from 'vitest';
import type { InviteGate } from './call.ts';
import { createAuthenticator } from './digest-client.ts';
import type { Header } from './message.ts';
import { VirtualNetwork, peerAt } from '../test/virtual-network.ts';
import { dial, outbound, recorder, THEM, trunkTo, US } from '../test/virtual-call.ts';

const CHALLENGE: Header = { name: 'proxy-authenticate', value: 'Digest realm="r", nonce="n", qop="auth"' };
const account = { authenticator: createAuthenticator({ username: 'u', password: 'p' }) };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A dial gate with a given state, which counts its `reopen` calls. */
function gateThat(isOpen: boolean, reopens: boolean): InviteGate & { open: boolean; reopenCalls: number } {
  const gate = {
    open: isOpen,
    reopenCalls: 0,
    isOpen: () => gate.open,
    reopen: async () => {
      gate.reopenCalls += 1;
      gate.open = reopens;
      return reopens;
    },
  };
  return gate;
}

/** A call over a trunk whose name look-up takes `lookUpMs`. */
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

describe('an INVITE after its dial permit expired', () => {
  test('passes the gate again after a slow look-up and is sent with a new permit', async () => {
    const gate = gateThat(true, true);
    const call = dialByName({ gate }, 4000);
    call.net.scheduler.advance(3999);
    expect(call.log).toEqual([]);
    gate.open = false;
    call.net.scheduler.advance(1);
    await settled();
    call.net.scheduler.advance(10);
    expect({ reopenCalls: gate.reopenCalls, log: call.log, received: call.peer.received.length }).toEqual({
      reopenCalls: 1,
      log: ['sent'],
      received: 1,
    });
  });
  test('is not sent while the gate stays closed', async () => {
    const gate = gateThat(false, false);
    const call = dialByName({ gate }, 4000);
    call.net.scheduler.advance(4000);
    await settled();
    call.net.scheduler.advance(70_000);
    expect({ ...call, net: null, peer: call.peer.received }).toEqual({
      net: null,
      peer: [],
      log: ['failed failed null true'],
      late: [true],
    });
  });
  test('is not sent when the window closes during the look-up', async () => {
    const net = new VirtualNetwork();
    const call = dialByName({ ringUntil: net.scheduler.now() + 3000 }, 4000);
    call.net.scheduler.advance(3000);
    expect(call.late).toEqual([true]);
    call.net.scheduler.advance(2000);
    await settled();
    call.net.scheduler.advance(2000);
    expect(call.peer.received).toEqual([]);
  });
  test('passes the gate again for the credentials after a late challenge', async () => {
    for (const reopens of [true, false]) {
      const gate = gateThat(true, reopens);
      const call = dial({ request: { gate }, trunk: account });
      call.answer(call.last('INVITE'), 100);
      gate.open = false;
      call.answer(call.last('INVITE'), 407, { headers: [CHALLENGE] });
      await settled();
      call.net.scheduler.advance(10);
      expect({
        reopenCalls: gate.reopenCalls,
        received: call.received('INVITE').length,
        log: call.log,
      }).toEqual(
        reopens
          ? { reopenCalls: 1, received: 2, log: [] }
          : { reopenCalls: 1, received: 1, log: ['failed failed null true'] },
      );
    }
  });
  test('is not sent when the call is hung up while the gate decides', async () => {
    const gate = gateThat(true, true);
    const call = dial({ request: { gate }, trunk: account });
    gate.open = false;
    call.answer(call.last('INVITE'), 407, { headers: [CHALLENGE] });
    call.leg.hangup('stopped');
    await settled();
    call.net.scheduler.advance(100);
    expect(call.received('INVITE').length).toBe(1);
    expect(call.log).toEqual(['failed cancelled null true']);
  });
});

describe('onSent', () => {
  const sentLog = (trunk: Parameters<typeof trunkTo>[1], unreachable = false) => {
    const net = new VirtualNetwork();
    if (unreachable) net.unreachable.add(`udp:${THEM}`);
    const sent: number[] = [];
    const onSent = (): void => void sent.push(net.scheduler.now());
    return { sent, call: dial({ net, trunk: trunk ?? {}, events: { onSent } }) };
  };
  test('is called once when the network takes the INVITE, and not when sending fails', () => {
    const { sent, call } = sentLog({});
    call.net.scheduler.advance(5000);
    expect(call.received('INVITE').length).toBeGreaterThan(2);
    expect(sent.length).toBe(1);
    expect(sentLog({}, true).sent).toEqual([]);
  });
  test('is called for the INVITE with credentials when the trunk challenges', () => {
    const { sent, call } = sentLog(account);
    expect(sent).toEqual([]);
    call.answer(call.last('INVITE'), 407, { headers: [CHALLENGE] });
    expect(sent.length).toBe(1);
  });
});

describe('the end of the dialling window', () => {
  test('ends ringing before the ring timeout', () => {
    const net = new VirtualNetwork();
    const call = dial({ net, request: { ringUntil: net.scheduler.now() + 4000 } });
    const invite = call.last('INVITE');
    call.answer(invite, 180);
    call.net.scheduler.advance(3900);
    expect(call.received('CANCEL')).toEqual([]);
    call.net.scheduler.advance(100);
    expect(call.received('CANCEL').length).toBe(1);
    call.answer(call.last('CANCEL'), 200);
    call.answer(invite, 487);
    expect(call.log).toEqual(['ringing 180', 'failed no_answer null false']);
    call.net.scheduler.advance(70_000);
    expect(call.net.scheduler.pending).toBe(0);
  });
  test('stops retransmission of an unanswered INVITE; a late response is cancelled', () => {
    const net = new VirtualNetwork();
    const call = dial({ net, request: { ringUntil: net.scheduler.now() + 1000 } });
    call.net.scheduler.advance(1000);
    const copies = call.received('INVITE').length;
    call.net.scheduler.advance(10_000);
    expect(call.received('INVITE').length).toBe(copies);
    call.answer(call.last('INVITE'), 180);
    expect(call.received('CANCEL').length).toBe(1);
  });
});

test('a possibly fenced node does not retransmit an INVITE but still handles its responses', () => {
  let mayRepeat = true;
  const call = dial({ request: { ringTimeoutMs: 60_000 }, mayRepeatInvite: () => mayRepeat });
  call.net.scheduler.advance(600);
  expect(call.received('INVITE').length).toBe(2);
  mayRepeat = false;
  call.net.scheduler.advance(10_000);
  expect(call.received('INVITE').length).toBe(2);
  call.answer(call.last('INVITE'), 180);
  call.leg.hangup('stopped');
  call.net.scheduler.advance(10);
  expect(call.log).toEqual(['ringing 180']);
  expect(call.received('CANCEL').length).toBe(1);
});
