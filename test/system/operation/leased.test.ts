import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { leased } from '../../../src/jobs/leased.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { finishJob, insertJob, type DueJob } from '../../../src/store/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, mondayClock } from '../../helpers/database/workspace.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

it('a lease that is extended while its job fails does not move the next try', async () => {
  const { db } = database;
  const clock = mondayClock();
  const at = new Date(clock.now());
  const { id: workspaceId } = await createWorkspace(db);
  await insertJob(db, { workspaceId, kind: 'test.job', dedup: 'one', payload: {} }, at);
  const { id } = await db.selectFrom('jobs').select('id').executeTakeFirstOrThrow();
  const job: DueJob = { id, workspaceId, kind: 'test.job', payload: {}, attempt: 0 };

  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction().execute(async (tx) => {
    await sql`select from jobs where id = ${id} for update`.execute(tx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const order: string[] = [];
  const fails = Promise.withResolvers<void>();
  const retryAt = new Date(at.getTime() + 1_000);
  const ended = leased({ db, clock, log: silentLog }, job, () => fails.promise).catch(async () => {
    order.push('failed');
    await finishJob(db, job, { state: 'due', dueAt: retryAt, error: 'failed' });
  });
  vi.advanceTimersByTime(7_000);
  const waiting = async (): Promise<number> =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
    ).rows.length;
  await expect.poll(waiting).toBe(1);
  fails.reject(new Error('the work failed'));
  // One turn of the event loop: what does not wait for the extension has run.
  await new Promise((resolve) => setImmediate(resolve));
  order.push('released');
  release.resolve();
  await Promise.all([holding, ended]);
  expect(order).toEqual(['released', 'failed']);
  const { due_at: dueAt } = await db.selectFrom('jobs').select('due_at').executeTakeFirstOrThrow();
  expect(dueAt).toEqual(retryAt);
});
