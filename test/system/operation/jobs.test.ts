import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobRunner, type DueJob, type JobHandler } from '../../../src/jobs/job-runner.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { Db } from '../../../src/store/database.ts';
import { insertJob, jobsToGiveUp, takeJobs } from '../../../src/store/jobs.ts';
import { withIndexPlans } from '../../../src/store/plans.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/service/service.ts';
import { mondayClock } from '../../helpers/database/workspace.ts';

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
const queue = (dedup: string, kind = 'test.job', of = workspaceId): Promise<void> =>
  insertJob(database.db, { workspaceId: of, kind, dedup, payload: { dedup } }, new Date(clock.now()));
const rows = (): Promise<{ dedup: string; state: string; attempt: number; last_error: string | null }[]> =>
  database.db
    .selectFrom('jobs')
    .select(['dedup', 'state', 'attempt', 'last_error'])
    .orderBy('dedup')
    .execute();
const runner = (
  handler: Partial<JobHandler>,
  options: { parallel?: number; parts?: number } = {},
): JobRunner =>
  new JobRunner({
    db: database.db,
    clock,
    log: silentLog,
    pollMs: 20,
    leaseMs: 60_000,
    retryAfterMs: [1000],
    kind: 'test.job',
    handler: { run: () => Promise.resolve(), gaveUp: () => Promise.resolve(), ...handler },
    ...options,
  });

