import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NodePresence } from '../../../src/dialer/presence.ts';
import { CapNotices } from '../../../src/domain/workspaces/cap-notices.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { SchedulerLoop, SchedulerWake } from '../../../src/scheduler/loop.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { Heartbeat } from '../../../src/store/nodes.ts';
import { livingNodes } from '../../helpers/calls/living-nodes.ts';
import { notifyQueue } from '../../../src/store/scheduler/hints.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { createNode, createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let ground: Ground;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(() => ground.renew());

const FIGURES = { version: '1', liveCalls: 0, freeCalls: 1, rtpPorts: null, rtpPortsInUse: 0 };

describe('node presence and scheduler loop', () => {
  const eventually = async (check: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 1_200; tries += 1) {
      if (await check()) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('did not come true');
  };

  it('a fenced node is notified by its own heartbeat, registers again and leaves', async () => {
    let fenced = 0;
    const options = {
      db: ground.db,
      heartbeat: new Heartbeat(ground.url),
      clock: systemClock,
      log: silentLog,
      name: 'n',
      roles: 'all',
      figures: () => FIGURES,
      isIdle: () => false,
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

  it('holds its lease for fifteen seconds after a heartbeat, and no longer', async () => {
    const { db, clock } = ground;
    const rest = {
      log: silentLog,
      name: 'n',
      roles: 'all',
      figures: () => FIGURES,
      isIdle: () => false,
      onFenced: () => undefined,
    };
    const presence = new NodePresence({ db, heartbeat: new Heartbeat(ground.url), clock, ...rest });
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

  it('the loop claims up to its capacity, polls on a wake and on a notification, and drains', async () => {
    const nodeId = await createNode(ground.db, 'loop');
    const w = await createWorkspace(ground.db, { callLimit: 100 });
    await queueCalls(ground.db, w, 20);
    const placed: Claimed[] = [];
    let capacity = 12;
    const wake = new SchedulerWake({ db: ground.db, log: silentLog });
    const loop = new SchedulerLoop({
      db: ground.db,
      clock: ground.clock,
      rate,
      log: silentLog,
      notices: new CapNotices({ log: silentLog, clock: ground.clock }),
      nodeId: () => nodeId,
      capacity: () => capacity - placed.length,
      place: (c) => placed.push(c),
      wake,
      pollMs: 600_000,
    });
    loop.start();
    wake.listen(ground.url);
    await eventually(() => placed.length === 12);
    capacity = 20;
    wake.wake();
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
    wake.wake();
    await wake.close();
    expect(placed).toHaveLength(21);
    expect(new Set(placed.map((c) => c.callId)).size).toBe(21);
  });

  it('the loop obeys a trunk’s calls_per_second', async () => {
    const nodeId = await createNode(ground.db, 'paced');
    const w = await createWorkspace(ground.db, {
      callLimit: 100,
      trunks: { paced: { calls_per_second: 3 } },
      numbers: [{ trunk: 'paced' }],
    });
    await queueCalls(ground.db, w, 10);
    const placed: Claimed[] = [];
    const loop = new SchedulerLoop({
      db: ground.db,
      clock: ground.clock,
      rate,
      log: silentLog,
      notices: new CapNotices({ log: silentLog, clock: ground.clock }),
      nodeId: () => nodeId,
      capacity: () => 100,
      place: (c) => placed.push(c),
      wake: new SchedulerWake({ db: ground.db, log: silentLog }),
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
