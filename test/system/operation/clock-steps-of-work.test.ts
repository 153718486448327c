import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChatTurns } from '../../../src/chat/chat-turns.ts';
import { ChatWorker } from '../../../src/chat/chat-worker.ts';
import { beginIdempotent } from '../../../src/domain/idempotency.ts';
import { JobRunner, type JobHandler } from '../../../src/jobs/job-runner.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { commitTurn, type LeasedChat } from '../../../src/store/chats/turns.ts';
import { insertJob } from '../../../src/store/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, mondayClock, type TestWorkspace } from '../../helpers/database/workspace.ts';
import { HOUR_MS, STEPS, steppable } from '../../helpers/service/steppable-clock.ts';
import { eventually } from '../../helpers/service/service.ts';

let database: TestDatabase;
let workspace: TestWorkspace;
let time: ReturnType<typeof steppable>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate jobs, chats cascade`.execute(database.db);
  workspace = await createWorkspace(database.db);
  time = steppable(mondayClock().now());
});

/** Some polls of every runner. */
const polled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

describe('a job', () => {
  const runners: JobRunner[] = [];
  afterEach(async () => {
    for (const each of runners.splice(0)) await each.stop();
  });
  const runInTwoProcesses = (run: JobHandler['run']): void => {
    for (let process = 0; process < 2; process += 1) {
      const made = new JobRunner({
        db: database.db,
        clock: time.clock,
        log: silentLog,
        kind: 'test.job',
        pollMs: 20,
        leaseMs: 60_000,
        handler: { run, gaveUp: () => Promise.resolve() },
      });
      runners.push(made);
      made.start();
    }
  };
  const queue = (dueInMs: number): Promise<void> => {
    const now = time.clock.now();
    const dueAt = new Date(now + dueInMs);
    const job = { workspaceId: workspace.id, kind: 'test.job', dedup: 'one', payload: {}, dueAt };
    return insertJob(database.db, job, new Date(now));
  };
  const rows = () => database.db.selectFrom('jobs').select(['state', 'attempt']).execute();

  it.each(STEPS)('under way runs once while the clock of the %s', async (_, step, ms) => {
    const end = Promise.withResolvers<void>();
    let runs = 0;
    await queue(0);
    runInTwoProcesses(() => {
      runs += 1;
      return end.promise;
    });
    await eventually('the job to begin', async () => (runs === 1 ? true : null));
    time[step](ms);
    time.pass(50);
    await polled();
    expect(runs).toBe(1);
    end.resolve();
    await eventually('the job to be done', async () =>
      (await rows()).every(({ state }) => state === 'done') ? true : null,
    );
    time.pass(60);
    await polled();
    expect([runs, await rows()]).toEqual([1, [{ state: 'done', attempt: 1 }]]);
  });

  it.each(STEPS)(
    'that is due in a minute begins neither early nor late when the clock of the %s',
    async (_, step, ms) => {
      let runs = 0;
      await queue(60_000);
      runInTwoProcesses(() => {
        runs += 1;
        return Promise.resolve();
      });
      time[step](ms);
      time.pass(50);
      await polled();
      expect(runs).toBe(0);
      time.pass(20);
      await eventually('the job to run', async () => (runs > 0 ? true : null));
      await polled();
      expect(runs).toBe(1);
    },
  );
});

it.each(STEPS)('a chat under way has one reply while the clock of the %s', async (_, step, ms) => {
  const now = new Date(time.clock.now());
  await sql`insert into chats (workspace_id, id, agent_id, version_id, channel, customer, due_at, created_at, ends_at)
    values (${workspace.id}, ${newId()}, ${workspace.agentId}, ${workspace.versionId}, 'web', 'person', ${now}, ${now},
      ${new Date(now.getTime() + 86_400_000)})`.execute(database.db);
  const begun: LeasedChat[] = [];
  const reply = Promise.withResolvers<null>();
  const turns: Pick<ChatTurns, 'answer'> = { answer: () => reply.promise };
  const workers = [0, 1].map(
    () =>
      new ChatWorker({
        db: database.db,
        clock: time.clock,
        log: silentLog,
        onStored: () => undefined,
        turns: turns as ChatTurns,
        onTurn: (chat) => begun.push(chat),
      }),
  );
  for (const worker of workers) await worker.poll();
  expect(begun).toHaveLength(1);
  time[step](ms);
  // The lease is 90 s long.
  time.pass(75);
  for (const worker of workers) await worker.poll();
  expect(begun).toHaveLength(1);
  const [chat] = begun;
  const result = { answered: [], talk: {}, toolLog: [], usage: [], endsAt: chat!.endsAt };
  const isStored = await database.db
    .transaction()
    .execute((tx) => commitTurn(tx, chat!, { ...result, now: new Date(time.clock.now()) }));
  expect(isStored).toBe(true);
  reply.resolve(null);
  time.pass(60);
  for (const worker of workers) await worker.poll();
  expect(begun).toHaveLength(1);
  const stored = await database.db.selectFrom('chats').select(['turn', 'state']).execute();
  expect(stored).toEqual([{ turn: 1, state: 'open' }]);
});

describe('an idempotency key', () => {
  const begin = () => {
    const claim = { workspaceId: workspace.id, route: 'POST /x', key: 'key', bodyHash: 'hash' };
    return beginIdempotent({ db: database.db, clock: time.clock }, claim);
  };

  it.each(STEPS)(
    'of a request under way has no second one while the clock of the %s',
    async (_, step, ms) => {
      const first = await begin();
      if (first.kind !== 'first') throw new Error('the key was used before');
      time[step](ms);
      // An unanswered key is given up after 90 s.
      time.pass(75);
      await expect(begin()).rejects.toMatchObject({ status: 409 });
      await database.db
        .transaction()
        .execute((tx) => first.request.store(tx, { status: 200, response: { made: 1 } }));
      expect(await begin()).toMatchObject({ kind: 'replay', answer: { response: { made: 1 } } });
    },
  );

  it.each(STEPS)(
    'repeats its answer for a day, give or take the step, when the clock of the %s',
    async (_, step, ms) => {
      const first = await begin();
      if (first.kind !== 'first') throw new Error('the key was used before');
      await first.request.store(database.db, { status: 200, response: { made: 1 } });
      time[step](ms);
      time.pass((22.9 * HOUR_MS) / 1_000);
      expect(await begin()).toMatchObject({ kind: 'replay' });
      time.pass((2.2 * HOUR_MS) / 1_000);
      expect(await begin()).toMatchObject({ kind: 'first' });
    },
  );
});
