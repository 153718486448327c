import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CapNotices } from '../../../src/domain/workspaces/cap-notices.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { SchedulerLoop, SchedulerWake } from '../../../src/scheduler/loop.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { notifyQueue } from '../../../src/store/scheduler/hints.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { createNode, createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
/** A loop that does not rest polls this often. */
const POLL_MS = 10;
const LISTENERS = sql`select pg_terminate_backend(pid) from pg_stat_activity
  where query = 'listen callwright_queue' and datname = current_database()`;

let ground: Ground;
let wake: SchedulerWake;
let loop: SchedulerLoop;
let polls = 0;
let isAloneAndIdle = true;
let placed: Claimed[] = [];

beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(() => ground.renew());
afterEach(async () => {
  await loop.drain();
  await wake.close();
});

async function start(): Promise<void> {
  const nodeId = await createNode(ground.db, 'resting');
  [polls, isAloneAndIdle, placed] = [0, true, []];
  wake = new SchedulerWake({ db: ground.db, log: silentLog });
  loop = new SchedulerLoop({
    db: ground.db,
    clock: {
      now: () => {
        polls += 1;
        return ground.clock.now();
      },
      monotonic: () => ground.clock.monotonic(),
    },
    rate,
    log: silentLog,
    notices: new CapNotices({ log: silentLog, clock: ground.clock }),
    nodeId: () => nodeId,
    capacity: () => 100,
    place: (claimed) => placed.push(claimed),
    wake,
    isAloneAndIdle: () => isAloneAndIdle,
    pollMs: POLL_MS,
  });
  loop.start();
}

async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (await check()) return;
    await sleep(25);
  }
  throw new Error('did not come true');
}

/** Resolves when the loop polls at its short interval. */
async function polling(): Promise<void> {
  const from = polls;
  await eventually(() => polls > from + 20);
}

/** Resolves when the loop has not polled for 50 times its short interval. */
async function resting(): Promise<void> {
  await eventually(async () => {
    const from = polls;
    await sleep(50 * POLL_MS);
    return polls === from;
  });
}

describe('a scheduler without due calls', () => {
  it('rests once a notification has come, and polls again when the connection that listens is lost', async () => {
    await start();
    await polling();
    wake.listen(ground.url);
    await eventually(() => wake.isHearing);
    await resting();
    await eventually(async () => (await LISTENERS.execute(ground.db)).rows.length > 0);
    await eventually(() => !wake.isHearing);
    await polling();
    await eventually(() => wake.isHearing);
    await resting();
    expect(placed).toEqual([]);
  });

  it('claims a call that a notification announces while it rests', async () => {
    await start();
    wake.listen(ground.url);
    await eventually(() => wake.isHearing);
    await resting();
    await queueCalls(ground.db, await createWorkspace(ground.db, { callLimit: 100 }), 3);
    await notifyQueue(ground.db);
    await eventually(() => placed.length > 0);
    expect(placed).toHaveLength(3);
  });

  it('claims what was queued without a notification while its connection was lost', async () => {
    await start();
    wake.listen(ground.url);
    await eventually(() => wake.isHearing);
    await resting();
    expect((await LISTENERS.execute(ground.db)).rows.length).toBeGreaterThan(0);
    await queueCalls(ground.db, await createWorkspace(ground.db, { callLimit: 100 }), 3);
    await eventually(() => placed.length > 0);
    expect(placed).toHaveLength(3);
  });

  it('polls on beside a call or another process', async () => {
    await start();
    wake.listen(ground.url);
    await eventually(() => wake.isHearing);
    await resting();
    isAloneAndIdle = false;
    wake.wake();
    await polling();
    expect(wake.isHearing).toBe(true);
  });

  it('wakes when the next call is due', async () => {
    await start();
    wake.listen(ground.url);
    await eventually(() => wake.isHearing);
    const w = await createWorkspace(ground.db, { callLimit: 100 });
    const dueAt = ground.clock.now() + 1_000;
    await queueCalls(ground.db, w, 2, { dueAt });
    wake.wake();
    await resting();
    expect(placed).toEqual([]);
    ground.clock.advance(1_000);
    await eventually(() => placed.length === 2);
  });

  it('claims a call that a look found while it rests, and does not poll for one that it knows', async () => {
    await start();
    wake.listen(ground.url);
    await eventually(() => wake.isHearing);
    await resting();
    const from = polls;
    loop.expect(Number.POSITIVE_INFINITY);
    await resting();
    expect(polls).toBe(from);
    await queueCalls(ground.db, await createWorkspace(ground.db, { callLimit: 100 }), 3);
    loop.expect(ground.clock.now());
    await eventually(() => placed.length > 0);
    expect(placed).toHaveLength(3);
  });
});
