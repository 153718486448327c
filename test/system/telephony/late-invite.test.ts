import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, redial } from '../../../src/domain/calls/attempt/dial.ts';
import { placeOutbound } from '../../../src/dialer/outbound.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { isInviteLeaving, withdrawRetries } from '../../../src/store/calls/queued-calls.ts';
import { createSignalling, type SipSignalling } from '../../../src/telephony/signalling.ts';
import { createDialing, placingDeps, wholeCall, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { eventually } from '../../helpers/service/service.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

// A trunk with a host name whose look-up the test controls, and a carrier that never responds.
let dialing: Dialing;
let carrier: Socket;
let signalling: SipSignalling;
let received: string[] = [];
let texts: string[] = [];
let answerLookUp: () => void = () => undefined;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(async () => {
  await dialing.renew();
  received = [];
  texts = [];
  carrier = createSocket('udp4');
  carrier.on('message', (bytes) => {
    received.push(bytes.toString().split(' ')[0] ?? '');
    texts.push(bytes.toString());
  });
  carrier.bind(0, '127.0.0.1');
  await once(carrier, 'listening');
  const { port } = carrier.address();
  const known = new Promise<void>((resolve) => {
    answerLookUp = resolve;
  });
  signalling = createSignalling({
    hosts: ['127.0.0.1'],
    udpPort: 0,
    tcpPort: null,
    publicAddress: null,
    probeIntervalMs: null,
    stopGraceMs: 0,
    trunks: [
      {
        id: 'trunk',
        name: 'carrier',
        uri: `sip:carrier.example:${port}`,
        transport: 'udp',
        username: null,
        password: null,
        register: false,
        allowedSources: [],
        outgoing: { addHeaders: [{ name: 'User-to-User', value: '{{callee_name}}' }] },
      },
    ],
    clock: dialing.clock,
    log: silentLog,
    resolve: async () => {
      await known;
      return [{ transport: 'udp', address: '127.0.0.1', port }];
    },
  });
  await signalling.start();
});
afterEach(async () => {
  await signalling.stop();
  carrier.close();
});
afterAll(() => dialing.close());

const CLOSES_IN_A_MINUTE = { callConfig: { call_time: { call_end_time: '15:31' } } };

async function claimOne(options: Parameters<typeof startedCampaign>[2] = {}): Promise<Claimed> {
  const w = await createWorkspace(dialing.db);
  await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 1, ...options });
  const [claimed] = await dialing.taken(1);
  if (claimed === undefined) throw new Error('nothing claimed');
  return claimed;
}

const rowOf = (c: Claimed) =>
  dialing.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirstOrThrow();

/** Places a claimed call and waits until its look-up is pending. */
async function place(c: Claimed): Promise<{ done: Promise<void> }> {
  const deps = placingDeps(dialing, { signalling });
  const done = placeOutbound(deps, { ...wholeCall(c), trunkId: 'trunk' });
  await eventually('the gate', async () => ((await rowOf(c)).dialed_at === null ? null : true));
  await eventually('a look-up', () => Promise.resolve(signalling.liveCalls() === 1 ? true : null));
  return { done };
}

const isLeaving = (c: Claimed): Promise<boolean> =>
  isInviteLeaving(dialing.db, c.workspaceId, { callIds: [c.callId] }, new Date(dialing.clock.now() - 1000));

describe('an INVITE that waits for a name look-up', () => {
  it('is not sent after its window closed: the call is requeued for the next window without using the attempt', async () => {
    const c = await claimOne(CLOSES_IN_A_MINUTE);
    const { done } = await place(c);
    dialing.clock.advance(60_000);
    answerLookUp();
    await done;
    expect(received).toEqual([]);
    expect(await rowOf(c)).toMatchObject({
      status: 'registered',
      sub_status: 'WINDOW_CLOSED',
      attempt: 0,
      reserved: 0,
      dialed_at: null,
      next_attempt_at: new Date('2026-01-06T03:30:00Z'),
    });
    expect(await dialing.db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
  });

  it('is not sent after its campaign was paused', async () => {
    const c = await claimOne();
    const { done } = await place(c);
    dialing.clock.advance(1000);
    await dialing.db.updateTable('campaigns').set({ state: 'paused' }).execute();
    answerLookUp();
    await done;
    expect(received).toEqual([]);
    expect(await rowOf(c)).toMatchObject({ status: 'registered', attempt: 0 });
  });

  it('passes the gate again, and sent_at is set only when it is sent', async () => {
    const c = await claimOne();
    await place(c);
    expect(await isLeaving(c)).toBe(true);
    dialing.clock.advance(5000);
    const at = new Date(dialing.clock.now());
    answerLookUp();
    await eventually('the INVITE', () => Promise.resolve(received.length > 0 ? true : null));
    await eventually('its mark', async () => ((await isLeaving(c)) ? null : true));
    expect(received[0]).toBe('INVITE');
    const [attempt] = await dialing.db.selectFrom('call_attempts').selectAll().execute();
    expect(attempt).toMatchObject({ attempt: 1, sent_at: at });
    expect(await rowOf(c)).toMatchObject({ status: 'ongoing', dialed_at: at });
  });
});

describe('an INVITE of a trunk with add_headers', () => {
  it('has them with the variables of the call', async () => {
    const claimed = await claimOne();
    await place({ ...claimed, args: { ...claimed.args, callee_name: 'Zoë' } });
    answerLookUp();
    await eventually('the INVITE', () => Promise.resolve(texts.length > 0 ? true : null));
    expect(texts[0]).toMatch(/\r\nUser-to-User: 5a6fc3ab;encoding=hex\r\n/);
  });
});

describe('second pass of the dial gate', () => {
  it('limits ringing by the window and the INVITE also by the end of the campaign', async () => {
    const endAt = new Date(dialing.clock.now() + 30_000);
    const c = await claimOne({ ...CLOSES_IN_A_MINUTE, endAt });
    const ringUntil = dialing.clock.now() + 60_000;
    const permit = { go: true, inviteUntil: endAt.getTime(), ringUntil };
    expect(await dial(dialing.deps, c)).toMatchObject(permit);
    expect(await redial(dialing.deps, c)).toMatchObject(permit);
    dialing.clock.advance(30_000);
    expect(await redial(dialing.deps, c)).toEqual({ go: false, why: 'campaign_stopped' });
  });

  it('is closed before the first permit, after the window, and for a withdrawn call', async () => {
    const c = await claimOne(CLOSES_IN_A_MINUTE);
    expect(await redial(dialing.deps, c)).toEqual({ go: false, why: 'gone' });
    await dial(dialing.deps, c);
    const withdrawn = { go: false, why: 'gone' };
    await withdrawRetries(dialing.db, c.workspaceId, { callIds: [c.callId] });
    expect(await redial(dialing.deps, c)).toEqual(withdrawn);
    await dialing.db.updateTable('calls').set({ no_retry: false }).execute();
    dialing.clock.advance(60_000);
    expect(await redial(dialing.deps, c)).toEqual({ go: false, why: 'window_closed' });
    expect(await rowOf(c)).toMatchObject({ status: 'ongoing', attempt: 1 });
  });
});
