import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, markRinging } from '../../../src/domain/calls/attempt/dial.ts';
import { campaignRow, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

describe('claiming a campaign’s calls', () => {
  it('uses its caller numbers, journals, locks money, and starts the campaign with its first call', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 4 });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 9 });
    const claimed = await dialing.taken();
    expect(claimed).toHaveLength(4);
    const { number } = await dialing.db.selectFrom('numbers').select('number').executeTakeFirstOrThrow();
    expect(claimed[0]).toMatchObject({
      campaignId: campaign,
      numberId: w.numberIds[0],
      fromNumber: number,
      attempt: 1,
    });
    expect(
      (await dialing.callsOf(campaign)).slice(0, 5).map((c) => [c.status, c.number_id, c.from_number]),
    ).toEqual([
      ...Array.from({ length: 4 }, () => ['ongoing', w.numberIds[0], number]),
      ['registered', null, ''],
    ]);
    expect(
      await dialing.db
        .selectFrom('call_attempts')
        .select(['campaign_id', 'number_id', 'to_number'])
        .limit(1)
        .execute(),
    ).toEqual([{ campaign_id: campaign, number_id: w.numberIds[0], to_number: '+12125550001' }]);
    expect(await campaignRow(dialing.db, campaign)).toMatchObject({
      state: 'ongoing',
      started_at: new Date(MONDAY),
    });
    expect(await dialing.db.selectFrom('ledger').select('amount').execute()).toHaveLength(4);
  });

  it('claims nothing before its start time and nothing from its end time on', async () => {
    const w = await createWorkspace(dialing.db);
    const [start, end] = [new Date(MONDAY + 60_000), new Date(MONDAY + 120_000)];
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      startAt: start,
      endAt: end,
    });
    expect(await dialing.claim()).toBeNull();
    dialing.clock.set(MONDAY + 59_999);
    expect(await dialing.claim()).toBeNull();
    dialing.clock.set(MONDAY + 60_000);
    expect(await dialing.taken(2)).toHaveLength(2);
    expect((await campaignRow(dialing.db, campaign)).state).toBe('ongoing');
    dialing.clock.set(MONDAY + 120_000);
    expect(await dialing.taken()).toHaveLength(0);
  });

  it.each(['draft', 'verifying', 'paused', 'terminated', 'completed', 'insufficient_balance'] as const)(
    'claims nothing while the campaign is %s',
    async (state) => {
      const w = await createWorkspace(dialing.db);
      await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { state });
      expect(await dialing.taken()).toEqual([]);
    },
  );

  it('keeps its concurrency percentage of the workspace’s limit, rounded up', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 10 });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      percentage: 25,
      contacts: 20,
    });
    expect(await dialing.taken()).toHaveLength(3);
    expect(await dialing.taken()).toHaveLength(0);
    const other = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 20 });
    expect((await dialing.taken()).map((c) => c.campaignId)).toEqual(Array.from({ length: 7 }, () => other));
    expect((await dialing.callsOf(campaign)).filter((c) => c.status === 'ongoing')).toHaveLength(3);
  });

  it('alternates campaigns and individual calls, least recently served first', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 1000 });
    const campaigns = [
      await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50 }),
      await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50 }),
    ];
    await queueCalls(dialing.db, w, 50);
    const order: (string | null)[] = [];
    for (let n = 0; n < 12; n += 1) {
      dialing.clock.advance(1);
      for (const c of await dialing.taken(1)) order.push(c.campaignId);
    }
    expect(order).toHaveLength(12);
    for (const campaign of [...campaigns, null])
      expect(order.filter((id) => id === campaign)).toHaveLength(4);
    expect(new Set(order.slice(0, 3)).size).toBe(3);
    // One large batch is shared evenly too.
    const more = await dialing.taken(30);
    expect(Map.groupBy(more, (c) => c.campaignId).size).toBe(3);
  });

  it('serves a workspace with one call right after one with thousands', async () => {
    const big = await createWorkspace(dialing.db, { callLimit: 1000 });
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, big, { contacts: 3000 });
    const small = await createWorkspace(dialing.db);
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, small, { contacts: 1 });
    const first = await dialing.claim();
    const second = await dialing.claim(1000, [first?.workspaceId ?? '']);
    expect([first, second].flatMap((t) => t?.claimed ?? []).some((c) => c.workspaceId === small.id)).toBe(
      true,
    );
  });

  it('ramps up: two calls, doubled each step while they connect', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 100 });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      contacts: 60,
      isWarm: false,
    });
    const live: Claimed[] = [...(await dialing.taken())];
    expect(live).toHaveLength(2);
    dialing.clock.advance(3_000);
    // No call has rung yet, so the limit stays.
    expect(await dialing.taken()).toHaveLength(0);
    const ring = async (c: Claimed): Promise<void> => {
      await dial(dialing.deps, c);
      await markRinging(dialing.deps, c, { sipCode: 180, at: dialing.clock.now() });
    };
    for (const c of live) await ring(c);
    live.push(...(await dialing.taken()));
    expect(live).toHaveLength(4);
    for (const c of live.slice(2)) await ring(c);
    dialing.clock.advance(2_999);
    expect(await dialing.taken()).toHaveLength(0);
    dialing.clock.advance(1);
    live.push(...(await dialing.taken()));
    expect(live).toHaveLength(8);
    // All of them fail at the trunk, so the limit stays.
    for (const c of live) await dialing.settle(c, { kind: 'not_answered', failure: 'failed' });
    dialing.clock.advance(3_000);
    expect(await dialing.taken()).toHaveLength(8);
    expect((await campaignRow(dialing.db, campaign)).ramp_limit).toBe(8);
    for (const c of await dialing.db
      .selectFrom('calls')
      .select('id')
      .where('status', '=', 'ongoing')
      .execute()) {
      await dialing.db.updateTable('calls').set({ status: 'registered' }).where('id', '=', c.id).execute();
    }
    // After an idle minute the ramp starts over.
    dialing.clock.advance(60_001);
    expect(await dialing.taken()).toHaveLength(2);
  });

  it('checks the do-not-call lists of the workspace and the campaign', async () => {
    const w = await createWorkspace(dialing.db);
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 4 });
    const other = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 4 });
    const stamp = { reason: 'test', created_at: new Date(MONDAY) };
    await dialing.db
      .insertInto('do_not_call')
      .values({ workspace_id: w.id, number: '+12125550001', ...stamp })
      .execute();
    await dialing.db
      .insertInto('campaign_do_not_call')
      .values({ workspace_id: w.id, campaign_id: campaign, number: '+12125550002', ...stamp })
      .execute();
    const claimed = await dialing.taken();
    expect(claimed.filter((c) => c.campaignId === campaign).map((c) => c.toNumber)).toEqual([
      '+12125550003',
      '+12125550004',
    ]);
    expect(claimed.filter((c) => c.campaignId === other)).toHaveLength(3);
    const listed = (await dialing.callsOf(campaign)).slice(0, 2);
    expect(listed.map((c) => [c.status, c.sub_status])).toEqual([
      ['cancelled', 'DND_SKIPPED'],
      ['cancelled', 'DND_SKIPPED'],
    ]);
  });

  it('is held as a whole while money is locked, and stops as a whole when the balance is empty', async () => {
    const w = await createWorkspace(dialing.db, { credits: 6 });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50 });
    const claimed = await dialing.taken();
    expect(claimed.map((c) => c.capMs)).toEqual([240_000, 120_000]);
    expect((await campaignRow(dialing.db, campaign)).next_due_at).toEqual(new Date(MONDAY + 15_000));
    expect(await dialing.taken()).toEqual([]);
    for (const c of claimed) await dialing.settle(c, { kind: 'answered', reason: 'USER_LEFT' });
    await sql`update workspaces set credits = 0`.execute(dialing.db);
    dialing.clock.advance(15_000);
    expect(await dialing.taken()).toEqual([]);
    expect(await campaignRow(dialing.db, campaign)).toMatchObject({
      state: 'insufficient_balance',
      message: 'The credits of the workspace no longer cover a call.',
    });
    expect((await dialing.callsOf(campaign)).filter((c) => c.status === 'registered')).toHaveLength(48);
    expect(await dialing.claim()).toBeNull();
  });
});
