import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobRunner, type DueJob, type JobHandler } from '../../src/jobs/job-runner.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { insertJob } from '../../src/store/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/service.ts';
import { mondayClock } from '../helpers/world.ts';

let database: TestDatabase;
const clock = mondayClock();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('jobs').execute();
});

const workspaceId = newId();
const queue = (dedup: string, kind = 'test.job'): Promise<void> =>
  insertJob(database.db, { workspaceId, kind, dedup, payload: { dedup } }, new Date(clock.now()));
const rows = (): Promise<{ dedup: string; state: string; attempt: number; last_error: string | null }[]> =>
  database.db
    .selectFrom('jobs')
    .select(['dedup', 'state', 'attempt', 'last_error'])
    .orderBy('dedup')
    .execute();
const runner = (handler: Partial<JobHandler>, options: { parallel?: number } = {}): JobRunner =>
  new JobRunner({
    db: database.db,
    clock,
    log: silentLog,
    pollMs: 20,
    leaseMs: 60_000,
    retryAfterMs: [1000],
    handlers: {
      'test.job': { run: () => Promise.resolve(), gaveUp: () => Promise.resolve(), ...handler },
    },
    ...options,
  });

describe('the job runner', () => {
  it('does every job once although several look, and leaves other kinds alone', async () => {
    const done: string[] = [];
    const run = (job: DueJob): Promise<void> => {
      done.push(String(job.payload['dedup']));
      return Promise.resolve();
    };
    for (let at = 0; at < 30; at += 1) await queue(`job ${at}`);
    await queue('job 3');
    await queue('other', 'other.kind');
    const runners = [runner({ run }), runner({ run }), runner({ run })];
    for (const each of runners) each.start();
    await eventually('all to be done', async () =>
      (await rows()).filter((row) => row.state === 'done').length === 30 ? true : null,
    );
    await Promise.all(runners.map((each) => each.stop()));
    expect(done.toSorted()).toEqual(Array.from({ length: 30 }, (_, at) => `job ${at}`).toSorted());
    expect((await rows()).find((row) => row.dedup === 'other')).toMatchObject({ state: 'due', attempt: 0 });
  });

  it('tries again after the wait, then gives up once', async () => {
    const attempts: number[] = [];
    const givenUp: string[] = [];
    await queue('broken');
    const each = runner({
      run: (job) => {
        attempts.push(job.attempt);
        return Promise.reject(new TypeError('secret detail'));
      },
      gaveUp: (job) => {
        givenUp.push(String(job.payload['dedup']));
        return Promise.resolve();
      },
    });
    each.start();
    await eventually('the first failure', async () => ((await rows())[0]?.last_error === null ? null : true));
    expect([attempts, givenUp]).toEqual([[1], []]);
    clock.advance(1000);
    await eventually('the end', async () => ((await rows())[0]?.state === 'dead' ? true : null));
    await each.stop();
    expect([attempts, givenUp]).toEqual([[1, 2], ['broken']]);
    expect(await rows()).toEqual([{ dedup: 'broken', state: 'dead', attempt: 2, last_error: 'TypeError' }]);
  });

  it('takes over from a process that died, and buries what it died of', async () => {
    await queue('deadly');
    const hung = runner({ run: () => new Promise(() => undefined) });
    hung.start();
    await eventually('it to be taken', async () => ((await rows())[0]?.attempt === 1 ? true : null));
    await hung.stop(0);
    const again = runner({ run: () => new Promise(() => undefined) });
    again.start();
    clock.advance(59_000);
    again.kick();
    expect((await rows())[0]).toMatchObject({ attempt: 1 });
    clock.advance(1000);
    await eventually('the lease to end', async () => ((await rows())[0]?.attempt === 2 ? true : null));
    await again.stop(0);
    clock.advance(60_000);
    const givenUp: DueJob[] = [];
    const last = runner({
      gaveUp: (job) => {
        givenUp.push(job);
        return Promise.resolve();
      },
    });
    last.start();
    await eventually('it to be given up', async () => (givenUp.length > 0 ? true : null));
    await last.stop();
    expect(givenUp).toHaveLength(1);
    expect(await rows()).toMatchObject([{ dedup: 'deadly', state: 'dead', last_error: 'interrupted' }]);
  });

  it('runs no more at once than it may', async () => {
    let running = 0;
    let most = 0;
    for (let at = 0; at < 12; at += 1) await queue(`job ${at}`);
    const each = runner(
      {
        run: async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
        },
      },
      { parallel: 3 },
    );
    each.start();
    await eventually('all to be done', async () =>
      (await rows()).every((row) => row.state === 'done') ? true : null,
    );
    await each.stop();
    expect(most).toBe(3);
  });
});
