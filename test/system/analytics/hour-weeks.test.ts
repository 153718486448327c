import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitMonths } from '../../../src/cli/split-months.ts';
import { keepMonths } from '../../../src/jobs/month-keeper.ts';
import { readHours, type HourFigures } from '../../../src/domain/analytics/read-reactions.ts';
import { localTime } from '@callwright/language';
import { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { foldEndings, lockSums } from '../../../src/store/analysis/analytics.ts';
import { noteAttempt, type AttemptFilter } from '../../../src/store/analysis/attempt-figures.ts';
import { leastId } from '../../../src/store/months/month.ts';
import { eraseCallData } from '../../../src/store/privacy/call-data.ts';
import { wrongWeeks } from '../../helpers/calls/week-sums.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/database/workspace.ts';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** A Wednesday; eleven weeks from here the clocks of New York, Berlin and Lord Howe have changed. */
const FROM = Date.UTC(2026, 1, 18);
const DAYS = 77;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

interface Dialled {
  readonly agentId: string;
  readonly campaignId: string | null;
  readonly at: number;
  readonly isAnswered: boolean;
  readonly durationMs: number;
  readonly turns: readonly (number | null)[];
}

const fold = (world: TestWorkspace, take: number): Promise<void> =>
  database.db.transaction().execute((tx) => foldEndings(tx, world.id, take));

async function note(world: TestWorkspace, attempts: readonly Dialled[]): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    for (const { at, turns, ...attempt } of attempts) {
      await noteAttempt(tx, {
        workspaceId: world.id,
        versionId: world.versionId,
        numberId: null,
        attempt: 1,
        dialedAt: new Date(at),
        endedAt: new Date(at + attempt.durationMs),
        turns: turns.map((ms) => [ms, null, null, null, null]),
        ...attempt,
      });
    }
  });
}

const NO_FILTER: AttemptFilter = { agentId: null, campaignId: null, firstDay: null, lastDay: null };
const hours = (world: TestWorkspace, zone: string, filter = NO_FILTER): Promise<readonly HourFigures[]> =>
  readHours({ db: database.db }, world.id, filter, zone);

/** The figures of hours with an attempt, counted one by one. The workspace is in UTC. */
function counted(attempts: readonly Dialled[], zone: string, filter: AttemptFilter): unknown[] {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const chosen = attempts.filter(
    ({ agentId, campaignId, at }) =>
      (filter.agentId === null || agentId === filter.agentId) &&
      (filter.campaignId === null || campaignId === filter.campaignId) &&
      (filter.firstDay === null || day(at) >= filter.firstDay) &&
      (filter.lastDay === null || day(at) <= filter.lastDay),
  );
  const byHour = Map.groupBy(chosen, ({ at }) => {
    const slot = Math.floor(at / QUARTER_MS) * QUARTER_MS;
    return new Date(localTime(zone, slot)).getUTCHours();
  });
  return [...byHour]
    .toSorted(([a], [b]) => a - b)
    .map(([hour, rows]) => ({
      hour,
      attempts: rows.length,
      answered: rows.filter(({ isAnswered }) => isAnswered).length,
      durationMs: rows.reduce((sum, { durationMs }) => sum + durationMs, 0),
      turns:
        filter.campaignId === null
          ? rows.flatMap(({ turns }) => turns).filter((ms) => ms !== null).length
          : null,
    }));
}

const shown = (figures: readonly HourFigures[]): unknown[] =>
  figures
    .filter(({ attempts }) => attempts > 0)
    .map(({ hour, attempts, answered, durationMs, reaction }) => ({
      hour,
      attempts,
      answered,
      durationMs,
      turns: reaction === null ? null : reaction.turns,
    }));

