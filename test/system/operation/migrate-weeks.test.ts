import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { noteAttempt } from '../../../src/store/analysis/attempt-figures.ts';
import { openDatabase, type Database } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { wrongWeeks } from '../../helpers/calls/week-sums.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/database/workspace.ts';
import { emptyDatabase } from '../../helpers/service/upgrade.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../src/store/migrations');
const [WEEKS, FILL] = ['0033_attempt_weeks.sql', '0034_fill_weeks.sql'] as const;
const QUARTER_MS = 900_000;
const FROM = Date.UTC(2026, 2, 1);

let url: string;
let database: Database;
const worlds: TestWorkspace[] = [];
beforeAll(async () => {
  url = await emptyDatabase();
  await migrateBefore(WEEKS);
  database = openDatabase(url, { applicationName: 'test' });
  for (let n = 0; n < 3; n += 1) worlds.push(await createWorkspace(database.kysely));
});
afterAll(() => database?.close());

/** Applies the migrations before one, as an earlier version would. */
async function migrateBefore(name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-migrations-'));
  try {
    const names = (await readdir(MIGRATIONS)).filter((each) => each < name);
    for (const each of names) await copyFile(join(MIGRATIONS, each), join(folder, each));
    await migrate(url, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Attempts of two agents over seven weeks, each with one turn; `offset` in quarters of an hour. */
async function attempts(world: TestWorkspace, count: number, offset: number): Promise<void> {
  const agents = [world.agentId, newId()];
  await database.kysely.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const at = new Date(FROM + ((n * 97 + offset) % (49 * 96)) * QUARTER_MS);
      await noteAttempt(tx, {
        workspaceId: world.id,
        agentId: agents[n % 2] ?? '',
        versionId: world.versionId,
        numberId: null,
        campaignId: null,
        attempt: 1,
        dialedAt: at,
        endedAt: at,
        isAnswered: n % 3 === 0,
        durationMs: n * 10,
        turns: [[n * 100, null, null, null, null]],
      });
    }
  });
}
const fold = (world: TestWorkspace, take: number): Promise<void> =>
  database.kysely.transaction().execute((tx) => foldEndings(tx, world.id, take));
const sums = async (): Promise<unknown> => {
  const { rows } = await sql`
    select (select count(*)::int from attempt_weeks) as weeks, (select count(*)::int from reaction_weeks) as reactions,
      (select sum(attempts)::int from attempt_weeks where agent_id = ${NIL}) as attempts`.execute(
    database.kysely,
  );
  return rows[0];
};
const NIL = '00000000-0000-0000-0000-000000000000';

it('an existing database gets its sums by week, and folds into them from then on', async () => {
  const [first, second] = worlds;
  await attempts(first!, 200, 0);
  await attempts(second!, 150, 31);
  await fold(first!, 120);
  await fold(second!, 1_000);
  expect(await migrate(url)).toEqual(expect.arrayContaining([WEEKS, FILL]));
  expect(await sums()).toMatchObject({ attempts: 270 });
  expect(await wrongWeeks(database.kysely)).toEqual([]);
  await fold(first!, 1_000);
  await attempts(worlds[2]!, 40, 5);
  await fold(worlds[2]!, 1_000);
  expect(await sums()).toMatchObject({ attempts: 390 });
  expect(await wrongWeeks(database.kysely)).toEqual([]);
});

it('a fill that a crash interrupted is run again and counts nothing twice', async () => {
  const before = await sums();
  await sql`delete from migrations where name = ${FILL}`.execute(database.kysely);
  await sql`delete from attempt_weeks where workspace_id = ${worlds[0]!.id}`.execute(database.kysely);
  expect(await migrate(url)).toEqual([FILL]);
  expect(await sums()).toEqual(before);
  expect(await wrongWeeks(database.kysely)).toEqual([]);
});

it('another transaction folds nothing while a workspace is filled, and does not wait', async () => {
  const [world] = worlds;
  await attempts(world!, 10, 3);
  await database.kysely.transaction().execute(async (tx) => {
    await sql`select fill_weeks(${world!.id})`.execute(tx);
    await fold(world!, 1_000);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ended_attempts where workspace_id = ${world!.id}`.execute(tx);
    expect(rows).toEqual([{ n: 10 }]);
  });
  await fold(world!, 1_000);
  expect(await wrongWeeks(database.kysely)).toEqual([]);
});

it('a role of a workspace folds although it may not write the sums itself', async () => {
  const [world] = worlds;
  await attempts(world!, 10, 7);
  await sql`revoke all on attempt_weeks, reaction_weeks from callwright_tenant`.execute(database.kysely);
  await database.kysely.transaction().execute(async (tx) => {
    await sql`select set_config('role', 'callwright_tenant', true), set_config('callwright.workspace', ${world!.id}, true)`.execute(
      tx,
    );
    await foldEndings(tx, world!.id, 1_000);
  });
  const { rows } = await sql`select from ended_attempts where workspace_id = ${world!.id}`.execute(
    database.kysely,
  );
  expect(rows).toEqual([]);
  expect(await wrongWeeks(database.kysely)).toEqual([]);
});
