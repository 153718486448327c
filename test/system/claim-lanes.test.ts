import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimTurn, type ClaimDeps, type Claimed, type Turn } from '../../src/dialer/claim.ts';
import { markDialing, markRinging } from '../../src/dialer/journal.ts';
import { settleAttempt } from '../../src/domain/calls/settle-call.ts';
import { reapOrphans } from '../../src/dialer/reaper.ts';
import type { AttemptEnd } from '../../src/domain/calls/outcome.ts';
import type { ManualClock } from '../../src/shared/clock.ts';
import { newId } from '../../src/shared/ids.ts';
import type { Db } from '../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { laneRow, setLimits, startLane } from '../helpers/lanes.ts';
import {
  createNode,
  createWorkspace,
  MONDAY,
  mondayClock,
  queueCalls,
  type TestWorkspace,
} from '../helpers/world.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let database: TestDatabase;
let db: Db;
let clock: ManualClock;
let deps: ClaimDeps;

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 20 });
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate workspaces, trunks, numbers, number_pools, agents, agent_versions, calls, call_attempts, ledger,
    events, deliveries, nodes, do_not_call, call_records, campaigns, campaign_numbers, campaign_do_not_call
    cascade`.execute(db);
  clock = mondayClock();
  deps = { db, clock, rate, nodeId: await createNode(db) };
});

const claim = (capacity = 1000, visited: readonly string[] = []): Promise<Turn | null> =>
  claimTurn(deps, { visited, capacity });
const taken = async (capacity?: number): Promise<readonly Claimed[]> =>
  (await claim(capacity))?.claimed ?? [];

const callsOf = (lane: string) =>
  db.selectFrom('calls').selectAll().where('lane_id', '=', lane).orderBy('contact_row').execute();

const settle = (c: Claimed, end: AttemptEnd = { kind: 'not_answered', failure: 'no_answer' }) =>
  settleAttempt(
    { db, clock, rate, recordingUrl: () => 'http://localhost/recording' },
    {
      workspaceId: c.workspaceId,
      callId: c.callId,
      attempt: c.attempt,
      nodeId: c.nodeId,
      end,
      endedAt: clock.now(),
      answeredAt: end.kind === 'answered' ? clock.now() : null,
      hangupBy: null,
      sipCallId: null,
      sipCode: null,
      reason: null,
      toolLog: [],
      result: null,
    },
  );

/** A pool with all numbers of the workspace in it. */
async function poolOf(w: TestWorkspace): Promise<string> {
  const id = newId();
  const stamps = { created_at: new Date(MONDAY), updated_at: new Date(MONDAY) };
  await db
    .insertInto('number_pools')
    .values({ workspace_id: w.id, id, name: 'pool', ...stamps })
    .execute();
  await db.updateTable('numbers').set({ number_pool_id: id }).where('workspace_id', '=', w.id).execute();
  return id;
}

describe('a campaign is claimed', () => {
  it('from its numbers, with journal and money; its first call begins it', async () => {
    const w = await createWorkspace(db, { callLimit: 4 });
    const lane = await startLane({ db, clock }, w, { contacts: 9 });
    const claimed = await taken();
    expect(claimed).toHaveLength(4);
    const { number } = await db.selectFrom('numbers').select('number').executeTakeFirstOrThrow();
    expect(claimed[0]).toMatchObject({
      laneId: lane,
      numberId: w.numberIds[0],
      fromNumber: number,
      attempt: 1,
    });
    expect((await callsOf(lane)).slice(0, 5).map((c) => [c.status, c.number_id, c.from_number])).toEqual([
      ...Array.from({ length: 4 }, () => ['ongoing', w.numberIds[0], number]),
      ['registered', null, ''],
    ]);
    expect(
      await db.selectFrom('call_attempts').select(['lane_id', 'number_id', 'to_number']).limit(1).execute(),
    ).toEqual([{ lane_id: lane, number_id: w.numberIds[0], to_number: '+12125550001' }]);
    expect(await laneRow(db, lane)).toMatchObject({ state: 'ongoing', started_at: new Date(MONDAY) });
    expect(await db.selectFrom('ledger').select('amount').execute()).toHaveLength(4);
  });

  it('not before its start, and not from its end on', async () => {
    const w = await createWorkspace(db);
    const [start, end] = [new Date(MONDAY + 60_000), new Date(MONDAY + 120_000)];
    const lane = await startLane({ db, clock }, w, { startAt: start, endAt: end });
    expect(await claim()).toBeNull();
    clock.set(MONDAY + 59_999);
    expect(await claim()).toBeNull();
    clock.set(MONDAY + 60_000);
    expect(await taken(2)).toHaveLength(2);
    expect((await laneRow(db, lane)).state).toBe('ongoing');
    clock.set(MONDAY + 120_000);
    expect(await taken()).toHaveLength(0);
  });

  it.each(['draft', 'verifying', 'paused', 'terminated', 'completed', 'insufficient_balance'] as const)(
    'never while it is %s',
    async (state) => {
      const w = await createWorkspace(db);
      await startLane({ db, clock }, w, { state });
      expect(await taken()).toEqual([]);
    },
  );

  it('within its share of the workspace’s calls, rounded up', async () => {
    const w = await createWorkspace(db, { callLimit: 10 });
    const lane = await startLane({ db, clock }, w, { percentage: 25, contacts: 20 });
    expect(await taken()).toHaveLength(3);
    expect(await taken()).toHaveLength(0);
    const other = await startLane({ db, clock }, w, { contacts: 20 });
    expect((await taken()).map((c) => c.laneId)).toEqual(Array.from({ length: 7 }, () => other));
    expect((await callsOf(lane)).filter((c) => c.status === 'ongoing')).toHaveLength(3);
  });

  it('takes turns with others and with individual calls, the one served longest ago first', async () => {
    const w = await createWorkspace(db, { callLimit: 1000 });
    const lanes = [
      await startLane({ db, clock }, w, { contacts: 50 }),
      await startLane({ db, clock }, w, { contacts: 50 }),
    ];
    await queueCalls(db, w, 50);
    const order: (string | null)[] = [];
    for (let n = 0; n < 12; n += 1) {
      clock.advance(1);
      for (const c of await taken(1)) order.push(c.laneId);
    }
    expect(order).toHaveLength(12);
    for (const lane of [...lanes, null]) expect(order.filter((id) => id === lane)).toHaveLength(4);
    expect(new Set(order.slice(0, 3)).size).toBe(3);
    // One turn shares its room out evenly too.
    const more = await taken(30);
    expect(Map.groupBy(more, (c) => c.laneId).size).toBe(3);
  });

  it('a workspace with one call is not kept waiting by one with thousands', async () => {
    const big = await createWorkspace(db, { callLimit: 1000 });
    await startLane({ db, clock }, big, { contacts: 3000 });
    const small = await createWorkspace(db);
    await startLane({ db, clock }, small, { contacts: 1 });
    const first = await claim();
    const second = await claim(1000, [first?.workspaceId ?? '']);
    expect([first, second].flatMap((t) => t?.claimed ?? []).some((c) => c.workspaceId === small.id)).toBe(
      true,
    );
  });

  it('gathers pace: two calls, then twice as many each step while they connect', async () => {
    const w = await createWorkspace(db, { callLimit: 100 });
    const lane = await startLane({ db, clock }, w, { contacts: 60, isWarm: false });
    const live: Claimed[] = [...(await taken())];
    expect(live).toHaveLength(2);
    clock.advance(3_000);
    // Nothing has rung yet: no wider.
    expect(await taken()).toHaveLength(0);
    const ring = async (c: Claimed): Promise<void> => {
      await markDialing(deps, c);
      await markRinging(deps, c, { sipCode: 180, at: clock.now() });
    };
    for (const c of live) await ring(c);
    live.push(...(await taken()));
    expect(live).toHaveLength(4);
    for (const c of live.slice(2)) await ring(c);
    clock.advance(2_999);
    expect(await taken()).toHaveLength(0);
    clock.advance(1);
    live.push(...(await taken()));
    expect(live).toHaveLength(8);
    // All of them fail at the trunk: as wide as before, no wider.
    for (const c of live) await settle(c, { kind: 'not_answered', failure: 'failed' });
    clock.advance(3_000);
    expect(await taken()).toHaveLength(8);
    expect((await laneRow(db, lane)).ramp_limit).toBe(8);
    for (const c of await db.selectFrom('calls').select('id').where('status', '=', 'ongoing').execute()) {
      await db.updateTable('calls').set({ status: 'registered' }).where('id', '=', c.id).execute();
    }
    // Nothing dialled for a while: it begins anew.
    clock.advance(60_001);
    expect(await taken()).toHaveLength(2);
  });

  it('rests as a whole outside its window: one row is written, its calls stay as they are', async () => {
    const w = await createWorkspace(db, { callConfig: { call_time: { call_end_time: '12:00' } } });
    const lane = await startLane({ db, clock }, w, { contacts: 200 });
    const before = await callsOf(lane);
    expect(await claim()).toMatchObject({ claimed: [], passedOver: 0 });
    expect(await callsOf(lane)).toEqual(before);
    // Looked at again meanwhile, in case its settings change.
    expect((await laneRow(db, lane)).next_due_at).toEqual(new Date(MONDAY + 300_000));
    expect(await claim()).toBeNull();
    clock.set(Date.UTC(2026, 0, 6, 3, 29));
    await claim();
    expect((await laneRow(db, lane)).next_due_at).toEqual(new Date('2026-01-06T03:30:00Z'));
    clock.set(Date.UTC(2026, 0, 6, 3, 30));
    await db
      .updateTable('campaigns')
      .set({ ramp_limit: 100, served_at: new Date(clock.now()) })
      .execute();
    expect(await taken()).toHaveLength(10);
  });

  it('lets the campaign’s window go before its agent’s', async () => {
    const w = await createWorkspace(db, { callConfig: { call_time: { call_end_time: '12:00' } } });
    await startLane({ db, clock }, w, { callConfig: { call_time: { call_end_time: '18:00' } } });
    expect(await taken()).toHaveLength(10);
  });

  it('puts callees whose zone is closed off in blocks: they hide nobody', async () => {
    const w = await createWorkspace(db);
    // 10:00 UTC: night in New York, afternoon in Kolkata.
    const contacts = [
      ...Array.from({ length: 700 }, (_, i) => ({ number: `+1212555${String(i).padStart(4, '0')}` })),
      { number: '+919876543210' },
    ];
    const lane = await startLane({ db, clock }, w, {
      contacts,
      callConfig: { call_time: { use_callee_timezone: true } },
    });
    const turns: number[] = [];
    let claimed: readonly Claimed[] = [];
    while (claimed.length === 0 && turns.length < 10) {
      const turn = await claim();
      turns.push(turn?.passedOver ?? 0);
      claimed = turn?.claimed ?? [];
    }
    expect(claimed.map((c) => c.toNumber)).toEqual(['+919876543210']);
    expect(turns.length).toBeLessThanOrEqual(3);
    const waiting = (await callsOf(lane)).filter((c) => c.sub_status === 'WINDOW_CLOSED');
    expect(waiting).toHaveLength(700);
    // 09:00 in New York.
    expect(new Set(waiting.map((c) => c.next_attempt_at?.toISOString()))).toEqual(
      new Set(['2026-01-05T14:00:00.000Z']),
    );
  });

  it('asks both do-not-call lists', async () => {
    const w = await createWorkspace(db);
    const lane = await startLane({ db, clock }, w, { contacts: 4 });
    const other = await startLane({ db, clock }, w, { contacts: 4 });
    const stamp = { reason: 'test', created_at: new Date(MONDAY) };
    await db
      .insertInto('do_not_call')
      .values({ workspace_id: w.id, number: '+12125550001', ...stamp })
      .execute();
    await db
      .insertInto('campaign_do_not_call')
      .values({ workspace_id: w.id, campaign_id: lane, number: '+12125550002', ...stamp })
      .execute();
    const claimed = await taken();
    expect(claimed.filter((c) => c.laneId === lane).map((c) => c.toNumber)).toEqual([
      '+12125550003',
      '+12125550004',
    ]);
    expect(claimed.filter((c) => c.laneId === other)).toHaveLength(3);
    const listed = (await callsOf(lane)).slice(0, 2);
    expect(listed.map((c) => [c.status, c.sub_status])).toEqual([
      ['cancelled', 'DND_SKIPPED'],
      ['cancelled', 'DND_SKIPPED'],
    ]);
  });

  it('waits as a whole for money, and stops as a whole when there is none', async () => {
    const w = await createWorkspace(db, { credits: 6 });
    const lane = await startLane({ db, clock }, w, { contacts: 50 });
    const claimed = await taken();
    expect(claimed.map((c) => c.capMs)).toEqual([240_000, 120_000]);
    expect((await laneRow(db, lane)).next_due_at).toEqual(new Date(MONDAY + 15_000));
    expect(await taken()).toEqual([]);
    for (const c of claimed) await settle(c, { kind: 'answered', reason: 'USER_LEFT' });
    await sql`update workspaces set credits = 0`.execute(db);
    clock.advance(15_000);
    expect(await taken()).toEqual([]);
    expect(await laneRow(db, lane)).toMatchObject({
      state: 'insufficient_balance',
      message: 'The credits of the workspace no longer cover a call.',
    });
    expect((await callsOf(lane)).filter((c) => c.status === 'registered')).toHaveLength(48);
    expect(await claim()).toBeNull();
  });
});

describe('versions', () => {
  it('are chosen at the first attempt by their weights and kept for retries', async () => {
    const w = await createWorkspace(db, { callLimit: 500 });
    const second = newId();
    await sql`insert into agent_versions select workspace_id, agent_id, ${second}, 'v2', description, 30, config,
      created_at + interval '1 second', updated_at from agent_versions where id = ${w.versionId}`.execute(db);
    await db.updateTable('agent_versions').set({ call_traffic: 70 }).where('id', '=', w.versionId).execute();
    await db
      .updateTable('agents')
      .set({ ab_started_at: new Date(MONDAY) })
      .execute();
    const lane = await startLane({ db, clock }, w, { contacts: 120 });
    const first = new Map<string, string>();
    for (let n = 0; n < 5; n += 1) {
      for (const c of await taken()) {
        first.set(c.callId, c.versionId);
        await settle(c);
      }
    }
    expect(first.size).toBe(120);
    const share = [...first.values()].filter((id) => id === second).length / 120;
    // Five standard deviations.
    expect(Math.abs(share - 0.3)).toBeLessThan(0.21);
    expect(new Map((await callsOf(lane)).map((c) => [c.id, c.version_id]))).toEqual(first);
    await db.updateTable('agent_versions').set({ call_traffic: 0 }).where('id', '=', second).execute();
    clock.advance(31 * 60_000);
    await db
      .updateTable('campaigns')
      .set({ ramp_limit: 1000, served_at: new Date(clock.now()) })
      .execute();
    for (const c of await taken()) expect([c.attempt, c.versionId]).toEqual([2, first.get(c.callId)]);
  });
});

describe('caller numbers', () => {
  it('of a pool take turns; spam, test and full ones are left out', async () => {
    const w = await createWorkspace(db, { callLimit: 100, numbers: [{}, { callLimit: 1 }, {}, {}, {}] });
    const poolId = await poolOf(w);
    const [a = '', b = '', c = '', spam = '', test = ''] = w.numberIds;
    await db.updateTable('numbers').set({ is_spam: true }).where('id', '=', spam).execute();
    await db.updateTable('numbers').set({ is_test_number: true }).where('id', '=', test).execute();
    await startLane({ db, clock }, w, { contacts: 50, poolId });
    const used = (await taken(8)).map((call) => call.numberId);
    expect(used.slice(0, 3)).toEqual([a, b, c]);
    expect(used.filter((id) => id === b)).toHaveLength(1);
    expect(used.filter((id) => id === a).length - used.filter((id) => id === c).length).toBeLessThanOrEqual(
      1,
    );
    // The turn goes on where it left off, and within one tick of the clock.
    const last = used.at(-1);
    expect((await taken(1))[0]?.numberId).toBe(last === a ? c : a);
  });

  it('rest while their calls are answered far less than the others’; never all of them', async () => {
    const w = await createWorkspace(db, { callLimit: 100, numbers: [{}, {}, {}] });
    await setLimits(db, w, { number_rest: { attempts: 10, minutes: 30 } });
    const [tired = '', good = '', fine = ''] = w.numberIds;
    const attempts = async (numberId: string, answered: number): Promise<void> => {
      await sql`insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at, number_id,
          answered_at, ended_at)
        select ${w.id}, gen_random_uuid(), 1, ${deps.nodeId}, 'ended', ${new Date(clock.now())}, ${numberId},
          case when i <= ${answered} then ${new Date(clock.now())}::timestamptz end, ${new Date(clock.now())}
        from generate_series(1, 10) i`.execute(db);
    };
    await attempts(tired, 1);
    await attempts(good, 8);
    await attempts(fine, 7);
    await startLane({ db, clock }, w, { contacts: 90 });
    await taken(1);
    const rest = async (): Promise<(string | null)[]> =>
      (await db.selectFrom('numbers').select('rest_until').orderBy('number').execute()).map(
        (n) => n.rest_until?.toISOString() ?? null,
      );
    expect(await rest()).toEqual([new Date(MONDAY + 30 * 60_000).toISOString(), null, null]);
    const used = new Set((await taken(20)).map((c) => c.numberId));
    expect(used).toEqual(new Set([good, fine]));
    // After its rest it is judged by what comes after.
    clock.advance(30 * 60_000 + 1);
    await db
      .updateTable('campaigns')
      .set({ ramp_limit: 1000, served_at: new Date(clock.now()) })
      .execute();
    await taken(1);
    expect((await taken(20)).some((c) => c.numberId === tired)).toBe(true);
    // Were all marked as resting, they would be used all the same.
    await db
      .updateTable('numbers')
      .set({ rest_until: new Date(clock.now() + 60_000) })
      .execute();
    expect((await taken(20)).length).toBeGreaterThan(0);
  });
});

describe('limits of a workspace', () => {
  it('by destination: calls at once, allowed and denied', async () => {
    const w = await createWorkspace(db, { callLimit: 50 });
    await setLimits(db, w, { destination_calls: { '+1212': 2, IN: 1 }, denied_destinations: ['+4490'] });
    const lane = await startLane({ db, clock }, w, {
      contacts: [
        ...Array.from({ length: 6 }, (_, i) => ({ number: `+1212555000${i}` })),
        { number: '+919876543210' },
        { number: '+919876543211' },
        { number: '+449012345678' },
        { number: '+13105550199' },
      ],
    });
    const claimed = (await taken()).map((c) => c.toNumber);
    expect(claimed).toEqual(['+12125550000', '+12125550001', '+919876543210', '+13105550199']);
    const rows = await callsOf(lane);
    expect(rows.find((c) => c.to_number === '+449012345678')).toMatchObject({
      status: 'error',
      sub_status: 'NOT_ABLE_TO_CALL',
    });
    // The others stand aside, spread over the time in which places come free.
    const held = rows.filter((c) => c.sub_status === 'LIMIT_REACHED');
    expect(held).toHaveLength(5);
    expect(held.map((c) => (c.next_attempt_at?.getTime() ?? 0) - MONDAY)).toEqual([
      5000, 5000, 35_000, 35_000, 5000,
    ]);
    await setLimits(db, w, { allowed_destinations: ['IN'] });
    clock.advance(5_000);
    expect((await taken()).map((c) => c.toNumber)).toEqual(['+919876543211']);
  });

  it('by how often one callee is called, over campaigns and individual calls', async () => {
    const w = await createWorkspace(db, { callLimit: 50 });
    await setLimits(db, w, { callee_frequency: { attempts: 2, hours: 24 } });
    const number = '+12125550177';
    await startLane({ db, clock }, w, { contacts: [{ number }] });
    const lane = await startLane({ db, clock }, w, { contacts: [{ number }] });
    await queueCalls(db, w, 1, { to: number });
    const all: Claimed[] = [];
    for (let n = 0; n < 5; n += 1) {
      all.push(...(await taken()));
      clock.advance(1_000);
    }
    expect(all).toHaveLength(2);
    const held = await db.selectFrom('calls').selectAll().where('status', '=', 'registered').execute();
    expect(held).toMatchObject([
      { sub_status: 'LIMIT_REACHED', next_attempt_at: new Date(MONDAY + 24 * 3_600_000) },
    ]);
    clock.set(MONDAY + 24 * 3_600_000);
    await db
      .updateTable('campaigns')
      .set({ served_at: new Date(clock.now()) })
      .where('id', '=', lane)
      .execute();
    await sql`update agent_versions set config = jsonb_set(config, '{call_config,call_time}',
      '{"call_start_time":"00:00","call_end_time":"00:00"}')`.execute(db);
    expect(await taken()).toHaveLength(1);
  });
});

describe('the last gate', () => {
  const one = async (
    options: Parameters<typeof startLane>[2] = {},
  ): Promise<{ lane: string; c: Claimed }> => {
    const w = await createWorkspace(db);
    const lane = await startLane({ db, clock }, w, { contacts: 3, ...options });
    const [c] = await taken(1);
    if (c === undefined) throw new Error('nothing claimed');
    return { lane, c };
  };
  const isBack = async (c: Claimed): Promise<void> => {
    expect(
      await db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirst(),
    ).toMatchObject({
      status: 'registered',
      attempt: 0,
      reserved: 0,
      dialed_at: null,
    });
    expect(await db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
    expect(
      (await db.selectFrom('workspaces').select('locked_credits').executeTakeFirst())?.locked_credits,
    ).toBe(0);
    expect(await db.selectFrom('events').select('id').execute()).toEqual([]);
  };

  it('lets a running campaign’s call through', async () => {
    const { c } = await one();
    expect(await markDialing(deps, c)).toMatchObject({ go: true });
  });

  it.each(['paused', 'terminated', 'completed', 'insufficient_balance'] as const)(
    'turns calls of a campaign away that is %s by now',
    async (state) => {
      const { lane, c } = await one();
      await db.updateTable('campaigns').set({ state }).where('id', '=', lane).execute();
      expect(await markDialing(deps, c)).toEqual({ go: false, why: 'campaign_stopped' });
      await isBack(c);
    },
  );

  it('turns calls away after the campaign’s end, outside its window and of listed callees', async () => {
    const ending = await one({ endAt: new Date(MONDAY + 1000) });
    clock.advance(1000);
    expect(await markDialing(deps, ending.c)).toEqual({ go: false, why: 'campaign_stopped' });
    await isBack(ending.c);
    await sql`truncate calls, campaigns, campaign_numbers cascade`.execute(db);
    const closing = await one({ callConfig: { call_time: { call_end_time: '15:31' } } });
    clock.advance(60_000);
    expect(await markDialing(deps, closing.c)).toEqual({ go: false, why: 'window_closed' });
    await isBack(closing.c);
    await sql`truncate calls, campaigns, campaign_numbers cascade`.execute(db);
    const listed = await one();
    await db
      .insertInto('campaign_do_not_call')
      .values({
        workspace_id: listed.c.workspaceId,
        campaign_id: listed.lane,
        number: listed.c.toNumber,
        reason: 'test',
        created_at: new Date(MONDAY),
      })
      .execute();
    expect(await markDialing(deps, listed.c)).toEqual({ go: false, why: 'do_not_call' });
    expect(
      await db.selectFrom('calls').selectAll().where('id', '=', listed.c.callId).executeTakeFirst(),
    ).toMatchObject({ status: 'failed', sub_status: 'DND_SKIPPED' });
  });

  it('is waited for by whoever stops the campaign, and is closed once it is stopped', async () => {
    const { lane, c } = await one();
    const order: string[] = [];
    let dialling: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await sql`select from campaigns where id = ${lane} for no key update`.execute(tx);
      dialling = markDialing(deps, c).then((decision) => order.push(JSON.stringify(decision)));
      await new Promise((done) => setTimeout(done, 100));
      await sql`update campaigns set state = 'terminated' where id = ${lane}`.execute(tx);
      order.push('stopped');
    });
    await dialling;
    expect(order).toEqual(['stopped', '{"go":false,"why":"campaign_stopped"}']);
  });

  it('a call of a dead process comes back to its campaign and is due at once', async () => {
    const { lane, c } = await one();
    await db
      .updateTable('nodes')
      .set({ fenced_at: new Date(clock.now()) })
      .execute();
    const settled = { db, clock, rate, recordingUrl: () => 'http://localhost/recording' };
    // The other two have not been claimed; only the hint of the campaign tells of this one.
    await db
      .updateTable('calls')
      .set({ next_attempt_at: new Date(MONDAY + 3_600_000) })
      .where('status', '=', 'registered')
      .execute();
    await db
      .updateTable('campaigns')
      .set({ next_due_at: new Date(MONDAY + 3_600_000) })
      .execute();
    await db
      .updateTable('workspaces')
      .set({ next_due_at: new Date(MONDAY + 3_600_000) })
      .execute();
    expect(await reapOrphans(settled)).toBe(1);
    expect((await laneRow(db, lane)).next_due_at).toEqual(new Date(MONDAY));
    deps = { ...deps, nodeId: await createNode(db, 'successor') };
    expect((await taken()).map((call) => call.callId)).toEqual([c.callId]);
  });
});
