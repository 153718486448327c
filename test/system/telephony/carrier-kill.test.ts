import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fakeCarrierAccount } from '@callwright/stand-ins';
import { placeOutbound, type OutboundDeps } from '../../../src/dialer/outbound.ts';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { CARRIER_KINDS, type CarrierKind } from '../../../src/shared/carrier-kinds.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { CarrierCalls, type StreamRequest } from '../../../src/telephony/carriers/carrier-calls.ts';
import type { CarrierRequest } from '../../../src/telephony/carriers/carrier-trunk.ts';
import { createDialing, placingDeps, wholeCall, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { createNode } from '../../helpers/database/workspace.ts';
import { eventually } from '../../helpers/service/service.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

const SIGN_IN = { access_token: 'token', expires_in: 3_600 };

/** The calls of a process whose carrier takes place requests and has not answered one when the process is killed. */
function process(kind: CarrierKind, trunkId: string): { carriers: CarrierCalls; placed: CarrierRequest[] } {
  const placed: CarrierRequest[] = [];
  const carriers = new CarrierCalls({
    log: silentLog,
    scheduler: { now: () => dialing.clock.now(), after: () => () => undefined },
    fetch: (request) => {
      if (request.url.includes('/oauth2/'))
        return Promise.resolve({ ok: true, status: 200, body: Buffer.from(JSON.stringify(SIGN_IN)) });
      placed.push(request);
      return new Promise(() => undefined);
    },
    streamUrl: (token) => `wss://calls.example.com/carrier/${token}`,
    nodeId: () => dialing.deps.nodeId,
    upgradeFault: () => null,
    answerUrl: () => 'https://calls.example.com/answer',
    transferUrl: () => '',
    statusUrl: (_trunk, attemptId) => `https://calls.example.com/status/${attemptId}`,
  });
  const account = { username: 'account', authUsername: 'user', application: '1', signingKey: 'key' };
  const uri = 'https://api.example.com';
  // Vonage signs its requests with a private key.
  const { secret: password } = fakeCarrierAccount(kind);
  carriers.setTrunks([{ id: trunkId, name: kind, kind, uri, ...account, password }]);
  return { carriers, placed };
}

it.each(CARRIER_KINDS)(
  'a call over %s is dialled once and settled once when its process is killed before the answer to the place request',
  async (kind) => {
    const { claimed } = await dialing.claimedContact();
    const { callId, attempt, trunkId } = claimed;
    const { carriers, placed } = process(kind, trunkId);
    const signalling = {
      call: (request: StreamRequest, events: Parameters<CarrierCalls['call']>[1]) =>
        carriers.call(request, events),
      mediaRules: () => ({ stream: kind }),
      trace: () => [],
    };
    void placeOutbound(placingDeps(dialing, { signalling }) satisfies OutboundDeps, wholeCall(claimed));
    await eventually('the place request', async () => placed[0] ?? null);
    const { db, clock } = dialing;
    const attemptOf = () =>
      db.selectFrom('call_attempts').selectAll().where('call_id', '=', callId).execute();
    expect(await attemptOf()).toMatchObject([{ attempt, dialed_at: expect.any(Date), ended_at: null }]);

    // The process is killed; another one settles its calls, and gets the reports of the carrier.
    await db
      .updateTable('nodes')
      .set({ fenced_at: new Date(clock.now()) })
      .execute();
    expect(await reapOrphans(dialing.deps)).toBe(1);
    const after = process(kind, trunkId);
    const report = { trunkId, attemptId: `${callId}-${attempt}`, carrierCallId: 'C1', sipCode: null };
    for (const state of ['ringing', 'answered', 'completed', 'completed'] as const)
      expect(after.carriers.status({ ...report, state })).toBe(false);
    expect(await reapOrphans(dialing.deps)).toBe(0);

    const call = await db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
    expect(call).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH', cost: 0, reserved: 0 });
    expect(await attemptOf()).toMatchObject([{ attempt, sub_status: 'UNKNOWN_AFTER_CRASH' }]);
    const completed = await db
      .selectFrom('events')
      .select('event_type')
      .where('call_id', '=', callId)
      .where('event_type', '=', 'call_completed')
      .execute();
    expect(completed).toHaveLength(1);
    clock.advance(3_600_000);
    dialing.deps = { ...dialing.deps, nodeId: await createNode(db, 'later', clock.now()) };
    expect(await dialing.taken(10)).toEqual([]);
    expect([placed.length, after.placed.length]).toEqual([1, 0]);
  },
);
