import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeWorkspaceSettings } from '../../../src/domain/workspaces/workspace-settings.ts';
import { finishZoneMove } from '../../../src/domain/workspaces/zone.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { moveZone } from '../../../src/jobs/move-zone.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { mergeSettings } from '../../../src/store/tenants/settings.ts';
import type { OwnSettings } from '../../../src/store/json/workspace-settings.ts';
import { createCallSums, type CallSums } from '../../helpers/calls/call-sums.ts';
import { countByDay } from '../../helpers/calls/many-calls.ts';
import { holdResults } from '../../helpers/calls/held-results.ts';
import { insertEnded } from '../../helpers/calls/zoned-calls.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/database/workspace.ts';

const ZONE = 'Asia/Kolkata';
const JOB = 'zone.move';

let sums: CallSums;
let world: TestWorkspace;
let key: string;
beforeAll(async () => {
  sums = await createCallSums();
});
afterAll(() => sums.api.close());
beforeEach(async () => {
  await sums.api.db.deleteFrom('jobs').execute();
  world = await createWorkspace(sums.api.db);
  key = await sums.keyed(world);
  await insertCalls(30);
});

/** Calls half an hour apart over the end of a day in either zone. */
const insertCalls = (count: number): Promise<void> =>
  insertEnded(
    sums.api.db,
    world,
    Array.from({ length: count }, (_, n) => {
      const at = Date.parse('2026-06-01T12:00:00Z') + n * 1_800_000;
      return { createdAt: at, dialedAt: at, isAnswered: n % 2 === 0, result: 'confirmed' };
    }),
  );
const set = (settings: OwnSettings, movedAtOnce = 10) =>
  changeWorkspaceSettings(
    { ...sums.api, movedAtOnce },
    { workspaceId: world.id, actor: { type: 'user', name: 'an owner' } },
    null,
    settings,
  );
const change = (timezone: string, movedAtOnce?: number) => set({ timezone }, movedAtOnce);
const finish = (): Promise<void> => finishZoneMove({ ...sums.api, moving: sums.api.db }, world.id);
const settings = async (): Promise<any> =>
  (await sums.api.request('GET', '/api/v0/workspace/settings', { key })).body;
const jobs = () =>
  sums.api.db
    .selectFrom('jobs')
    .selectAll()
    .where('workspace_id', '=', world.id)
    .where('kind', '=', JOB)
    .execute();

/** Expects of the reports the days of a zone, and all calls. */
async function expectDaysOf(zone: string): Promise<void> {
  const { daily, total_calls } = await sums.ask(key, 'platform-analytics');
  const days = new Map(daily.map(({ date, total_calls: calls }: any) => [date, calls]));
  const counted = await countByDay(sums.api.db, world.id, zone);
  expect(days).toEqual(counted);
  expect(new Map(daily.map(({ date, total_attempts: attempts }: any) => [date, attempts]))).toEqual(counted);
  expect(total_calls).toBe([...counted.values()].reduce((all, calls) => all + calls, 0));
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (await check()) return;
    await sleep(25);
  }
  throw new Error('did not come true');
}

