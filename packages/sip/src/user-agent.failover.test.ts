import { describe, expect, test } from 'vitest';
import { header } from './message.ts';
import { peerAt, VirtualNetwork } from '../test/virtual-network.ts';
import { dial, outbound, recorder, THEM, trunkTo, US } from '../test/virtual-call.ts';

describe('an outbound call above the datagram limit', () => {
  test('a large INVITE goes over TCP with transport auto, and over UDP when TCP fails', () => {
    const request = { sdpOffer: 'x'.repeat(1400) };
    const both = dial({ request, trunk: { transport: 'auto' } });
    expect(both.last('INVITE').via[0]?.transport).toBe('TCP');
    expect(header(both.last('INVITE'), 'contact')).toContain(';transport=tcp');
    const net = new VirtualNetwork();
    net.unreachable.add(`tcp:${THEM}`);
    const udp = dial({ request, trunk: { transport: 'auto' }, net });
    udp.net.scheduler.advance(10);
    expect(udp.last('INVITE').via[0]?.transport).toBe('UDP');
    expect(header(udp.last('INVITE'), 'contact')).not.toContain('transport');
    const only = dial({ request });
    expect(only.last('INVITE').via[0]?.transport).toBe('UDP');
  });

  test('a carrier without TCP is asked for it once an hour and not blamed for it', () => {
    const net = new VirtualNetwork();
    net.unreachable.add(`tcp:${THEM}`);
    const blamed: string[] = [];
    const trunk = {
      transport: 'auto',
      demote: () => void blamed.push('demoted'),
      suspect: () => void blamed.push('suspect'),
    } as const;
    const request = { sdpOffer: 'x'.repeat(1400) };
    const call = dial({ net, trunk, request });
    net.scheduler.advance(10);
    expect(call.last('INVITE').via[0]?.transport).toBe('UDP');
    const sent = (): string[] => call.agent.trace(`second@${US}`).map(({ what }) => what);
    const second = (attemptId: string): void =>
      void call.agent.call(trunkTo(THEM, trunk), outbound({ ...request, attemptId }), recorder().events);
    second('second');
    net.scheduler.advance(10);
    // One INVITE, at once over UDP.
    expect(sent()).toEqual(['INVITE']);
    expect(blamed).toEqual([]);
    net.unreachable.clear();
    net.scheduler.advance(3_600_000);
    second('third');
    net.scheduler.advance(10);
    expect(call.last('INVITE').via[0]?.transport).toBe('TCP');
  });
});

test('a peer that answers 503 to an INVITE over its TCP is demoted under its own transport', () => {
  const demoted: string[] = [];
  const call = dial({
    request: { sdpOffer: 'x'.repeat(1400) },
    trunk: { transport: 'auto', demote: ({ transport }) => void demoted.push(transport) },
  });
  expect(call.last('INVITE').via[0]?.transport).toBe('TCP');
  call.answer(call.last('INVITE'), 503);
  expect(demoted).toEqual(['udp']);
});

describe('an outbound call with two peers', () => {
  const SECOND = '192.0.2.10';
  function dialTwo() {
    const net = new VirtualNetwork();
    const second = net.peer(SECOND);
    const demoted: string[] = [];
    const suspects: string[] = [];
    const peers = [peerAt(THEM), peerAt(SECOND)];
    const call = dial({
      net,
      request: { ringTimeoutMs: 60_000 },
      trunk: {
        known: () => peers,
        demote: ({ address }) => void demoted.push(address),
        suspect: ({ address }) => void suspects.push(address),
      },
    });
    return { ...call, second, demoted, suspects };
  }
  test('does not suspect a peer that sends 100 in time', () => {
    const call = dialTwo();
    call.answer(call.last('INVITE'), 100);
    call.net.scheduler.advance(20_000);
    expect(call.suspects).toEqual([]);
  });
  test('suspects a peer that the network does not reach, and tries the second', () => {
    const net = new VirtualNetwork();
    net.unreachable.add(`udp:${THEM}`);
    const second = net.peer(SECOND);
    const suspects: string[] = [];
    dial({
      net,
      trunk: {
        known: () => [peerAt(THEM), peerAt(SECOND)],
        suspect: ({ address }) => void suspects.push(address),
      },
    });
    net.scheduler.advance(100);
    expect(suspects).toEqual([THEM]);
    expect(second.received.at(-1)).toMatchObject({ kind: 'request', method: 'INVITE' });
  });
  test('tries the second peer after 503 and demotes the first', () => {
    const call = dialTwo();
    call.answer(call.last('INVITE'), 503);
    const invite = call.second.received.at(-1);
    expect(invite).toMatchObject({ kind: 'request', method: 'INVITE' });
    expect(call.demoted).toEqual([THEM]);
    expect(call.log).toEqual([]);
  });
  test.each([500, 502, 504])(
    'tries the second peer after %i and keeps the first for the next call',
    (status) => {
      const call = dialTwo();
      call.answer(call.last('INVITE'), status);
      expect(call.second.received.at(-1)).toMatchObject({ kind: 'request', method: 'INVITE' });
      expect([call.demoted, call.suspects, call.log]).toEqual([[], [], []]);
    },
  );
  test.each([403, 404, 480, 486, 501, 603])('does not try the second peer after %i', (status) => {
    const call = dialTwo();
    call.answer(call.last('INVITE'), status);
    expect(call.second.received).toEqual([]);
    expect(call.log.length).toBe(1);
  });
  test('does not try the second peer after the first one reported ringing', () => {
    const call = dialTwo();
    call.answer(call.last('INVITE'), 180);
    call.answer(call.last('INVITE'), 503);
    expect(call.second.received).toEqual([]);
    expect(call.log).toEqual(['ringing 180', 'failed failed 503 false']);
  });
  test('suspects a silent peer after 1.5 s and demotes it after 32 s, and sends the INVITE to no other', () => {
    const call = dialTwo();
    call.net.scheduler.advance(1_400);
    expect(call.suspects).toEqual([]);
    call.net.scheduler.advance(100);
    expect(call.suspects).toEqual([THEM]);
    expect(call.demoted).toEqual([]);
    call.net.scheduler.advance(33_000);
    expect(call.second.received).toEqual([]);
    expect([call.suspects, call.demoted]).toEqual([[THEM], [THEM]]);
    expect(call.log).toEqual(['failed failed null false']);
  });
});
