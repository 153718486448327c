import type { InboundEvents, InboundLeg } from '@callwright/sip';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { EarSlots } from '../../../src/dialer/ear-slots.ts';
import { takeInboundCall } from '../../../src/dialer/inbound.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { placeOutbound } from '../../../src/dialer/outbound.ts';
import { NO_EARS } from '../../../src/dialer/prepare-call.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { SttSettings } from '../../../src/store/json/agent-version.ts';
import {
  createDialing,
  placingDeps,
  preparedTools,
  wholeCall,
  type Dialing,
} from '../../helpers/calls/claiming-node.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, queueCalls, type TestWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** A call with an agent of English, as a stored agent has its settings. */
function englishCall(call: Pick<Claimed, 'versionConfig'>): Claimed {
  const whole = wholeCall(call as Claimed);
  return {
    ...whole,
    versionConfig: { ...whole.versionConfig, language: 'en-US', secondaryLanguage: null },
  };
}

/** A node whose recogniser hears one call at once. */
function node(hasVendors = false, busyLine: string | null = null, stt: SttSettings | null = null) {
  const slots = new EarSlots({
    limit: () => 1,
    hears: (language) => language.startsWith('en'),
    hasVendors,
    now: () => dialing.clock.monotonic(),
  });
  const live = new LiveCalls(undefined, (callId) => slots.release(callId));
  const rung: string[] = [];
  const count = { preparedTools: 0 };
  const { signalling } = placingDeps(dialing);
  const deps = placingDeps(dialing, {
    live,
    ears: slots,
    prepare: () => {
      count.preparedTools += 1;
      return Promise.resolve({ ready: true, tools: preparedTools() });
    },
    // The phones ring on.
    signalling: {
      ...signalling,
      call: ({ to }: { to: string }) => {
        rung.push(to);
        return null;
      },
    },
  });
  const claim = async (): Promise<readonly Claimed[]> => {
    const batch = await claimBatch({ ...dialing.deps, engines: slots }, { visited: [], capacity: 100 });
    return batch?.claimed ?? [];
  };
  /** Resolves when the phones of these calls ring, or when the calls wait again; `free` slots are left for them. */
  const place = async (calls: readonly Claimed[], free = 1): Promise<void> => {
    const before = rung.length;
    const placed = calls.map((call) => {
      slots.reserve(call.callId, call.versionId);
      return placeOutbound(deps, englishCall(call));
    });
    const rings = hasVendors ? calls.length : Math.min(calls.length, free);
    await expect.poll(() => rung.length).toBe(before + rings);
    let waiting = calls.length - rings;
    for (const one of placed) void one.then(() => (waiting -= 1));
    await expect.poll(() => waiting).toBe(0);
  };
  /** Rings the workspace's number; resolves when the call is answered or refused. */
  const callIn = async (workspace: TestWorkspace): Promise<IncomingCall> => {
    const caller = await numberOf(workspace);
    const incoming: IncomingCall = { callId: newId(), answers: [], refusals: [], hangUp: () => undefined };
    const leg: InboundLeg = {
      ...caller,
      sipCallId: incoming.callId,
      fromTag: incoming.callId,
      peerAddress: '127.0.0.1',
      from: '+14155557777',
      displayName: null,
      headers: {},
      sdpOffer: null,
      ringing: () => undefined,
      answer: (sdp) => void incoming.answers.push(sdp),
      reject: (sipCode) => void incoming.refusals.push(sipCode),
      hangup: () => undefined,
      sendInfoDtmf: () => undefined,
      refer: () => Promise.reject(new Error('no transfer')),
      listen: (events: InboundEvents) => {
        incoming.hangUp = () =>
          events.onEnded({ by: 'caller', sipCode: 487, cause: 'CANCEL', at: dialing.clock.now() });
      },
    };
    const { db, clock, nodeId } = dialing.deps;
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const take: Parameters<typeof takeInboundCall>[0]['take'] = async (call) => {
      const decision = await takeInbound(
        { db, clock, rate, nodeId: () => nodeId },
        { ...call, callId: incoming.callId },
      );
      if ('refuse' in decision) return decision;
      return { taken: { ...decision.taken, ...versionOf(decision.taken, stt) }, keep: () => undefined };
    };
    await takeInboundCall({ ...deps, take, busyLine }, leg);
    return incoming;
  };
  return { slots, live, rung, count, claim, place, callIn };
}

