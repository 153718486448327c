import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch, type ClaimDeps } from '../../../src/scheduler/claim.ts';
import { TrunkCounts } from '../../../src/scheduler/trunks.ts';
import type { ManualClock } from '../../../src/shared/clock.ts';
import type { Db, Tx } from '../../../src/store/database.ts';
import type { JsonObject } from '../../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { until } from '../../helpers/sip/peer-process.ts';
import {
  createNode,
  createWorkspace,
  mondayClock,
  queueCalls,
  type TestWorkspace,
} from '../../helpers/database/workspace.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
/** The batch quota of the claims below, which pass a node capacity of `QUOTA * 8`. */
const QUOTA = 20;
let database: TestDatabase;
let db: Db;
let clock: ManualClock;
let deps: ClaimDeps;

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 10 });
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate workspaces, trunks, numbers, agents, agent_versions, calls, call_attempts, ledger, nodes
    cascade`.execute(db);
  clock = mondayClock();
  deps = { db, clock, rate, nodeId: await createNode(db) };
});

/** Creates a workspace with due calls and another one on the same trunk. */
async function worldOn(trunk: JsonObject): Promise<{ mine: TestWorkspace; other: TestWorkspace }> {
  const options = { callLimit: 10_000, credits: 100_000, trunks: { carrier: trunk } };
  const mine = await createWorkspace(db, options);
  const other = await createWorkspace(db, options);
  await queueCalls(db, mine, 50);
  return { mine, other };
}

/** Resolves when a batch waits for a trunk's lock. */
const waitsForTrunk = (): Promise<void> =>
  until(async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%hot:hold_trunks %'`.execute(db);
    return rows.length > 0;
  }, 'a batch that waits for a trunk lock');

/** Claims a batch while another transaction holds the trunk's lock and applies `change` before it commits. */
async function claimBeside(change: (tx: Tx) => Promise<void>) {
  let batch: ReturnType<typeof claimBatch> = Promise.resolve(null);
  await db.transaction().execute(async (tx) => {
    await sql`select from trunks for no key update`.execute(tx);
    batch = claimBatch(deps, { visited: [], capacity: QUOTA * 8 });
    await waitsForTrunk();
    await change(tx);
  });
  return batch;
}

