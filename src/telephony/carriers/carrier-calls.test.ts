import { describe, expect, it } from 'vitest';
import type { InviteGate, SignallingEvents } from '@callwright/sip';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { silentLog } from '../../shared/log.ts';
import { placingNode } from '../../shared/stream-token.ts';
import type { WebSocketHandover } from '../web/handover.ts';
import { CarrierCalls, type StreamRequest } from './carrier-calls.ts';
import type { CarrierAnswer, CarrierRequest, CarrierTrunk } from './carrier-trunk.ts';

const TRUNK: CarrierTrunk = {
  id: 't',
  name: 'twilio',
  kind: 'twilio',
  uri: 'https://api.twilio.com',
  username: 'AC1',
  authUsername: null,
  application: null,
  signingKey: null,
  password: 'secret',
};
const ATTEMPT = 'c-1';
const NODE = '0198a5a0-0000-7000-8000-0000000000aa';
const UPGRADE = { urls: [], headers: {}, at: 0 };
const SOCKET: WebSocketHandover = { fd: 0, headers: {}, head: new Uint8Array() };

/** Runs what waits for an answer of the carrier. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The calls of a process in virtual time, whose carrier answers every request with the next of `answers`. */
function rig(
  answers: readonly (CarrierAnswer | object)[] = [{ sid: 'CA1' }],
  gate?: InviteGate,
  kind: CarrierKind = 'twilio',
) {
  const timers = new Set<{ at: number; run: () => void }>();
  let now = 1_000_000;
  const requests: string[] = [];
  const bodies: string[] = [];
  const seen: string[] = [];
  const tokens: string[] = [];
  const left = [...answers];
  const carriers = new CarrierCalls({
    log: silentLog,
    scheduler: {
      now: () => now,
      after: (ms, run) => {
        const timer = { at: now + ms, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    fetch: async ({ method, url, body }: CarrierRequest) => {
      requests.push(`${method} ${url.replace(/^.*Accounts/, '')} ${body?.slice(0, 16) ?? ''}`.trim());
      bodies.push(body ?? '');
      const next = left.shift() ?? {};
      return 'ok' in next
        ? (next as CarrierAnswer)
        : { ok: true, status: 200, body: Buffer.from(JSON.stringify(next)) };
    },
    streamUrl: (token) => {
      tokens.push(token);
      return `wss://calls.example.com/carrier/${token}`;
    },
    audioSocketAt: () => 'calls.example.com:9092',
    nodeId: () => NODE,
    upgradeFault: (_trunk, { headers }) => (headers['forged'] === undefined ? null : 'forged'),
    answerUrl: () => '',
    transferUrl: () => '',
    statusUrl: ({ id }, attemptId) => `https://calls.example.com/carriers/${id}/status/${attemptId}`,
  });
  carriers.setTrunks([{ ...TRUNK, kind }]);
  const events: SignallingEvents = {
    onSent: () => void seen.push('sent'),
    onRinging: () => void seen.push('ringing'),
    onAnswered: () => void seen.push('answered'),
    onFailed: ({ failure, neverSent, tooLate }) =>
      void seen.push(
        [failure, ...(neverSent ? ['never sent'] : []), ...(tooLate === true ? ['too late'] : [])].join(', '),
      ),
    onEnded: ({ by }) => void seen.push(`ended by ${by}`),
    onReoffer: () => null,
    onDtmf: () => undefined,
  };
  const request: StreamRequest = {
    trunkId: 't',
    from: '+14155550100',
    to: '+14155550188',
    displayName: null,
    sdpOffer: '',
    ringTimeoutMs: 30_000,
    attemptId: ATTEMPT,
    ...(gate === undefined ? {} : { gate }),
    takeStream: (_socket, carrierCallId) => void seen.push(`stream of ${carrierCallId}`),
  };
  return {
    carriers,
    requests,
    bodies,
    seen,
    place: () => carriers.call(request, events),
    token: () => tokens.at(-1) ?? '',
    report: (state: CarrierCallState | null, trunkId = 't') =>
      carriers.status({ trunkId, attemptId: ATTEMPT, carrierCallId: 'CA1', state, sipCode: null }),
    advance: async (ms: number) => {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.run();
        await settled();
      }
      now = until;
    },
  };
}

const gateOf = (isOpen: boolean, reopens: boolean): InviteGate => ({
  isOpen: () => isOpen,
  reopen: () => Promise.resolve(reopens),
});
const PLACE = 'POST /AC1/Calls.json To=%2B1415555018';
const END = 'POST /AC1/Calls/CA1.json Status=completed';

describe('the calls that carriers place', () => {
  it('leave once their gate is open, and use the permit up as the request leaves', async () => {
    const { place, requests, seen } = rig([{ sid: 'CA1' }], gateOf(true, false));
    place();
    expect([requests, seen]).toEqual([[PLACE], ['sent']]);
    await settled();
    const again = rig([{ sid: 'CA1' }], gateOf(false, true));
    again.place();
    await settled();
    expect(again.seen).toEqual(['sent']);
  });

  it('do not leave through a closed gate', async () => {
    const { place, requests, seen } = rig([], gateOf(false, false));
    place();
    await settled();
    expect([requests, seen]).toEqual([[], ['failed, never sent, too late']]);
  });

  it('are connected by the token of their stream, which opens it once', async () => {
    const { carriers, place, token, seen } = rig();
    const leg = place();
    await settled();
    expect(placingNode(token())).toBe(NODE);
    expect(carriers.openStream('p.unknown', UPGRADE)).toBe(null);
    expect(carriers.openStream(token(), { ...UPGRADE, headers: { forged: '' } })).toBe('forged');
    expect(carriers.openStream(token(), UPGRADE)).toEqual({ attemptId: ATTEMPT });
    expect(carriers.openStream(token(), UPGRADE)).toBe(null);
    expect([carriers.connect(ATTEMPT, SOCKET), carriers.connect(ATTEMPT, SOCKET)]).toEqual([true, false]);
    expect(seen).toEqual(['sent', 'stream of CA1', 'answered']);
    expect(leg.sipCallId).toBe('twilio:CA1');
    expect(carriers.trace('twilio:CA1')?.map(({ what }) => what)).toEqual(['place', 'accepted', 'stream']);
  });

  it('over Asterisk have a UUID for AudioSocket beside the token: the first that comes opens the stream', async () => {
    for (const first of ['uuid', 'token'] as const) {
      const { carriers, place, token, bodies } = rig([{ id: ATTEMPT }], undefined, 'asterisk');
      place();
      await settled();
      const { variables } = JSON.parse(bodies[0] ?? '') as { variables: Record<string, string> };
      const [uuid = '', at] = (variables['__CALLWRIGHT_AUDIOSOCKET'] ?? '').split(',');
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect([at, variables['__CALLWRIGHT_TOKEN']]).toEqual(['calls.example.com:9092', token()]);
      const opened = { attemptId: ATTEMPT };
      expect(carriers.openStream(first === 'uuid' ? uuid : token(), UPGRADE)).toEqual(opened);
      expect([carriers.openStream(uuid, UPGRADE), carriers.openStream(token(), UPGRADE)]).toEqual([
        null,
        null,
      ]);
    }
    const { place, bodies } = rig();
    place();
    await settled();
    expect(bodies.join()).not.toContain('9092');
  });

  it('stop to ring by the ring timeout, and are ended at the carrier until it says that they are', async () => {
    const { place, advance, requests, seen } = rig([
      { sid: 'CA1' },
      { ok: false, failure: 'timeout', detail: 'x' },
      { ok: true, status: 503, body: Buffer.alloc(0) },
      {},
    ]);
    place();
    await advance(29_999);
    expect(seen).toEqual(['sent']);
    await advance(60_000);
    expect([seen, requests]).toEqual([
      ['sent', 'no_answer'],
      [PLACE, END, END, END],
    ]);
  });

  it('are not placed again after a lost answer, and are ended when a report proves them after their failure', async () => {
    const { place, advance, report, requests, seen } = rig([{ ok: false, failure: 'network', detail: 'x' }]);
    place();
    await advance(20_000);
    expect([seen, requests]).toEqual([['sent', 'failed'], [PLACE]]);
    report('ringing');
    report('ringing');
    await settled();
    expect(requests).toEqual([PLACE, END]);
  });

  it('follow the reports of their own trunk only', async () => {
    const { place, report, seen } = rig();
    place();
    await settled();
    report('busy', 'another');
    report('ringing');
    report('busy');
    expect(seen).toEqual(['sent', 'ringing', 'busy']);
  });

  it('are all ended when the process stops', async () => {
    const { carriers, place, requests, seen } = rig();
    place();
    await settled();
    carriers.hangUpAll();
    await settled();
    expect([seen, requests]).toEqual([
      ['sent', 'cancelled'],
      [PLACE, END],
    ]);
  });

  it('tell what the carrier says of the account, once it was asked', async () => {
    const { carriers, requests } = rig([
      { status: 'active' },
      { ok: true, status: 401, body: Buffer.alloc(0) },
    ]);
    expect(carriers.health()).toEqual([{ id: 't', name: 'twilio', isWorking: null, fault: null }]);
    expect([carriers.check('another'), carriers.check('twilio')]).toEqual([false, true]);
    await settled();
    expect(carriers.health()).toMatchObject([{ isWorking: true }]);
    carriers.check('twilio');
    await settled();
    expect(carriers.health()).toMatchObject([{ isWorking: false, fault: { field: 'password' } }]);
    expect(requests).toEqual(['GET /AC1.json', 'GET /AC1.json']);
  });
});
