import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { terminateCalls } from '../../../src/domain/termination/terminate-calls.ts';
import { pauseCampaign, resumeCampaign } from '../../../src/domain/campaigns/hold-campaign.ts';
import { keepCampaigns } from '../../../src/domain/campaigns/keeper.ts';
import { addDoNotCallNumbers } from '../../../src/domain/termination/do-not-call-list.ts';
import type { ConversationResult } from '../../../src/voice/conversation.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';

const HOUR = 3_600_000;
let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** A campaign of one contact, who requested a callback in an hour. */
async function requestCallback(endAt?: number) {
  const { db, clock } = dialing;
  const {
    world,
    campaign,
    claimed: c,
  } = await dialing.claimedContact(endAt === undefined ? undefined : new Date(endAt));
  const now = clock.now();
  const result: ConversationResult = {
    transcript: [],
    latencies: [],
    interruptions: 0,
    toolLog: [],
    optedOut: false,
    callback: { at: now + HOUR, note: '' },
    firstUtteranceMs: null,
    answeredBy: null,
    recording: null,
    media: null,
    transfers: [],
    reason: 'AGENT_ENDED',
    startedAt: now,
    endedAt: now,
  };
  await settleAttempt(
    { db, clock, rate: dialing.deps.rate, recordingUrl: () => '' },
    settlementOf(c, now, { result }),
  );
  const callback = async () =>
    db.selectFrom('calls').selectAll().where('parent_call_id', '=', c.callId).executeTakeFirstOrThrow();
  expect(await callback()).toMatchObject({
    status: 'registered',
    campaign_id: null,
    origin_campaign_id: campaign,
  });
  return {
    world,
    campaign,
    callback,
    to: c.toNumber,
    keep: { ...dialing.deps, wakeScheduler: () => undefined },
  };
}

const anHourLater = async (): Promise<void> => {
  dialing.clock.advance(HOUR);
  await dialing.db
    .updateTable('nodes')
    .set({ beat_at: new Date(dialing.clock.now()) })
    .execute();
};
const list = (workspaceId: string, campaign: string, to: string) =>
  sql`insert into campaign_do_not_call (workspace_id, campaign_id, number, reason, created_at)
    values (${workspaceId}, ${campaign}, ${to}, 'API', now())`.execute(dialing.db);
const scope = { agentId: null, callIds: null, mobileNumbers: null };

describe('a callback requested in a campaign call', () => {
  it('is dialled at its time while the campaign runs and after it completed', async () => {
    const { callback, keep, campaign } = await requestCallback(dialing.clock.now() + 2 * HOUR);
    await keepCampaigns(keep);
    expect(
      await dialing.db.selectFrom('campaigns').select('state').where('id', '=', campaign).execute(),
    ).toEqual([{ state: 'completed' }]);
    await anHourLater();
    const [taken] = await dialing.taken();
    if (taken === undefined) throw new Error('nothing claimed');
    expect(taken).toMatchObject({ callId: (await callback()).id, campaignId: null });
    expect(await dial(dialing.deps, taken)).toMatchObject({ go: true });
  });

  it.each([false, true])(
    'is cancelled with the campaign’s termination (completed before: %s)',
    async (isComplete) => {
      const { world, campaign, callback, keep } = await requestCallback();
      if (isComplete) await keepCampaigns(keep);
      expect(await terminateCalls(dialing.deps, world.id, null, { ...scope, campaignId: campaign })).toEqual({
        terminated: 1,
      });
      expect(await callback()).toMatchObject({ status: 'cancelled', sub_status: 'USER_TERMINATED' });
    },
  );

  it('is cancelled at the campaign’s end time even after completion', async () => {
    const { callback, keep } = await requestCallback(dialing.clock.now() + HOUR / 2);
    await keepCampaigns(keep);
    await anHourLater();
    expect(await dialing.taken()).toEqual([]);
    expect(await callback()).toMatchObject({ status: 'cancelled', sub_status: 'CAMPAIGN_TIME_EXCEEDED' });
    const early = await requestCallback(dialing.clock.now() + HOUR / 2);
    await keepCampaigns(early.keep);
    dialing.clock.advance(HOUR / 2);
    await keepCampaigns(early.keep);
    expect(await early.callback()).toMatchObject({
      status: 'cancelled',
      sub_status: 'CAMPAIGN_TIME_EXCEEDED',
    });
  });

  it('waits while the campaign is paused and is dialled after the resume', async () => {
    const { world, campaign, callback } = await requestCallback();
    await pauseCampaign(dialing.deps, world.id, null, campaign);
    await anHourLater();
    expect(await dialing.taken()).toEqual([]);
    const { next_attempt_at: due, ...waiting } = await callback();
    expect(waiting).toMatchObject({ status: 'registered', attempt: 0 });
    expect(due?.getTime()).toBeGreaterThan(dialing.clock.now());
    await resumeCampaign({ ...dialing.deps, wakeScheduler: () => undefined }, world.id, null, campaign);
    dialing.clock.set(due?.getTime() ?? 0);
    expect(await dialing.taken()).toMatchObject([{ callId: waiting.id }]);
  });

  it('is cancelled by the campaign’s do-not-call list', async () => {
    const first = await requestCallback();
    const added = await addDoNotCallNumbers(dialing.deps, first.world.id, null, first.campaign, [first.to]);
    expect(added).toEqual({ added: 1, cancelled: 1 });
    expect(await first.callback()).toMatchObject({ status: 'cancelled', sub_status: 'DND_SKIPPED' });
    await dialing.renew();
    const second = await requestCallback();
    await list(second.world.id, second.campaign, second.to);
    await anHourLater();
    expect(await dialing.taken()).toEqual([]);
    expect((await second.callback()).sub_status).toBe('DND_SKIPPED');
  });

  it('is refused at the dial gate when the campaign changed after the claim', async () => {
    const { world, campaign, callback, to } = await requestCallback();
    await anHourLater();
    const [taken] = await dialing.taken();
    if (taken === undefined) throw new Error('nothing claimed');
    await dialing.db.updateTable('campaigns').set({ state: 'paused' }).where('id', '=', campaign).execute();
    expect(await dial(dialing.deps, taken)).toEqual({
      go: false,
      why: 'campaign_stopped',
      stored: { status: 'registered', subStatus: 'QUEUED' },
    });
    expect(await callback()).toMatchObject({ status: 'registered', attempt: 0 });
    await dialing.db.updateTable('campaigns').set({ state: 'ongoing' }).where('id', '=', campaign).execute();
    const [again] = await dialing.taken();
    if (again === undefined) throw new Error('nothing claimed');
    await list(world.id, campaign, to);
    expect(await dial(dialing.deps, again)).toEqual({
      go: false,
      why: 'do_not_call',
      stored: { status: 'failed', subStatus: 'DND_SKIPPED' },
    });
    expect(await callback()).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED' });
  });
});
