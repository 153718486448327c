import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimTurn, type Claimed } from '../../src/dialer/claim.ts';
import { markAnswered, markDialing } from '../../src/dialer/journal.ts';
import { DialerLoop } from '../../src/dialer/loop.ts';
import { NodePresence } from '../../src/dialer/node-presence.ts';
import { Reaper, reapOrphans } from '../../src/dialer/reaper.ts';
import { settleAttempt, type SettleDeps } from '../../src/domain/calls/settle-call.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import { newId } from '../../src/shared/ids.ts';
import { beat, fenceNode, livingNodes, registerNode } from '../../src/store/nodes.ts';
import { notifyQueue } from '../../src/store/queue.ts';
import { createNode, createWorkspace, MONDAY, queueCalls } from '../helpers/world.ts';
import { createGround, type Ground } from '../helpers/ground.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let ground: Ground;
let deps: SettleDeps;

beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.renew();
  deps = { db: ground.db, clock: ground.clock, rate, recordingUrl: () => 'http://localhost/r' };
});

async function claimed(
  nodeId: string,
  options: Parameters<typeof createWorkspace>[1] = {},
): Promise<Claimed> {
  const w = await createWorkspace(ground.db, options);
  await queueCalls(ground.db, w, 1);
  const turn = await claimTurn(
    { db: ground.db, clock: ground.clock, rate, nodeId },
    { visited: [], capacity: 1 },
  );
  const c = turn?.claimed[0];
  if (c === undefined) throw new Error('nothing claimed');
  return c;
}
const callOf = (c: Claimed) =>
  ground.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirstOrThrow();
const locked = async (c: Claimed): Promise<number> =>
  (
    await ground.db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('id', '=', c.workspaceId)
      .executeTakeFirstOrThrow()
  ).locked_credits;
const eventTypes = async (): Promise<string[]> =>
  (await ground.db.selectFrom('events').select('event_type').orderBy('seq').execute()).map(
    (event) => event.event_type,
  );