describe('a change of the zone of a workspace with many calls', () => {
  it('is accepted at once, and the days stay those of the old zone until all have moved', async () => {
    expect(await change(ZONE)).toMatchObject({
      timezone: 'UTC',
      timezoneChange: { timezone: ZONE, percent: 0 },
    });
    expect(await settings()).toMatchObject({
      timezone: 'UTC',
      timezone_change: { timezone: ZONE, percent: 0 },
    });
    await expectDaysOf('UTC');
    await finish();
    expect(await settings()).toMatchObject({ timezone: ZONE, timezone_change: null });
    await expectDaysOf(ZONE);
  });

  it('has the days of one zone at every moment, while calls end and are folded', async () => {
    await change(ZONE);
    const fold = () => sums.api.db.transaction().execute((tx) => foldEndings(tx, world.id, 7));
    const release = await holdResults(sums.api, world.id);
    const moving = finish();
    try {
      await eventually(async () => (await settings()).timezone_change?.percent >= 50);
      await insertCalls(9);
      await fold();
      await expectDaysOf('UTC');
    } finally {
      await release();
    }
    await moving;
    await expectDaysOf(ZONE);
    await fold();
    await insertCalls(5);
    await expectDaysOf(ZONE);
    const { results } = await sums.ask(key, 'classification-analytics');
    expect(results).toMatchObject([{ result: 'confirmed', calls: 44 }]);
  });

  it('is whole for a reader at the moment of its end: the new zone, or the old one with the change', async () => {
    await change(ZONE);
    const { db } = sums.api;
    const read = await db.transaction().execute(async (tx) => {
      // A reader waits for the table of moves, whatever it has read before.
      await sql`lock table zone_moves in access exclusive mode`.execute(tx);
      const reading = settings();
      await eventually(async () => {
        const { rows } = await sql`select from pg_locks l join pg_class c on c.oid = l.relation
          where c.relname = 'zone_moves' and not l.granted`.execute(tx);
        return rows.length > 0;
      });
      await sql`delete from zone_moves where workspace_id = ${world.id}`.execute(tx);
      await mergeSettings(tx, world.id, { timezone: ZONE }, new Date());
      return { reading };
    });
    expect(await read.reading).toMatchObject({ timezone: ZONE, timezone_change: null });
  });

  it('refuses another zone meanwhile, also the old one, and takes the same one without a second job', async () => {
    await change(ZONE);
    for (const other of ['Europe/Berlin', 'UTC']) {
      await expect(change(other)).rejects.toMatchObject({ status: 409, code: 'TIMEZONE_CHANGING' });
    }
    expect(await change(ZONE)).toMatchObject({ timezone: 'UTC', timezoneChange: { timezone: ZONE } });
    expect(await jobs()).toHaveLength(1);
    await finish();
    expect(await change('Europe/Berlin', 1_000)).toMatchObject({
      timezone: 'Europe/Berlin',
      timezoneChange: null,
    });
    await expectDaysOf('Europe/Berlin');
  });

  it('of two at once begins one', async () => {
    const answers = await Promise.allSettled([change(ZONE), change('Europe/Berlin'), change(ZONE)]);
    const begun = answers.filter(({ status }) => status === 'fulfilled');
    expect(begun.length).toBeGreaterThan(0);
    expect(await jobs()).toHaveLength(1);
    const { zone } = await sums.api.db
      .selectFrom('zone_moves')
      .select('zone')
      .where('workspace_id', '=', world.id)
      .executeTakeFirstOrThrow();
    await finish();
    await expectDaysOf(zone);
  });

  it('leaves the other settings free to change', async () => {
    await change(ZONE);
    const changed = await set({ country: 'IN' });
    expect(changed).toMatchObject({ country: 'IN', timezone: 'UTC', timezoneChange: { timezone: ZONE } });
  });

  it('happens within the request where calls are few', async () => {
    expect(await change(ZONE, 30)).toMatchObject({ timezone: ZONE, timezoneChange: null });
    expect(await jobs()).toEqual([]);
    await expectDaysOf(ZONE);
  });

  it('is finished by its job, on a connection of its own', async () => {
    await change(ZONE);
    const runner = new JobRunner({
      ...sums.api,
      log: silentLog,
      kind: JOB,
      handler: moveZone({
        ...sums.api,
        log: silentLog,
        open: () => openDatabase(sums.api.url, { maxConnections: 1 }),
        isStopped: () => false,
      }),
    });
    runner.start();
    await eventually(async () => (await settings()).timezone === ZONE);
    await runner.stop(60_000);
    expect(await jobs()).toMatchObject([{ state: 'done' }]);
    await expectDaysOf(ZONE);
  });

  it('is rolled back by a process that stops, and finished by the next one', async () => {
    await change(ZONE);
    let pages = 0;
    const stopped = finishZoneMove({ ...sums.api, moving: sums.api.db }, world.id, () => (pages += 1) > 45);
    await expect(stopped).rejects.toThrow('the process stops');
    expect(pages).toBe(46);
    await expectDaysOf('UTC');
    await finish();
    await expectDaysOf(ZONE);
  });

  it('that cannot be finished is dropped: the workspace keeps its zone and takes another one', async () => {
    await change(ZONE);
    const handler = moveZone({
      ...sums.api,
      log: silentLog,
      open: () => expect.fail('does not open'),
      isStopped: () => false,
    });
    await handler.gaveUp({
      id: world.id,
      workspaceId: world.id,
      kind: JOB,
      payload: { workspaceId: world.id },
      attempt: 21,
    });
    expect(await settings()).toMatchObject({ timezone: 'UTC', timezone_change: null });
    await expectDaysOf('UTC');
    expect(await change('Europe/Berlin', 1_000)).toMatchObject({ timezone: 'Europe/Berlin' });
  });
});
