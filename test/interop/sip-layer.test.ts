import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { InboundLeg, OutboundLeg, SignallingEvents } from '@callwright/sip';
import { createSignalling, type SipSignalling } from '../../src/telephony/signalling.ts';
import type { Trunk } from '../../src/telephony/trunks/trunk.ts';
import { startBaresip } from '../helpers/sip/baresip.ts';
import { startKamailio, type Kamailio } from '../helpers/sip/kamailio.ts';
import { freePort, until, type PeerProcess } from '../helpers/sip/peer-process.ts';
import { callee, startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { startUdpImpair } from '../helpers/sip/udp-impair.ts';

const SDP = [
  'v=0',
  'o=callwright 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  'a=rtpmap:0 PCMU/8000',
  '',
].join('\r\n');

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

interface Placed {
  readonly leg: OutboundLeg;
  readonly log: string[];
  over(): Promise<void>;
}

function place(
  signalling: SipSignalling,
  patch: {
    to?: string;
    ringTimeoutMs?: number;
    redirect?: (to: string) => Promise<boolean>;
    onAnswer?: (leg: OutboundLeg) => void;
    onRinging?: (leg: OutboundLeg) => void;
  } = {},
): Placed {
  const log: string[] = [];
  const events: SignallingEvents = {
    onRinging: ({ sipCode }) => {
      log.push(`ringing ${sipCode}`);
      patch.onRinging?.(leg);
    },
    onAnswered: ({ sdp }) => {
      log.push(sdp.startsWith('v=0') ? 'answered' : 'answered without SDP');
      patch.onAnswer?.(leg);
    },
    onFailed: ({ failure, sipCode, neverSent }) =>
      log.push(`failed ${failure} ${sipCode}${neverSent ? ' never sent' : ''}`),
    onEnded: ({ by }) => log.push(`ended ${by}`),
    onReoffer: () => SDP,
    onDtmf: (digit) => log.push(`dtmf ${digit}`),
  };
  const leg: OutboundLeg = signalling.call(
    {
      trunkId: trunkTo(0).id,
      from: '+15550001',
      to: patch.to ?? '+15550002',
      displayName: 'Callwright "test"',
      sdpOffer: SDP,
      ringTimeoutMs: patch.ringTimeoutMs ?? 20_000,
      ...(patch.redirect === undefined ? {} : { redirect: patch.redirect }),
      attemptId: `attempt-${Math.random().toString(36).slice(2)}`,
    },
    events,
  );
  return {
    leg,
    log,
    over: () => until(() => log.some((line) => /^(failed|ended)/.test(line)), 'the call is over', 60_000),
  };
}

/** `as written` when all of SIPp's calls followed the scenario, else its errors. */
const verdict = async (peer: PeerProcess): Promise<string> =>
  (await peer.exited()) === 0 ? 'as written' : peer.output();

const hangUpSoon = (leg: OutboundLeg): void => void setTimeout(() => leg.hangup('agent done'), 100);

describe('SIPp as the callee', () => {
  test.each(['udp', 'tcp'] as const)('rings, answers, receives our BYE (%s)', async (transport) => {
    const peer = keep(await startSipp({ scenario: 'uas', transport, args: ['-m', '1'] }));
    const signalling = await ours([trunkTo(peer.port, { transport })]);
    const call = place(signalling, { onAnswer: hangUpSoon });
    await call.over();
    expect(call.log).toEqual(['ringing 180', 'answered', 'ended agent']);
    expect(await verdict(peer)).toBe('as written');
  });

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

  test.each(['udp', 'tcp'] as const)(
    'gets PRACK for its reliable 183 and 200 for its UPDATE (%s)',
    async (transport) => {
      const scenario = callee.ringsReliably;
      const peer = keep(await startSipp({ scenario, transport, args: ['-m', '1'] }));
      const signalling = await ours([trunkTo(peer.port, { transport })]);
      const call = place(signalling, {
        onAnswer: (leg) =>
          void until(
            () => signalling.trace(leg.sipCallId).some(({ what }) => what === '200 UPDATE'),
            'the UPDATE is answered',
          ).then(
            () => leg.hangup('agent done'),
            () => leg.hangup('no UPDATE'),
          ),
      });
      await call.over();
      expect(call.log).toEqual(['ringing 183', 'answered', 'ended agent']);
      expect(await verdict(peer)).toBe('as written');
    },
  );

  test.each(['udp', 'tcp'] as const)(
    'gets the longer session that its 422 demands (%s)',
    async (transport) => {
      const scenario = callee.demandsLongSession;
      const peer = keep(await startSipp({ scenario, transport, args: ['-m', '1'] }));
      const call = place(await ours([trunkTo(peer.port, { transport })]), { onAnswer: hangUpSoon });
      await call.over();
      expect(call.log).toEqual(['answered', 'ended agent']);
      expect(await verdict(peer)).toBe('as written');
    },
  );

  test.each(['udp', 'tcp'] as const)('sends the call elsewhere with 302 (%s)', async (transport) => {
    const peer = keep(await startSipp({ scenario: callee.movesOnce, transport, args: ['-m', '1'] }));
    const asked: string[] = [];
    const call = place(await ours([trunkTo(peer.port, { transport })]), {
      redirect: async (to) => asked.push(to) > 0,
      onAnswer: hangUpSoon,
    });
    await call.over();
    expect(call.log).toEqual(['answered', 'ended agent']);
    expect(asked).toEqual([expect.stringMatching(/^sip:peer@127\.0\.0\.1/)]);
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