/** Inserts live calls of another dialer with their increment of `trunks.claims`. */
const goLive = async (tx: Tx, w: TestWorkspace, count: number): Promise<void> => {
  await sql`insert into calls (workspace_id, id, agent_id, version_id, number_id, call_type, from_number, to_number,
      status, sub_status, attempt, created_at, updated_at)
    select ${w.id}::uuid, gen_random_uuid(), ${w.agentId}::uuid, ${w.versionId}::uuid, ${w.numberIds[0]}::uuid, 'outbound',
      '+14155550100', '+12125550100', 'ongoing', 'ACCEPTED', 1, now(), now() from generate_series(1, ${count}::int)`.execute(
    tx,
  );
  await sql`update trunks set claims = claims + ${count}`.execute(tx);
};
const count = async (table: 'calls' | 'call_attempts' | 'ledger', where = sql`true`): Promise<number> => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from ${sql.table(table)} where ${where}`.execute(db);
  return rows[0]?.n ?? Number.NaN;
};
const ONGOING = sql`status = 'ongoing'`;

describe('a trunk with ample free capacity', () => {
  it('is locked last and checked by its claims since the count', async () => {
    const { other } = await worldOn({ max_calls: 1000, calls_per_second: 1000 });
    const batch = await claimBeside((tx) => goLive(tx, other, 1000 - QUOTA));
    expect(batch?.claimed).toHaveLength(QUOTA);
    expect(await count('calls', ONGOING)).toBe(1000);
  });

  it('rolls the batch back and claims what fits if another dialer filled it', async () => {
    const { other } = await worldOn({ max_calls: 1000 });
    const batch = await claimBeside((tx) => goLive(tx, other, 995));
    expect(batch?.claimed).toHaveLength(5);
    expect(await count('calls', ONGOING)).toBe(1000);
    expect(await count('call_attempts')).toBe(5);
    expect(await count('ledger')).toBe(5);
    expect(await count('calls', sql`attempt > 0`)).toBe(1000);
    const { locked_credits } = await db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('locked_credits', '>', 0)
      .executeTakeFirstOrThrow();
    expect(locked_credits).toBe(5 * 4 * 1_000_000);
  });

  it('claims the rest of its pace if another dialer used a part of it', async () => {
    await worldOn({ calls_per_second: 1000 });
    const batch = await claimBeside(async (tx) => {
      await tx
        .updateTable('trunks')
        .set({ pace_tokens: 3, pace_at: new Date(clock.now()) })
        .execute();
    });
    expect(batch?.claimed).toHaveLength(3);
    expect(batch?.waitMs).toBe(1);
    const { pace_tokens } = await db.selectFrom('trunks').select('pace_tokens').executeTakeFirstOrThrow();
    expect(pace_tokens).toBe(0);
  });

  it('takes one pace token per call', async () => {
    await worldOn({ calls_per_second: 1000 });
    expect((await claimBatch(deps, { visited: [], capacity: QUOTA * 8 }))?.claimed).toHaveLength(QUOTA);
    const row = await db.selectFrom('trunks').select(['pace_tokens', 'claims']).executeTakeFirstOrThrow();
    expect(row).toEqual({ pace_tokens: 1000 - QUOTA, claims: QUOTA });
  });

  it('is counted once a second per process, and again when little capacity may be left', async () => {
    const { mine, other } = await worldOn({ max_calls: 600 });
    await queueCalls(db, mine, 800);
    const counted: string[] = [];
    const watched = db.withPlugin({
      transformQuery: ({ node }) => {
        const text = node.kind === 'RawNode' ? (node.sqlFragments[0] ?? '') : '';
        if (text.includes('hot:limited_trunks')) counted.push(text);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const counting = { ...deps, db: watched, trunkCounts: new TrunkCounts() };
    const claim = async () =>
      (await claimBatch(counting, { visited: [], capacity: QUOTA * 8 }))?.claimed.length ?? 0;
    expect([await claim(), await claim(), await claim()]).toEqual([QUOTA, QUOTA, QUOTA]);
    expect(counted).toHaveLength(1);
    clock.advance(1000);
    expect(await claim()).toBe(QUOTA);
    expect(counted).toHaveLength(2);
    // The row shows the other dialers' claims immediately, so the trunk is counted again.
    await db.transaction().execute((tx) => goLive(tx, other, 600 - 4 * QUOTA - 5));
    expect(await claim()).toBe(5);
    expect(await count('calls', ONGOING)).toBe(600);
  });

  it('never exceeds its channels under racing dialers', { timeout: 400_000 }, async () => {
    const worlds = [await worldOn({ max_calls: 600 }), await worldOn({ max_calls: 600 })];
    for (const { mine, other } of worlds) {
      await queueCalls(db, mine, 150);
      await queueCalls(db, other, 200);
    }
    const dialer = async (process: ClaimDeps): Promise<void> => {
      const claim = () => claimBatch(process, { visited: [], capacity: 500 });
      // A batch is also empty when another dialer holds the lock.
      while (((await claim())?.claimed.length ?? 0) > 0 || (await count('calls', ONGOING)) < 600);
    };
    const processes = [
      deps,
      { ...deps, trunkCounts: new TrunkCounts() },
      { ...deps, trunkCounts: new TrunkCounts() },
    ];
    await Promise.all(Array.from({ length: 9 }, (_, n) => dialer(processes[n % 3] ?? deps)));
    expect(await count('calls', ONGOING)).toBe(600);
    const { claims } = await db.selectFrom('trunks').select('claims').executeTakeFirstOrThrow();
    expect(claims).toBe(600);
  });
});

describe('a trunk with little free capacity', () => {
  it.each([
    ['a narrow limit', { max_calls: 30 }, 28],
    ['a wide limit', { max_calls: 1000 }, 998],
  ])('is skipped while another dialer holds its lock and retried after 20 ms: %s', async (_, limit, live) => {
    const { other } = await worldOn(limit);
    await db.transaction().execute((tx) => goLive(tx, other, live - 10));
    const claim = () => claimBatch(deps, { visited: [], capacity: QUOTA * 8 });
    await db.transaction().execute(async (tx) => {
      await sql`select from trunks for no key update`.execute(tx);
      const batch = await claim();
      expect(batch).toMatchObject({ claimed: [], waitMs: 20 });
      await goLive(tx, other, 10);
    });
    // A locked trunk is not a reached limit.
    expect(await count('calls', sql`sub_status = 'LIMIT_REACHED'`)).toBe(0);
    expect((await claim())?.claimed).toHaveLength(2);
    expect(await count('calls', ONGOING)).toBe(live + 2);
  });
});
