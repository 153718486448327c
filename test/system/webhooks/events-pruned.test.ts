import { ANALYSIS_JOB } from '../../../src/domain/calls/queue-analyses.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deliveryLogPruner } from '../../../src/jobs/webhooks/delivery-log.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { insertEvents, pruneEvents } from '../../../src/store/webhooks/events.ts';
import { eventually } from '../../helpers/service/service.ts';
import { conversationResult, createSettling, type Settling } from '../../helpers/calls/settling-node.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

// Retention of events.
const DAY_MS = 86_400_000;
let settling: Settling;
beforeAll(async () => {
  settling = await createSettling();
});
afterAll(() => settling.ground.close());
beforeEach(() => settling.renew());

/** This many days from now: UUIDv7 event IDs contain the real time of their creation. */
const later = (days: number): void =>
  settling.ground.clock.advance(Date.now() - settling.ground.clock.now() + days * DAY_MS);
const before = (days: number): Date => new Date(settling.ground.clock.now() - days * DAY_MS);
const types = async (): Promise<string[]> => (await settling.events()).map((event) => event.event_type);

/** A completed call whose receiver got every event. */
async function emitLast(): Promise<void> {
  const callback = JSON.stringify({ url: 'http://receiver.test/', headers: {} });
  const call = await settling.answered();
  await settling.ground.db.updateTable('calls').set({ callback }).where('id', '=', call.callId).execute();
  await settling.settle(call, { result: conversationResult({ recording: null }) });
  await analyse();
}
/** Emits all_processing_completed, as the analysis job does, and marks the job as done. */
async function analyse(): Promise<void> {
  await settling.analyse();
  await settling.ground.db.updateTable('jobs').set({ state: 'done' }).execute();
}
const endDeliveries = async (state: 'delivered' | 'dead'): Promise<void> => {
  const { db, clock } = settling.ground;
  const at = new Date(clock.now());
  await db.deleteFrom('delivery_queue').execute();
  await db.updateTable('deliveries').set({ state, finished_at: at, created_at: at }).execute();
};

/** Runs one poll of the pruner. */
async function prune(done: () => Promise<boolean>): Promise<void> {
  const { db, clock } = settling.ground;
  const pruner = deliveryLogPruner({ db, clock, log: silentLog, keepDays: 30 });
  pruner.start();
  await eventually('the log to be pruned', async () => ((await done()) ? true : null));
  await pruner.stop();
}

it('an event is deleted with the last of its deliveries after the retention time', async () => {
  await emitLast();
  const all = await types();
  expect(all).toContain('call_completed');
  expect(all.length).toBeGreaterThan(3);
  await endDeliveries('dead');
  const { db } = settling.ground;
  const deliveries = () => db.selectFrom('deliveries').select('id').execute();
  expect((await deliveries()).length).toBeGreaterThan(0);
  later(29);
  // A failed delivery can be resent as long as it is in the log.
  expect(await pruneEvents(db, ANALYSIS_JOB, before(30), 1000)).toBe(0);
  await db
    .updateTable('deliveries')
    .set({ created_at: before(29) })
    .execute();
  later(60);
  expect(await pruneEvents(db, ANALYSIS_JOB, before(30), 1000)).toBe(
    all.length - (await deliveries()).length,
  );
  await prune(async () => (await types()).length === 0 && (await deliveries()).length === 0);
});

it('an event with a pending delivery is kept, however old', async () => {
  await emitLast();
  later(60);
  const due = await settling.ground.db.selectFrom('deliveries').select('event_id').execute();
  expect(due.length).toBeGreaterThan(0);
  await pruneEvents(settling.ground.db, ANALYSIS_JOB, before(30), 1000);
  const kept = (await settling.events()).map(({ id }) => id);
  expect(new Set(kept)).toEqual(new Set(due.map(({ event_id: id }) => id)));
});

it('events of a call that may still emit events are kept, because they prevent duplicates', async () => {
  const { db } = settling.ground;
  const prunes = () => pruneEvents(db, ANALYSIS_JOB, before(30), 1000);
  const call = await settling.answered();
  const endedAt = settling.ground.clock.now() + 10_000;
  later(60);
  expect(await prunes()).toBe(0);
  await settling.settle(call, { endedAt, result: conversationResult({ recording: null }) });
  // all_processing_completed was not emitted.
  later(120);
  expect(await prunes()).toBe(0);
  await analyse();
  later(240);
  expect(await prunes()).toBeGreaterThan(0);
});

it('events are deleted in batches per workspace', async () => {
  const { db } = settling.ground;
  const workspaces = [await createWorkspace(db), await createWorkspace(db)];
  await queueCalls(db, workspaces[0]!, 1);
  const at = new Date(settling.ground.clock.now());
  for (const { id: workspaceId } of workspaces) {
    const events = Array.from({ length: 5 }, (_, n) => {
      const event = { workspaceId, callId: newId(), eventId: newId(), eventType: 'call_started', at };
      return { event: { ...event, dedup: `event ${n}`, body: {} }, targets: [] };
    });
    await db.transaction().execute((tx) => insertEvents(tx, events));
  }
  later(31);
  const counts = [];
  for (let round = 0; round < 4; round += 1) {
    counts.push(await pruneEvents(db, ANALYSIS_JOB, before(30), 2));
  }
  expect(counts).toEqual([4, 4, 2, 0]);
});