interface IncomingCall {
  readonly callId: string;
  readonly answers: string[];
  readonly refusals: number[];
  hangUp(): void;
}

function versionOf(
  call: Pick<Claimed, 'versionConfig'>,
  stt: SttSettings | null,
): Pick<Claimed, 'versionConfig'> {
  const { versionConfig } = englishCall(call);
  return { versionConfig: { ...versionConfig, agentConfig: { ...versionConfig.agentConfig, stt } } };
}

/** Attaches the workspace's number to its agent; returns the number and its trunk. */
async function numberOf({
  id,
  agentId,
  numberIds,
}: TestWorkspace): Promise<Pick<InboundLeg, 'to' | 'trunkIds'>> {
  const { db } = dialing;
  await db
    .updateTable('agents')
    .set({ agent_type: 'outbound_inbound' })
    .where('workspace_id', '=', id)
    .where('id', '=', agentId)
    .execute();
  const { number, trunk_id: trunkId } = await db
    .updateTable('numbers')
    .set({ inbound_agent_id: agentId })
    .where('workspace_id', '=', id)
    .where('id', '=', numberIds[0] ?? '')
    .returning(['number', 'trunk_id'])
    .executeTakeFirstOrThrow();
  return { to: number, trunkIds: [trunkId ?? ''] };
}

const storedCall = (callId: string) =>
  dialing.db
    .selectFrom('calls')
    .select(['status', 'sub_status'])
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();

const statuses = async (campaign: string) =>
  (await dialing.callsOf(campaign)).map(
    ({ status, sub_status: sub, attempt }) => `${status} ${sub} ${attempt}`,
  );

describe('a campaign that this machine’s recogniser hears', () => {
  it('waits for a free recogniser: no phone rings, and no attempt counts', async () => {
    const workspace = await createWorkspace(dialing.db);
    const campaign = await startedCampaign(dialing, workspace, { contacts: 3 });
    const { slots, live, rung, claim, place } = node();
    const first = await claim();
    await place(first);
    expect([rung.length, slots.used, live.size]).toEqual([1, 1, 1]);
    const waiting = (await statuses(campaign)).filter((status) => status === 'registered LIMIT_REACHED 0');
    expect(waiting).toHaveLength(first.length - 1);
    // From now on the scheduler knows, and claims none that would wait.
    dialing.clock.advance(2_000);
    expect(await claim()).toEqual([]);

    const [ringing] = first.filter(({ callId }) => live.has(callId));
    live.remove(ringing?.callId ?? '', { type: 'ended', status: 'completed', subStatus: 'ANSWERED', at: 0 });
    const next = await claim();
    expect(next).toHaveLength(1);
    await place(next);
    expect(rung).toHaveLength(2);
  });

  it('does not wait where a vendor hears its calls', async () => {
    const workspace = await createWorkspace(dialing.db);
    await startedCampaign(dialing, workspace, { contacts: 3 });
    const { slots, rung, claim, place } = node(true);
    const calls = await claim();
    await place(calls);
    expect([rung.length, slots.used]).toEqual([calls.length, 0]);
  });
});