describe('after a crash', () => {
  it('a successor of the same name settles the predecessor at once', async () => {
    const old = newId();
    await registerNode(
      ground.db,
      { id: old, name: 'host:/data', roles: 'all' },
      new Date(ground.clock.now()),
    );
    const rung = await claimed(old);
    await markDialing(deps, rung);
    const talking = await claimed(old);
    await markDialing(deps, talking);
    await markAnswered(deps, talking, { at: ground.clock.now() });
    const waiting = await claimed(old);
    ground.clock.advance(70_000);
    await beat(ground.db, old, new Date(ground.clock.now()));
    ground.clock.advance(3_000);

    const young = newId();
    await registerNode(
      ground.db,
      { id: young, name: 'host:/data', roles: 'all' },
      new Date(ground.clock.now()),
    );
    expect(await reapOrphans(deps)).toBe(3);

    // Rung and unanswered: unknown, never redialled, free.
    expect(await callOf(rung)).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH', cost: 0 });
    expect(await locked(rung)).toBe(0);
    // Talking: paid until the last sign of life, 70 s: two pulses.
    expect(await callOf(talking)).toMatchObject({ status: 'error', duration_ms: 70_000, cost: 2_000_000 });
    // Claimed only: as if it had never been.
    expect(await callOf(waiting)).toMatchObject({
      status: 'registered',
      attempt: 0,
      reserved: 0,
      node_id: null,
    });
    expect(await locked(waiting)).toBe(0);
    expect((await eventTypes()).filter((type) => type === 'call_completed')).toHaveLength(2);
    // The answered one was recorded on a disk that nobody has yet: its last word waits for that.
    expect((await eventTypes()).filter((type) => type === 'all_processing_completed')).toHaveLength(1);
    const jobs = await ground.db.selectFrom('jobs').select(['kind', 'due_at']).execute();
    const dueAt = new Date(ground.clock.now() + 120_000);
    expect(jobs).toEqual([{ kind: 'call.analyse', due_at: dueAt }]);
    expect(await reapOrphans(deps)).toBe(0);
    const again = await claimTurn(
      { db: ground.db, clock: ground.clock, rate, nodeId: young },
      { visited: [], capacity: 5 },
    );
    expect(again?.claimed.map((c) => c.callId)).toEqual([waiting.callId]);
  });

  it('leaves a live node alone and fences a silent one after fifteen seconds of looking', async () => {
    const me = await createNode(ground.db, 'me');
    const live = await createNode(ground.db, 'live');
    const silent = await createNode(ground.db, 'silent');
    const lost = await claimed(silent);
    await markDialing(deps, lost);
    const kept = await claimed(live);
    await markDialing(deps, kept);
    const reaper = new Reaper(deps, me);
    for (let second = 0; second < 15; second += 1) {
      expect(await reaper.run()).toBe(0);
      ground.clock.advance(1000);
      await beat(ground.db, live, new Date(ground.clock.now()));
    }
    expect(await reaper.run()).toBe(1);
    expect(await callOf(lost)).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH' });
    expect(await callOf(kept)).toMatchObject({ status: 'ongoing' });
    expect((await livingNodes(ground.db)).map((node) => node.id).sort()).toEqual([me, live].sort());
  });

  it('keeps a node that was taken for dead from writing anything more', async () => {
    const node = await createNode(ground.db, 'slow');
    const c = await claimed(node);
    await markDialing(deps, c);
    await fenceNode(ground.db, node, new Date(MONDAY), new Date(ground.clock.now()));
    expect(await beat(ground.db, node, new Date(ground.clock.now()))).toBe(false);
    await reapOrphans(deps);
    const credits = await ground.db.selectFrom('workspaces').selectAll().execute();
    expect(await markAnswered(deps, c, { at: ground.clock.now() })).toBe(false);
    expect(
      await settleAttempt(deps, {
        ...c,
        end: { kind: 'answered', reason: 'USER_LEFT' },
        endedAt: ground.clock.now() + 60_000,
        answeredAt: ground.clock.now(),
        hangupBy: 'caller',
        sipCallId: null,
        sipCode: 200,
        reason: null,
        result: null,
      }),
    ).toEqual({ settled: false });
    expect(await ground.db.selectFrom('workspaces').selectAll().execute()).toEqual(credits);
    expect(await callOf(c)).toMatchObject({ status: 'error' });
  });

  it('settles a call of its own process that only the database still knows', async () => {
    const me = await createNode(ground.db, 'me');
    const held = await claimed(me);
    const unjournalled = await claimed(me);
    const unsettled = await claimed(me);
    await markDialing(deps, held);
    await markDialing(deps, unsettled);
    const own = { nodeId: () => me, holds: (callId: string) => callId === held.callId };
    const reaper = new Reaper(deps, me, own);
    ground.clock.advance(30_000);
    expect(await reaper.run()).toBe(0);
    ground.clock.advance(1);
    expect(await reaper.run()).toBe(2);
    expect(await callOf(held)).toMatchObject({ status: 'ongoing' });
    expect(await callOf(unjournalled)).toMatchObject({ status: 'registered', attempt: 0 });
    expect(await callOf(unsettled)).toMatchObject({ status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH' });
    expect([await locked(unjournalled), await locked(unsettled)]).toEqual([0, 0]);
  });

  it('does not fence a node that beats between look and verdict', async () => {
    const node = await createNode(ground.db, 'quick');
    await beat(ground.db, node, new Date(MONDAY + 1));
    expect(await fenceNode(ground.db, node, new Date(MONDAY), new Date(MONDAY + 2))).toBe(false);
  });

  it('an attempt put back after the window closed waits for the opening', async () => {
    const node = await createNode(ground.db, 'gone');
    const c = await claimed(node, { callConfig: { call_time: { call_end_time: '15:31' } } });
    await fenceNode(ground.db, node, new Date(MONDAY), new Date(MONDAY));
    ground.clock.advance(60_000);
    await reapOrphans(deps);
    expect(await callOf(c)).toMatchObject({
      status: 'registered',
      sub_status: 'WINDOW_CLOSED',
      next_attempt_at: new Date('2026-01-06T03:30:00Z'),
    });
  });
});

describe('presence and loop', () => {
  const eventually = async (check: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 400; tries += 1) {
      if (await check()) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('did not come true');
  };

  it('learns from its own beat that it was fenced, and leaves in order', async () => {
    let fenced = 0;
    const options = {
      db: ground.db,
      clock: systemClock,
      log: silentLog,
      name: 'n',
      roles: 'all',
      onFenced: () => (fenced += 1),
    };
    const presence = new NodePresence(options);
    await presence.start();
    expect((await livingNodes(ground.db)).map((node) => node.id)).toEqual([presence.nodeId]);
    await sql`update nodes set fenced_at = now()`.execute(ground.db);
    await eventually(() => fenced === 1);
    await presence.start();
    expect(await livingNodes(ground.db)).toHaveLength(1);
    await presence.stop();
    expect(await livingNodes(ground.db)).toEqual([]);
  });

  it('holds its calls for sure as long as others wait for its next beat, and no longer', async () => {
    const { db, clock } = ground;
    const rest = { log: silentLog, name: 'n', roles: 'all', onFenced: () => undefined };
    const presence = new NodePresence({ db, clock, ...rest });
    expect(presence.holdsLease).toBe(false);
    await presence.start();
    clock.advance(14_999);
    expect(presence.holdsLease).toBe(true);
    clock.advance(1);
    expect(presence.holdsLease).toBe(false);
    await eventually(() => presence.holdsLease);
    await sql`update nodes set fenced_at = now()`.execute(db);
    clock.advance(15_000);
    await presence.stop();
    expect(presence.holdsLease).toBe(false);
  });

  it('takes due calls up to its capacity, wakes on kick and on notification, and drains', async () => {
    const nodeId = await createNode(ground.db, 'loop');
    const w = await createWorkspace(ground.db, { callLimit: 100 });
    await queueCalls(ground.db, w, 20);
    const placed: Claimed[] = [];
    let capacity = 12;
    const loop = new DialerLoop({
      db: ground.db,
      clock: ground.clock,
      rate,
      log: silentLog,
      nodeId: () => nodeId,
      capacity: () => capacity - placed.length,
      place: (c) => placed.push(c),
      listenUrl: ground.url,
      pollMs: 600_000,
    });
    loop.start();
    await eventually(() => placed.length === 12);
    capacity = 20;
    loop.kick();
    await eventually(() => placed.length === 20);
    capacity = 100;
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where query = 'listen callwright_queue' and datname = current_database()`.execute(ground.db);
      return rows.length > 0;
    });
    await queueCalls(ground.db, w, 1);
    await notifyQueue(ground.db);
    await eventually(() => placed.length === 21);
    await loop.drain();
    await queueCalls(ground.db, w, 1);
    loop.kick();
    expect(placed).toHaveLength(21);
    expect(new Set(placed.map((c) => c.callId)).size).toBe(21);
  });

  it('keeps to a trunk’s calls per second', async () => {
    const nodeId = await createNode(ground.db, 'paced');
    const w = await createWorkspace(ground.db, {
      callLimit: 100,
      trunks: { paced: { calls_per_second: 3 } },
      numbers: [{ trunk: 'paced' }],
    });
    await queueCalls(ground.db, w, 10);
    const placed: Claimed[] = [];
    const loop = new DialerLoop({
      db: ground.db,
      clock: ground.clock,
      rate,
      log: silentLog,
      nodeId: () => nodeId,
      capacity: () => 100,
      place: (c) => placed.push(c),
      listenUrl: null,
      pollMs: 20,
    });
    loop.start();
    await eventually(() => placed.length === 3);
    ground.clock.advance(1000);
    await eventually(() => placed.length === 6);
    ground.clock.advance(334);
    await eventually(() => placed.length === 7);
    await loop.drain();
    expect(placed).toHaveLength(7);
  });
});