describe('the job runner', () => {
  it('runs every job once with several runners, and leaves other kinds untouched', async () => {
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
    await eventually('all jobs to be done', async () =>
      (await rows()).filter((row) => row.state === 'done').length === 30 ? true : null,
    );
    await Promise.all(runners.map((each) => each.stop()));
    expect(done.toSorted()).toEqual(Array.from({ length: 30 }, (_, at) => `job ${at}`).toSorted());
    expect((await rows()).find((row) => row.dedup === 'other')).toMatchObject({ state: 'due', attempt: 0 });
  });

  it('polls by one statement once it has found no job, and runs the job that comes then', async () => {
    let statements = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    let done = 0;
    const each = new JobRunner({
      db,
      clock,
      log: silentLog,
      pollMs: 600_000,
      kind: 'test.job',
      handler: { run: () => Promise.resolve(void (done += 1)), gaveUp: () => Promise.resolve() },
    });
    each.start();
    await each.stop();
    expect(statements).toBeGreaterThan(1);
    statements = 0;
    each.start();
    await each.stop();
    expect(statements).toBe(1);
    await queue('late');
    each.start();
    await eventually('the job to be done', async () => ((await rows())[0]?.state === 'done' ? true : null));
    await each.stop();
    expect(done).toBe(1);
  });

  it('retries after the wait, then gives up once', async () => {
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
    await eventually('the job to be given up', async () =>
      (await rows())[0]?.state === 'dead' ? true : null,
    );
    await each.stop();
    expect([attempts, givenUp]).toEqual([[1, 2], ['broken']]);
    expect(await rows()).toEqual([{ dedup: 'broken', state: 'dead', attempt: 2, last_error: 'TypeError' }]);
  });

  it('takes over jobs of a crashed process, and gives up a job that crashes every process', async () => {
    await queue('deadly');
    const hung = runner({ run: () => new Promise(() => undefined) });
    hung.start();
    await eventually('the job to be taken', async () => ((await rows())[0]?.attempt === 1 ? true : null));
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
    await eventually('the job to be given up', async () => (givenUp.length > 0 ? true : null));
    await last.stop();
    expect(givenUp).toHaveLength(1);
    expect(await rows()).toMatchObject([{ dedup: 'deadly', state: 'dead', last_error: 'interrupted' }]);
  });

  it('runs at most `parallel` jobs at the same time', async () => {
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
      { parallel: 3, parts: 1 },
    );
    each.start();
    await eventually('all jobs to be done', async () =>
      (await rows()).every((row) => row.state === 'done') ? true : null,
    );
    await each.stop();
    expect(most).toBe(3);
  });

  it("a workspace whose jobs hang delays no other workspace's job", async () => {
    const hung: string[] = [];
    const done: string[] = [];
    for (let at = 0; at < 50; at += 1) await queue(`hangs ${at}`);
    const each = runner(
      {
        run: (job) => {
          const hangs = job.workspaceId === workspaceId;
          (hangs ? hung : done).push(String(job.payload['dedup']));
          return hangs ? new Promise(() => undefined) : Promise.resolve();
        },
      },
      { parallel: 4, parts: 2 },
    );
    each.start();
    await eventually('the first jobs to hang', async () => (hung.length > 0 ? true : null));
    const others = [newId(), newId(), newId()];
    for (const other of others) await queue(`innocent ${other}`, 'test.job', other);
    await eventually('the jobs of the other workspaces', async () => (done.length === 3 ? true : null));
    await expect.poll(() => hung.length).toBe(2);
    await each.stop(0);
  });

  it('free slots rotate between the workspaces with due jobs', async () => {
    const order: string[] = [];
    const [a, b, c] = [newId(), newId(), newId()];
    const names = new Map([
      [a, 'a'],
      [b, 'b'],
      [c, 'c'],
    ]);
    for (const of of [a, b, c]) {
      for (let at = 0; at < 4; at += 1) await queue(`${of} ${at}`, 'test.job', of);
    }
    const each = runner(
      {
        run: (job) => {
          order.push(names.get(job.workspaceId) ?? '');
          return Promise.resolve();
        },
      },
      { parallel: 1 },
    );
    each.start();
    await eventually('all jobs', async () => (order.length === 12 ? true : null));
    await each.stop();
    const rounds = [0, 3, 6, 9].map((at) =>
      order
        .slice(at, at + 3)
        .toSorted()
        .join(''),
    );
    expect(rounds).toEqual(['abc', 'abc', 'abc', 'abc']);
  });

  it('the queries for due jobs read the indexes of the queue, also after statistics of an empty table', async () => {
    const own = await createTestDatabase({ maxConnections: 1 });
    try {
      await sql`vacuum analyze jobs`.execute(own.db);
      const now = new Date();
      const which = { kind: 'test.job', now, leaseUntil: now, limit: 4, maxAttempts: 3 };
      await takeJobs(own.db, { ...which, places: { free: 4, parts: 2, shares: [] } });
      await jobsToGiveUp(own.db, which);
      for (const name of ['take_jobs', 'jobs_to_give_up']) {
        const scans = await jobScans(own.db, name);
        expect(scans.length).toBeGreaterThanOrEqual(2);
        const others = scans.filter(
          (scan) =>
            !/Tid Scan.*TID Cond|jobs_of_workspace.*kind = .*|jobs_begun.*kind = .*due_at <=|jobs_pkey.*workspace_id = .*\bid = /.test(
              scan,
            ),
        );
        expect({ name, others }).toEqual({ name, others: [] });
      }
    } finally {
      await own.close();
    }
  });
});

/** Every access to the table in the connection's cached plan, with its condition. */
async function jobScans(db: Db, name: string): Promise<string[]> {
  const { rows } = await withIndexPlans(db, 'now', async (tx) => {
    const { rows: known } = await sql<{ parameters: number }>`
      select cardinality(parameter_types) as parameters from pg_prepared_statements where name = ${name}`.execute(
      tx,
    );
    const nulls = Array.from({ length: known[0]?.parameters ?? 0 }, () => 'null').join(', ');
    return sql<{ 'QUERY PLAN': string }>`explain execute ${sql.raw(`${name}(${nulls})`)}`.execute(tx);
  });
  const lines = rows.map((row) => row['QUERY PLAN'].replace(/ +\(cost.*/, '').trim());
  return lines.flatMap((line, n) =>
    / Scan.* on jobs\b|Scan using jobs_/.test(line)
      ? [`${line} ${lines[n + 1]?.includes('Cond') === true ? lines[n + 1] : ''}`.trim()]
      : [],
  );
}
