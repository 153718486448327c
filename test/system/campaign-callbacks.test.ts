import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markDialing } from '../../src/dialer/journal.ts';
import { settleAttempt } from '../../src/domain/calls/settle-call.ts';
import { terminateCalls } from '../../src/domain/calls/terminate-calls.ts';
import { pauseCampaign, resumeCampaign } from '../../src/domain/campaigns/hold-campaign.ts';
import { keepCampaigns } from '../../src/domain/campaigns/keeper.ts';
import { addDoNotCallNumbers } from '../../src/domain/numbers/do-not-call-list.ts';
import type { ConversationResult } from '../../src/domain/calls/conversation-result.ts';
import { createDialing, type Dialing } from '../helpers/dialing.ts';
import { settlementOf } from '../helpers/settlement.ts';

const HOUR = 3_600_000;
let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** A campaign of one contact, who asked to be called again in an hour. */
async function askedFor(endAt?: number) {
  const { db, clock } = dialing;
  const {
    world,
    lane,
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
    recording: null,
    media: null,
    transfers: [],
  };
  await settleAttempt(
    { db, clock, rate: dialing.deps.rate, recordingUrl: () => '' },
    settlementOf(c, now, { result }),
  );
  const callback = async () =>
    db.selectFrom('calls').selectAll().where('parent_call_id', '=', c.callId).executeTakeFirstOrThrow();
  expect(await callback()).toMatchObject({ status: 'registered', lane_id: null, origin_lane_id: lane });
  return { world, lane, callback, to: c.toNumber, keep: { ...dialing.deps, notify: () => undefined } };
}

const anHourLater = async (): Promise<void> => {
  dialing.clock.advance(HOUR);
  await dialing.db
    .updateTable('nodes')
    .set({ beat_at: new Date(dialing.clock.now()) })
    .execute();
};
const list = (workspaceId: string, lane: string, to: string) =>
  sql`insert into campaign_do_not_call (workspace_id, campaign_id, number, reason, created_at)
    values (${workspaceId}, ${lane}, ${to}, 'API', now())`.execute(dialing.db);
const scope = { agentId: null, callIds: null, mobileNumbers: null };

describe('a callback that was asked for in a campaign', () => {
  it('is dialled at its time while the campaign runs, and when it is complete', async () => {
    const { callback, keep, lane } = await askedFor(dialing.clock.now() + 2 * HOUR);
    await keepCampaigns(keep);
    expect(await dialing.db.selectFrom('campaigns').select('state').where('id', '=', lane).execute()).toEqual(
      [{ state: 'completed' }],
    );
    await anHourLater();
    const [taken] = await dialing.taken();
    if (taken === undefined) throw new Error('nothing claimed');
    expect(taken).toMatchObject({ callId: (await callback()).id, laneId: null });
    expect(await markDialing(dialing.deps, taken)).toMatchObject({ go: true });
  });

  it.each([false, true])('ends with the campaign’s termination (complete before: %s)', async (isComplete) => {
    const { world, lane, callback, keep } = await askedFor();
    if (isComplete) await keepCampaigns(keep);
    expect(await terminateCalls(dialing.deps, world.id, { ...scope, campaignId: lane })).toEqual({
      terminated: 1,
    });
    expect(await callback()).toMatchObject({ status: 'cancelled', sub_status: 'USER_TERMINATED' });
  });

  it('ends when the campaign’s time is over, though it was complete', async () => {
    const { callback, keep } = await askedFor(dialing.clock.now() + HOUR / 2);
    await keepCampaigns(keep);
    await anHourLater();
    expect(await dialing.taken()).toEqual([]);
    expect(await callback()).toMatchObject({ status: 'cancelled', sub_status: 'CAMPAIGN_TIME_EXCEEDED' });
    const early = await askedFor(dialing.clock.now() + HOUR / 2);
    await keepCampaigns(early.keep);
    dialing.clock.advance(HOUR / 2);
    await keepCampaigns(early.keep);
    expect(await early.callback()).toMatchObject({
      status: 'cancelled',
      sub_status: 'CAMPAIGN_TIME_EXCEEDED',
    });
  });

  it('waits while the campaign is paused, and is dialled after it is resumed', async () => {
    const { world, lane, callback } = await askedFor();
    await pauseCampaign(dialing.deps, world.id, lane);
    await anHourLater();
    expect(await dialing.taken()).toEqual([]);
    const { next_attempt_at: due, ...waiting } = await callback();
    expect(waiting).toMatchObject({ status: 'registered', attempt: 0 });
    expect(due?.getTime()).toBeGreaterThan(dialing.clock.now());
    await resumeCampaign({ ...dialing.deps, notify: () => undefined }, world.id, lane);
    dialing.clock.set(due?.getTime() ?? 0);
    expect(await dialing.taken()).toMatchObject([{ callId: waiting.id }]);
  });

  it('is cancelled by the campaign’s do-not-call list, and never dialled past it', async () => {
    const first = await askedFor();
    const added = await addDoNotCallNumbers(dialing.deps, first.world.id, first.lane, [first.to]);
    expect(added).toEqual({ added: 1, cancelled: 1 });
    expect(await first.callback()).toMatchObject({ status: 'cancelled', sub_status: 'DND_SKIPPED' });
    await dialing.renew();
    const second = await askedFor();
    await list(second.world.id, second.lane, second.to);
    await anHourLater();
    expect(await dialing.taken()).toEqual([]);
    expect((await second.callback()).sub_status).toBe('DND_SKIPPED');
  });

  it('is stopped at the last gate by what happened to the campaign since it was claimed', async () => {
    const { world, lane, callback, to } = await askedFor();
    await anHourLater();
    const [taken] = await dialing.taken();
    if (taken === undefined) throw new Error('nothing claimed');
    await dialing.db.updateTable('campaigns').set({ state: 'paused' }).where('id', '=', lane).execute();
    expect(await markDialing(dialing.deps, taken)).toEqual({ go: false, why: 'campaign_stopped' });
    expect(await callback()).toMatchObject({ status: 'registered', attempt: 0 });
    await dialing.db.updateTable('campaigns').set({ state: 'ongoing' }).where('id', '=', lane).execute();
    const [again] = await dialing.taken();
    if (again === undefined) throw new Error('nothing claimed');
    await list(world.id, lane, to);
    expect(await markDialing(dialing.deps, again)).toEqual({ go: false, why: 'do_not_call' });
    expect(await callback()).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED' });
  });
});