describe('a single call that this machine’s recogniser hears', () => {
  it('waits while another one has the last slot, and is placed after its end', async () => {
    const workspace = await createWorkspace(dialing.db);
    const ids = await queueCalls(dialing.db, workspace, 2);
    const { live, rung, claim, place } = node();
    await place(await claim());
    const [ringing] = ids.filter((id) => live.has(id));
    const [waiting] = ids.filter((id) => !live.has(id));
    expect([rung.length, await storedCall(waiting ?? '')]).toEqual([
      1,
      { status: 'registered', sub_status: 'LIMIT_REACHED' },
    ]);

    live.remove(ringing ?? '', { type: 'ended', status: 'completed', subStatus: 'ANSWERED', at: 0 });
    dialing.clock.advance(2_000);
    const next = await claim();
    expect(next.map(({ callId }) => callId)).toEqual([waiting]);
    await place(next);
    expect(rung).toHaveLength(2);
  });
});

describe('an inbound call that this machine’s recogniser hears', () => {
  it('hears busy while every slot is taken: no tool runs, and the record says why', async () => {
    const workspace = await createWorkspace(dialing.db);
    const { slots, count, callIn } = node();
    const first = await callIn(workspace);
    expect([first.answers.length, first.refusals, slots.used]).toEqual([1, [], 1]);

    const second = await callIn(workspace);
    expect([second.answers, second.refusals, count.preparedTools]).toEqual([[], [486], 1]);
    await expect.poll(() => storedCall(second.callId)).toMatchObject({ status: 'failed' });
    const attempts = await dialing.db
      .selectFrom('call_attempts')
      .select(['sip_code', 'reason'])
      .where('call_id', '=', second.callId)
      .execute();
    expect(attempts).toEqual([{ sip_code: 486, reason: NO_EARS }]);
    expect(slots.used).toBe(1);
  });

  it('is answered to hear the busy line where one is set: no tool runs, and it takes no slot', async () => {
    const workspace = await createWorkspace(dialing.db);
    const { slots, count, callIn } = node(false, 'All our lines are busy.');
    await callIn(workspace);
    const second = await callIn(workspace);
    expect([second.answers.length, second.refusals, count.preparedTools, slots.used]).toEqual([1, [], 1, 1]);
  });

  it('is answered to hear the busy line of its agent, where the installation has none', async () => {
    const workspace = await createWorkspace(dialing.db);
    const busyLine = 'The surgery is busy, please call again.';
    const { callIn } = node(false, null, { providers: ['offline'], model: null, busyLine });
    expect((await callIn(workspace)).answers).toHaveLength(1);
    const second = await callIn(workspace);
    expect([second.answers.length, second.refusals]).toEqual([1, []]);
  });

  it('is answered once the call with the slot has ended', async () => {
    const workspace = await createWorkspace(dialing.db);
    const { slots, callIn } = node();
    const first = await callIn(workspace);
    expect((await callIn(workspace)).refusals).toEqual([486]);
    first.hangUp();
    await expect.poll(() => slots.used).toBe(0);
    const third = await callIn(workspace);
    expect([third.answers.length, third.refusals, slots.used]).toEqual([1, [], 1]);
  });

  it('is answered without a slot where a vendor hears it', async () => {
    const workspace = await createWorkspace(dialing.db);
    const { slots, callIn } = node(true);
    const calls = [await callIn(workspace), await callIn(workspace)];
    expect(calls.map(({ answers, refusals }) => [answers.length, refusals])).toEqual([
      [1, []],
      [1, []],
    ]);
    expect(slots.used).toBe(0);
  });

  it('keeps a call to a contact waiting, which is placed once the caller has hung up', async () => {
    const workspace = await createWorkspace(dialing.db);
    const [waiting = ''] = await queueCalls(dialing.db, workspace, 1);
    const { slots, rung, claim, place, callIn } = node();
    const inbound = await callIn(workspace);
    await place(await claim(), 0);
    expect([rung.length, await storedCall(waiting)]).toEqual([
      0,
      { status: 'registered', sub_status: 'LIMIT_REACHED' },
    ]);

    inbound.hangUp();
    await expect.poll(() => slots.used).toBe(0);
    dialing.clock.advance(2_000);
    await place(await claim());
    expect(rung).toHaveLength(1);
  });
});
