import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { InboundLeg } from '@callwright/sip';
import { createSignalling, type SipSignalling } from '../../src/telephony/signalling.ts';
import type { Trunk } from '../../src/telephony/trunks/trunk.ts';
import { startBaresip } from '../helpers/sip/baresip.ts';
import { startKamailio, type Kamailio } from '../helpers/sip/kamailio.ts';
import { freePort, until, type PeerProcess } from '../helpers/sip/peer-process.ts';
import { hangUpSoon, place, type Placed, SDP, verdict } from '../helpers/sip/placed-call.ts';
import { callee, startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { startUdpImpair } from '../helpers/sip/udp-impair.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});
const keep = <T extends PeerProcess>(peer: T): T => {
  running.push(() => peer.stop());
  return peer;
};

const trunkTo = (port: number, patch: Partial<Trunk> = {}): Trunk => ({
  id: '0190a0a0-0000-7000-8000-000000000001',
  name: 'peer',
  uri: `sip:127.0.0.1:${port}`,
  username: null,
  password: null,
  register: false,
  transport: 'udp',
  allowedSources: [],
  ...patch,
});

async function ours(trunks: readonly Trunk[], probeIntervalMs: number | null = null): Promise<SipSignalling> {
  const signalling = createSignalling({
    hosts: ['127.0.0.1'],
    udpPort: 0,
    tcpPort: 0,
    publicAddress: null,
    trunks,
    clock: systemClock,
    log: silentLog,
    probeIntervalMs,
  });
  await signalling.start();
  running.push(() => signalling.stop());
  return signalling;
}

const portOf = (signalling: SipSignalling, transport: 'udp' | 'tcp'): number =>
  Number(
    signalling
      .health()
      .listening.find((l) => l.startsWith(transport))
      ?.split(':')
      .at(-1),
  );

describe('SIPp as the callee', () => {
  test.each([
    ['486 Busy Here', 'failed busy 486'],
    ['404 Not Found', 'failed invalid_number 404'],
    ['503 Service Unavailable', 'failed failed 503'],
    ['603 Decline', 'failed rejected 603'],
    ['480 Temporarily Unavailable', 'failed no_answer 480'],
  ])('%s is reported as "%s"', async (status, line) => {
    const peer = keep(await startSipp({ scenario: callee.refuses(status), args: ['-m', '1'] }));
    const signalling = await ours([trunkTo(peer.port)]);
    const call = place(signalling);
    await call.over();
    expect(call.log).toEqual([line]);
    expect(await verdict(peer)).toBe('as written');
  });

  test('receives CANCEL at the ring timeout', async () => {
    const peer = keep(await startSipp({ scenario: callee.ringsOnly, args: ['-m', '1'] }));
    const call = place(await ours([trunkTo(peer.port)]), { ringTimeoutMs: 1_000 });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'failed no_answer null']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('receives CANCEL when we hang up while it rings', async () => {
    const peer = keep(await startSipp({ scenario: callee.ringsOnly, args: ['-m', '1'] }));
    const call = place(await ours([trunkTo(peer.port)]), { onRinging: (leg) => leg.hangup('stopped') });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'failed cancelled 487']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('an answer that crosses CANCEL gets ACK and BYE', async () => {
    const peer = keep(await startSipp({ scenario: callee.answersCancelled, args: ['-m', '1'] }));
    const call = place(await ours([trunkTo(peer.port)]), { onRinging: (leg) => leg.hangup('stopped') });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'failed cancelled null']);
    expect(await verdict(peer)).toBe('as written');
  });

  test('a TCP trunk without a listener fails as never sent', async () => {
    const call = place(await ours([trunkTo(await freePort(), { transport: 'tcp' })]));
    await call.over();
    expect(call.log).toEqual(['failed failed null never sent']);
  });

  test('200 calls at 20 per cent loss each way', async () => {
    const calls = 200;
    const relay = { port: 0 };
    const target = { port: 0 };
    const impair = await startUdpImpair(target, { loss: 0.2, delayMs: 5, seed: 7 });
    running.push(() => impair.close());
    relay.port = impair.port;
    const scenario = callee.answers;
    const peer: Sipp = keep(await startSipp({ scenario, keys: { contact_port: String(relay.port) } }));
    target.port = peer.port;
    const signalling = await ours([trunkTo(relay.port)]);
    const placed: Placed[] = [];
    for (let i = 0; i < calls; i++) {
      placed.push(place(signalling, { onAnswer: hangUpSoon }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const call of placed) await call.over();
    const answered = placed.filter((call) => call.log.includes('answered')).length;
    console.log(
      `20 % loss: ${answered} of ${calls} answered, ${impair.counts.lost} datagrams lost, ${impair.counts.passed} passed`,
    );
    expect(answered).toBeGreaterThanOrEqual(calls * 0.97);
    await until(() => signalling.liveCalls() === 0, 'no call is left');
  });
});

describe('SIPp as the caller', () => {
  test.each(['udp', 'tcp'] as const)('50 calls are answered and ended by its BYE (%s)', async (transport) => {
    const signalling = await ours([trunkTo(5060)]);
    const ends: string[] = [];
    signalling.onInbound((leg: InboundLeg) => {
      leg.listen({
        onAnswered: () => ends.push('answered'),
        onFailed: ({ failure }) => ends.push(failure),
        onEnded: ({ by }) => ends.push(by),
        onReoffer: () => null,
        onDtmf: () => {},
      });
      leg.ringing();
      leg.answer(SDP);
    });
    const target = `127.0.0.1:${portOf(signalling, transport)}`;
    const peer = keep(
      await startSipp({
        scenario: 'uac',
        target,
        transport,
        args: ['-m', '50', '-r', '50', '-d', '100', '-s', '+15550100'],
      }),
    );
    expect(await verdict(peer)).toBe('as written');
    expect(ends).toEqual(Array.from({ length: 50 }, () => 'caller'));
    expect(signalling.liveCalls()).toBe(0);
  });
});

describe('SIPp that cannot start', () => {
  test.each([
    ['an unknown option', { args: ['-no_such_option'] }],
    ['an unreadable scenario', { scenario: '<scenario name="cut off">' }],
  ])('%s rejects at once with the output of SIPp', async (_, options) => {
    await expect(startSipp({ scenario: 'uas', ...options })).rejects.toThrow(
      /^ended with \d+ before: SIPp has bound its port\n.+/s,
    );
  });
});

describe('Kamailio as a registrar and proxy', () => {
  const USER = { username: 'agent', password: 's3cret' };

  async function registered(
    transport: 'udp' | 'tcp',
  ): Promise<{ kamailio: Kamailio; signalling: SipSignalling; calleePort: number; trustedPort: number }> {
    const calleePeer = keep(await startSipp({ scenario: 'uas' }));
    const trustedPort = await freePort();
    const kamailio = keep(await startKamailio({ calleePort: calleePeer.port, trustedPort }));
    const signalling = await ours([trunkTo(kamailio.port, { ...USER, register: true, transport })], 60_000);
    await until(
      () => signalling.health().trunks[0]?.registered === true,
      `registered: ${kamailio.output().slice(-500)}`,
    );
    return { kamailio, signalling, calleePort: calleePeer.port, trustedPort };
  }

  test.each(['udp', 'tcp'] as const)('accepts REGISTER and calls with digest (%s)', async (transport) => {
    const { signalling } = await registered(transport);
    const call = place(signalling, { to: '+15551234', onAnswer: hangUpSoon });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'answered', 'ended agent']);
    await until(() => signalling.health().trunks[0]?.reachable === true, 'OPTIONS is answered');
    expect(signalling.trace(call.leg.sipCallId).map(({ what }) => what)).toContain('407 INVITE');
  });

  test.each(['udp', 'tcp'] as const)('delivers a call to the registered account (%s)', async (transport) => {
    const { signalling, kamailio, trustedPort } = await registered(transport);
    const calls: { to: string; from: string }[] = [];
    const ends: string[] = [];
    signalling.onInbound((leg) => {
      calls.push({ to: leg.to, from: leg.from });
      leg.listen({
        onAnswered: () => {},
        onFailed: ({ failure }) => ends.push(failure),
        onEnded: ({ by }) => ends.push(by),
        onReoffer: () => null,
        onDtmf: () => {},
      });
      leg.answer(SDP);
    });
    const caller = place(await ours([trunkTo(kamailio.port)]), { to: USER.username });
    // From another port than the trusted one, Kamailio challenges and the caller has no credentials.
    await caller.over();
    expect(caller.log).toEqual(['failed failed 407']);
    const trusted = createSignalling({
      hosts: ['127.0.0.1'],
      udpPort: trustedPort,
      tcpPort: null,
      publicAddress: null,
      trunks: [trunkTo(kamailio.port)],
      clock: systemClock,
      log: silentLog,
      probeIntervalMs: null,
    });
    await trusted.start();
    running.push(() => trusted.stop());
    const call = place(trusted, { to: USER.username, onAnswer: hangUpSoon });
    await call.over();
    expect(call.log.at(-1)).toBe('ended agent');
    await until(() => ends.length === 1, 'the callee has seen the end');
    expect(calls).toEqual([{ to: USER.username, from: '+15550001' }]);
    expect(ends).toEqual(['caller']);
  });

  test('a wrong password leaves the trunk unregistered, with one answer per challenge', async () => {
    const kamailio = keep(await startKamailio({ calleePort: 9, trustedPort: 9 }));
    const signalling = await ours(
      [trunkTo(kamailio.port, { username: 'agent', password: 'wrong', register: true })],
      60_000,
    );
    await until(() => signalling.health().trunks[0]?.reachable === true, 'OPTIONS is answered');
    expect(signalling.health().trunks[0]?.registered).toBe(false);
    const call = place(signalling, { to: '+15551234' });
    await call.over();
    expect(call.log).toEqual(['failed failed 407']);
    expect(signalling.trace(call.leg.sipCallId).filter(({ what }) => what === 'INVITE').length).toBe(2);
  });
});

describe('baresip', () => {
  test.each(['udp', 'tcp'] as const)('answers, holds, resumes, hangs up (%s)', async (transport) => {
    const phone = keep(await startBaresip());
    const signalling = await ours([trunkTo(phone.port, { transport })]);
    const call = place(signalling, { to: phone.user });
    await phone.waitFor('CALL_ESTABLISHED');
    const reInvites = (): number =>
      signalling
        .trace(call.leg.sipCallId)
        .filter(({ direction, what }) => direction === 'in' && what === 'INVITE').length;
    phone.command('hold');
    await until(() => reInvites() === 1, 'baresip holds');
    phone.command('resume');
    await until(() => reInvites() === 2, 'baresip resumes');
    call.leg.sendInfoDtmf('5');
    await until(
      () => signalling.trace(call.leg.sipCallId).some(({ what }) => what === '200 INFO'),
      'INFO is answered',
    );
    phone.command('hangup');
    await call.over();
    expect(call.log.filter((line) => !line.startsWith('ringing'))).toEqual(['answered', 'ended caller']);
  });

  test('calls us and receives our BYE', async () => {
    const phone = keep(await startBaresip({ user: 'caller' }));
    const signalling = await ours([trunkTo(phone.port)]);
    const ends: string[] = [];
    const legs: InboundLeg[] = [];
    signalling.onInbound((leg) => {
      legs.push(leg);
      leg.listen({
        onAnswered: () => {},
        onFailed: ({ failure }) => ends.push(failure),
        onEnded: ({ by }) => ends.push(by),
        onReoffer: () => null,
        onDtmf: () => {},
      });
      leg.ringing();
      leg.answer(SDP);
    });
    phone.command('dial', `sip:agent@127.0.0.1:${portOf(signalling, 'udp')}`);
    await phone.waitFor('CALL_ESTABLISHED');
    expect(legs[0]).toMatchObject({ from: 'caller', to: 'agent' });
    expect(legs[0]?.sdpOffer).toContain('m=audio');
    legs[0]?.hangup('agent done');
    await phone.waitFor('CALL_CLOSED');
    expect(ends).toEqual(['agent']);
  });
});