describe('hours that are read by week', () => {
  it('are those of the quarters of an hour, whatever was dialled, folded and filtered', async () => {
    const agents = [newId(), newId()];
    const campaigns = [newId(), newId()];
    const dialled = fc.record({
      agentId: fc.constantFrom(...agents),
      campaignId: fc.constantFrom(null, ...campaigns),
      at: fc.integer({ min: FROM, max: FROM + DAYS * DAY_MS }),
      isAnswered: fc.boolean(),
      durationMs: fc.integer({ min: 0, max: 600_000 }),
      turns: fc.array(fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: null }), { maxLength: 3 }),
    });
    const day = fc.option(
      fc
        .integer({ min: -3, max: DAYS + 3 })
        .map((n) => new Date(FROM + n * DAY_MS).toISOString().slice(0, 10)),
      { nil: null },
    );
    const filters = fc
      .record({
        agentId: fc.constantFrom(null, ...agents),
        campaignId: fc.constantFrom(null, null, ...campaigns),
        firstDay: day,
        lastDay: day,
      })
      .filter(({ firstDay, lastDay }) => firstDay === null || lastDay === null || firstDay <= lastDay);
    await fc.assert(
      fc.asyncProperty(
        fc.array(dialled, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 3 }),
        fc.constantFrom(...ZONES),
        filters,
        async (attempts, folds, zone, filter) => {
          const world = await createWorkspace(database.db);
          await note(world, attempts);
          for (const take of folds) await fold(world, take);
          const check = async (each: AttemptFilter): Promise<void> =>
            expect(shown(await hours(world, zone, each))).toEqual(counted(attempts, zone, each));
          // Another transaction that folds: the others are counted one by one.
          await database.db.transaction().execute(async (tx) => {
            await lockSums(tx, world.id);
            await check(filter);
          });
          await check(NO_FILTER);
          await check(filter);
          expect(await wrongWeeks(database.db)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('have the percentiles of the turns of all weeks', async () => {
    const world = await createWorkspace(database.db);
    const turns = [300, 700, 1_500];
    const attempts = turns.map((ms, week) => ({
      agentId: world.agentId,
      campaignId: null,
      at: FROM + week * 7 * DAY_MS,
      isAnswered: true,
      durationMs: 1_000,
      turns: [ms],
    }));
    await note(world, attempts.slice(0, 2));
    await fold(world, 10);
    const before = await hours(world, 'UTC');
    await note(world, attempts.slice(2));
    const waiting = await hours(world, 'UTC');
    await fold(world, 10);
    expect(await hours(world, 'UTC')).toEqual(waiting);
    const [two, three] = [before, waiting].map((each) => each[0]?.reaction);
    expect([two?.turns, three?.turns]).toEqual([2, 3]);
    expect(three?.p50).toBeGreaterThan(650);
    expect(three?.p50).toBeLessThan(750);
  });

  it('stay when calls are erased and deleted and their month is dropped', async () => {
    const own = await createTestDatabase();
    try {
      const world = await createWorkspace(own.db);
      const at = new Date('2026-01-10T12:00:00Z');
      const callId = leastId(at).replace(/0{12}$/, '000000000001');
      await own.db
        .insertInto('calls')
        .values({
          workspace_id: world.id,
          id: callId,
          agent_id: world.agentId,
          version_id: world.versionId,
          call_type: 'outbound',
          to_number: '+14155551234',
          status: 'completed',
          sub_status: 'USER_LEFT',
          created_at: at,
          updated_at: at,
        })
        .execute();
      await own.db.transaction().execute(async (tx) => {
        await noteAttempt(tx, {
          workspaceId: world.id,
          agentId: world.agentId,
          versionId: world.versionId,
          numberId: null,
          campaignId: null,
          attempt: 1,
          dialedAt: at,
          endedAt: at,
          isAnswered: true,
          durationMs: 2_000,
          turns: [[500, null, null, null, null]],
        });
        await foldEndings(tx, world.id, 10);
      });
      const read = (): Promise<readonly HourFigures[]> =>
        readHours({ db: own.db }, world.id, NO_FILTER, 'Asia/Kathmandu');
      const before = await read();
      expect(before[17]).toMatchObject({
        attempts: 1,
        answered: 1,
        durationMs: 2_000,
        reaction: { turns: 1 },
      });
      await own.db.transaction().execute((tx) => eraseCallData(tx, world.id, [callId], at));
      expect([await read(), await wrongWeeks(own.db)]).toEqual([before, []]);
      await splitMonths(own.url, new Date('2026-01-12T12:00:00Z'), () => undefined);
      const clock = new ManualClock(Date.parse('2026-06-15T00:00:00Z'));
      expect(await keepMonths({ db: own.db, clock, log: silentLog, keepMonths: 1 })).toBe('done');
      const { rows } = await sql`select from calls`.execute(own.db);
      expect(rows).toEqual([]);
      expect([await read(), await wrongWeeks(own.db)]).toEqual([before, []]);
    } finally {
      await own.close();
    }
  });
});
