import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { setLimits, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
afterAll(() => dialing.close());

it('reads the journal by index with plans made while it was empty', async () => {
  const { db, clock, url } = dialing;
  const world = await createWorkspace(db, { callLimit: 10_000 });
  await setLimits(db, world, { callee_frequency: { attempts: 2, hours: 24 } });
  await startedCampaign({ db, clock }, world, { contacts: 800 });
  await sql`vacuum analyze call_attempts`.execute(db);
  const own = openDatabase(url, { maxConnections: 1 });
  try {
    const claim = async (): Promise<number> =>
      (await claimBatch({ ...dialing.deps, db: own.kysely }, { visited: [], capacity: 400 }))?.claimed
        .length ?? 0;
    const scans = async (): Promise<number> => {
      await sql`select pg_stat_force_next_flush()`.execute(own.kysely);
      const { rows } = await sql<{ scans: number }>`
        select seq_scan as scans from pg_stat_user_tables where relname = 'call_attempts'`.execute(
        own.kysely,
      );
      return rows[0]?.scans ?? -1;
    };
    const before = await scans();
    let claimed = 0;
    // Enough for plans that a connection keeps.
    for (let batch = 0; batch < 10; batch += 1) claimed += await claim();
    expect(claimed).toBeGreaterThan(200);
    expect(await scans()).toBe(before);
  } finally {
    await own.close();
  }
});

it('plans the statements of a claim once per connection', async () => {
  const { db, clock, url } = dialing;
  const world = await createWorkspace(db, { callLimit: 10_000 });
  await startedCampaign({ db, clock }, world, { contacts: 100 });
  const own = openDatabase(url, { maxConnections: 1 });
  try {
    for (let batch = 0; batch < 3; batch += 1) {
      await claimBatch({ ...dialing.deps, db: own.kysely }, { visited: [], capacity: 10 });
    }
    const { rows } = await sql<{ custom: number; generic: number }>`
      select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
      where statement like '/* hot:due_calls */%' or statement like '/* hot:batch_facts */%'`.execute(
      own.kysely,
    );
    expect(rows.map(({ custom }) => custom)).toEqual([0, 0]);
    for (const { generic } of rows) expect(generic).toBeGreaterThan(0);
  } finally {
    await own.close();
  }
});
