import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../src/dialer/claim.ts';
import { markDialing, markRinging } from '../../src/dialer/journal.ts';
import { laneRow, startLane } from '../helpers/lanes.ts';
import { createWorkspace, MONDAY, queueCalls } from '../helpers/world.ts';
import { createDialing, type Dialing } from '../helpers/dialing.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

describe('a campaign is claimed', () => {
  it('from its numbers, with journal and money; its first call begins it', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 4 });
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 9 });
    const claimed = await dialing.taken();
    expect(claimed).toHaveLength(4);
    const { number } = await dialing.db.selectFrom('numbers').select('number').executeTakeFirstOrThrow();
    expect(claimed[0]).toMatchObject({
      laneId: lane,
      numberId: w.numberIds[0],
      fromNumber: number,
      attempt: 1,
    });
    expect(
      (await dialing.callsOf(lane)).slice(0, 5).map((c) => [c.status, c.number_id, c.from_number]),
    ).toEqual([
      ...Array.from({ length: 4 }, () => ['ongoing', w.numberIds[0], number]),
      ['registered', null, ''],
    ]);
    expect(
      await dialing.db
        .selectFrom('call_attempts')
        .select(['lane_id', 'number_id', 'to_number'])
        .limit(1)
        .execute(),
    ).toEqual([{ lane_id: lane, number_id: w.numberIds[0], to_number: '+12125550001' }]);
    expect(await laneRow(dialing.db, lane)).toMatchObject({ state: 'ongoing', started_at: new Date(MONDAY) });
    expect(await dialing.db.selectFrom('ledger').select('amount').execute()).toHaveLength(4);
  });

  it('not before its start, and not from its end on', async () => {
    const w = await createWorkspace(dialing.db);
    const [start, end] = [new Date(MONDAY + 60_000), new Date(MONDAY + 120_000)];
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, { startAt: start, endAt: end });
    expect(await dialing.claim()).toBeNull();
    dialing.clock.set(MONDAY + 59_999);
    expect(await dialing.claim()).toBeNull();
    dialing.clock.set(MONDAY + 60_000);
    expect(await dialing.taken(2)).toHaveLength(2);
    expect((await laneRow(dialing.db, lane)).state).toBe('ongoing');
    dialing.clock.set(MONDAY + 120_000);
    expect(await dialing.taken()).toHaveLength(0);
  });

  it.each(['draft', 'verifying', 'paused', 'terminated', 'completed', 'insufficient_balance'] as const)(
    'never while it is %s',
    async (state) => {
      const w = await createWorkspace(dialing.db);
      await startLane({ db: dialing.db, clock: dialing.clock }, w, { state });
      expect(await dialing.taken()).toEqual([]);
    },
  );

  it('within its share of the workspace’s calls, rounded up', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 10 });
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, {
      percentage: 25,
      contacts: 20,
    });
    expect(await dialing.taken()).toHaveLength(3);
    expect(await dialing.taken()).toHaveLength(0);
    const other = await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 20 });
    expect((await dialing.taken()).map((c) => c.laneId)).toEqual(Array.from({ length: 7 }, () => other));
    expect((await dialing.callsOf(lane)).filter((c) => c.status === 'ongoing')).toHaveLength(3);
  });

  it('takes turns with others and with individual calls, the one served longest ago first', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 1000 });
    const lanes = [
      await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50 }),
      await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50 }),
    ];
    await queueCalls(dialing.db, w, 50);
    const order: (string | null)[] = [];
    for (let n = 0; n < 12; n += 1) {
      dialing.clock.advance(1);
      for (const c of await dialing.taken(1)) order.push(c.laneId);
    }
    expect(order).toHaveLength(12);
    for (const lane of [...lanes, null]) expect(order.filter((id) => id === lane)).toHaveLength(4);
    expect(new Set(order.slice(0, 3)).size).toBe(3);
    // One turn shares its room out evenly too.
    const more = await dialing.taken(30);
    expect(Map.groupBy(more, (c) => c.laneId).size).toBe(3);
  });

  it('a workspace with one call is not kept waiting by one with thousands', async () => {
    const big = await createWorkspace(dialing.db, { callLimit: 1000 });
    await startLane({ db: dialing.db, clock: dialing.clock }, big, { contacts: 3000 });
    const small = await createWorkspace(dialing.db);
    await startLane({ db: dialing.db, clock: dialing.clock }, small, { contacts: 1 });
    const first = await dialing.claim();
    const second = await dialing.claim(1000, [first?.workspaceId ?? '']);
    expect([first, second].flatMap((t) => t?.claimed ?? []).some((c) => c.workspaceId === small.id)).toBe(
      true,
    );
  });

  it('gathers pace: two calls, then twice as many each step while they connect', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 100 });
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, {
      contacts: 60,
      isWarm: false,
    });
    const live: Claimed[] = [...(await dialing.taken())];
    expect(live).toHaveLength(2);
    dialing.clock.advance(3_000);
    // Nothing has rung yet: no wider.
    expect(await dialing.taken()).toHaveLength(0);
    const ring = async (c: Claimed): Promise<void> => {
      await markDialing(dialing.deps, c);
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
    // All of them fail at the trunk: as wide as before, no wider.
    for (const c of live) await dialing.settle(c, { kind: 'not_answered', failure: 'failed' });
    dialing.clock.advance(3_000);
    expect(await dialing.taken()).toHaveLength(8);
    expect((await laneRow(dialing.db, lane)).ramp_limit).toBe(8);
    for (const c of await dialing.db
      .selectFrom('calls')
      .select('id')
      .where('status', '=', 'ongoing')
      .execute()) {
      await dialing.db.updateTable('calls').set({ status: 'registered' }).where('id', '=', c.id).execute();
    }
    // Nothing dialled for a while: it begins anew.
    dialing.clock.advance(60_001);
    expect(await dialing.taken()).toHaveLength(2);
  });

  it('asks both do-not-call lists', async () => {
    const w = await createWorkspace(dialing.db);
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 4 });
    const other = await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 4 });
    const stamp = { reason: 'test', created_at: new Date(MONDAY) };
    await dialing.db
      .insertInto('do_not_call')
      .values({ workspace_id: w.id, number: '+12125550001', ...stamp })
      .execute();
    await dialing.db
      .insertInto('campaign_do_not_call')
      .values({ workspace_id: w.id, campaign_id: lane, number: '+12125550002', ...stamp })
      .execute();
    const claimed = await dialing.taken();
    expect(claimed.filter((c) => c.laneId === lane).map((c) => c.toNumber)).toEqual([
      '+12125550003',
      '+12125550004',
    ]);
    expect(claimed.filter((c) => c.laneId === other)).toHaveLength(3);
    const listed = (await dialing.callsOf(lane)).slice(0, 2);
    expect(listed.map((c) => [c.status, c.sub_status])).toEqual([
      ['cancelled', 'DND_SKIPPED'],
      ['cancelled', 'DND_SKIPPED'],
    ]);
  });

  it('waits as a whole for money, and stops as a whole when there is none', async () => {
    const w = await createWorkspace(dialing.db, { credits: 6 });
    const lane = await startLane({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50 });
    const claimed = await dialing.taken();
    expect(claimed.map((c) => c.capMs)).toEqual([240_000, 120_000]);
    expect((await laneRow(dialing.db, lane)).next_due_at).toEqual(new Date(MONDAY + 15_000));
    expect(await dialing.taken()).toEqual([]);
    for (const c of claimed) await dialing.settle(c, { kind: 'answered', reason: 'USER_LEFT' });
    await sql`update workspaces set credits = 0`.execute(dialing.db);
    dialing.clock.advance(15_000);
    expect(await dialing.taken()).toEqual([]);
    expect(await laneRow(dialing.db, lane)).toMatchObject({
      state: 'insufficient_balance',
      message: 'The credits of the workspace no longer cover a call.',
    });
    expect((await dialing.callsOf(lane)).filter((c) => c.status === 'registered')).toHaveLength(48);
    expect(await dialing.claim()).toBeNull();
  });
});
