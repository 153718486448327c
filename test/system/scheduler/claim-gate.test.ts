import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { campaignRow, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createNode, createWorkspace, MONDAY } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };

describe('the dial gate', () => {
  const one = async (
    options: Parameters<typeof startedCampaign>[2] = {},
  ): Promise<{ campaign: string; c: Claimed }> => {
    const w = await createWorkspace(dialing.db);
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      contacts: 3,
      ...options,
    });
    const [c] = await dialing.taken(1);
    if (c === undefined) throw new Error('nothing claimed');
    return { campaign, c };
  };
  const isBack = async (c: Claimed): Promise<void> => {
    expect(
      await dialing.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirst(),
    ).toMatchObject({
      status: 'registered',
      attempt: 0,
      reserved: 0,
      dialed_at: null,
    });
    expect(await dialing.db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
    expect(
      (await dialing.db.selectFrom('workspaces').select('locked_credits').executeTakeFirst())?.locked_credits,
    ).toBe(0);
    expect(await dialing.db.selectFrom('events').select('id').execute()).toEqual([]);
  };

  it('permits a call of a running campaign', async () => {
    const { c } = await one();
    expect(await dial(dialing.deps, c)).toMatchObject({ go: true });
  });

  it.each(['paused', 'terminated', 'completed', 'insufficient_balance'] as const)(
    'releases a claimed call whose campaign is now %s',
    async (state) => {
      const { campaign, c } = await one();
      await dialing.db.updateTable('campaigns').set({ state }).where('id', '=', campaign).execute();
      expect(await dial(dialing.deps, c)).toEqual({
        go: false,
        why: 'campaign_stopped',
        stored: { status: 'registered', subStatus: 'QUEUED' },
      });
      await isBack(c);
    },
  );

  it('refuses calls after the campaign’s end time, outside its window and to do-not-call numbers', async () => {
    const ending = await one({ endAt: new Date(MONDAY + 1000) });
    dialing.clock.advance(1000);
    expect(await dial(dialing.deps, ending.c)).toEqual({
      go: false,
      why: 'campaign_stopped',
      stored: { status: 'registered', subStatus: 'QUEUED' },
    });
    await isBack(ending.c);
    await sql`truncate calls, campaigns, campaign_numbers cascade`.execute(dialing.db);
    const closing = await one({ callConfig: { call_time: { call_end_time: '15:31' } } });
    dialing.clock.advance(60_000);
    expect(await dial(dialing.deps, closing.c)).toEqual({
      go: false,
      why: 'window_closed',
      stored: { status: 'registered', subStatus: 'WINDOW_CLOSED' },
    });
    await isBack(closing.c);
    await sql`truncate calls, campaigns, campaign_numbers cascade`.execute(dialing.db);
    const listed = await one();
    await dialing.db
      .insertInto('campaign_do_not_call')
      .values({
        workspace_id: listed.c.workspaceId,
        campaign_id: listed.campaign,
        number: listed.c.toNumber,
        reason: 'test',
        created_at: new Date(MONDAY),
      })
      .execute();
    expect(await dial(dialing.deps, listed.c)).toEqual({
      go: false,
      why: 'do_not_call',
      stored: { status: 'failed', subStatus: 'DND_SKIPPED' },
    });
    expect(
      await dialing.db.selectFrom('calls').selectAll().where('id', '=', listed.c.callId).executeTakeFirst(),
    ).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED' });
  });

  it('waits for the lock of a transaction that stops the campaign and then refuses', async () => {
    const { campaign, c } = await one();
    const order: string[] = [];
    let dialling: Promise<unknown> = Promise.resolve();
    await dialing.db.transaction().execute(async (tx) => {
      await sql`select from campaigns where id = ${campaign} for no key update`.execute(tx);
      dialling = dial(dialing.deps, c).then((decision) => order.push(decision.go ? 'dialled' : decision.why));
      await new Promise((done) => setTimeout(done, 100));
      await sql`update campaigns set state = 'terminated' where id = ${campaign}`.execute(tx);
      order.push('stopped');
    });
    await dialling;
    expect(order).toEqual(['stopped', 'campaign_stopped']);
  });

  it('requeues a claimed call of a dead node, due now, and lowers the campaign’s hint', async () => {
    const { campaign, c } = await one();
    await dialing.db
      .updateTable('nodes')
      .set({ fenced_at: new Date(dialing.clock.now()) })
      .execute();
    const settled = {
      db: dialing.db,
      clock: dialing.clock,
      rate,
      recordingUrl: () => 'http://localhost/recording',
    };
    // Defers the two unclaimed calls and both hints, so that only the reaper's hint makes this call due.
    await dialing.db
      .updateTable('calls')
      .set({ next_attempt_at: new Date(MONDAY + 3_600_000) })
      .where('status', '=', 'registered')
      .execute();
    await dialing.db
      .updateTable('campaigns')
      .set({ next_due_at: new Date(MONDAY + 3_600_000) })
      .execute();
    await dialing.db
      .updateTable('workspaces')
      .set({ next_due_at: new Date(MONDAY + 3_600_000) })
      .execute();
    expect(await reapOrphans(settled)).toBe(1);
    expect((await campaignRow(dialing.db, campaign)).next_due_at).toEqual(new Date(MONDAY));
    dialing.deps = { ...dialing.deps, nodeId: await createNode(dialing.db, 'successor') };
    expect((await dialing.taken()).map((call) => call.callId)).toEqual([c.callId]);
  });
});
