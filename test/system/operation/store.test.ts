import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, markAnswered, markRinging } from '../../../src/domain/calls/attempt/dial.ts';
import { release } from '../../../src/domain/calls/attempt/release.ts';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { endQueued } from '../../../src/domain/calls/attempt/end-queued.ts';
import { settleAttempt, type SettleDeps } from '../../../src/domain/calls/attempt/settle.ts';
import { newId } from '../../../src/shared/ids.ts';
import { openDatabase, type Db } from '../../../src/store/database.ts';
import { installationValue } from '../../../src/store/installation.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { throughOutage } from '../../../src/store/transient.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import {
  createNode,
  createWorkspace,
  MONDAY,
  mondayClock,
  queueCalls,
} from '../../helpers/database/workspace.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

describe('database', () => {
  it('reads bigint as a number, refuses one beyond 2^53, and infinity as an invalid date', async () => {
    const { rows } = await sql<{ big: number; at: Date; never: Date; j: unknown }>`
      select 9007199254740991::bigint as big, '2026-01-05T10:00:00Z'::timestamptz as at,
             'infinity'::timestamptz as never, '{"a":[1]}'::jsonb as j`.execute(db);
    expect(rows[0]).toMatchObject({ big: Number.MAX_SAFE_INTEGER, at: new Date(MONDAY), j: { a: [1] } });
    expect(rows[0]?.never.getTime()).toBeNaN();
    await expect(sql`select 9007199254740992::bigint`.execute(db)).rejects.toThrow(/2\^53/);
  });

  it('reports no pending migration after migrating', async () => {
    expect(await migrate(database.url)).toEqual([]);
  });

  it('recovers after every connection was terminated', async () => {
    const other = openDatabase(database.url, { maxConnections: 3 });
    const ask = async (): Promise<number> =>
      (await sql<{ one: number }>`select 1 as one`.execute(other.kysely)).rows[0]?.one ?? 0;
    await Promise.all([ask(), ask(), ask()]);
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await admin.end();
    expect(await throughOutage(ask, 10_000)).toBe(1);
    await other.close();
  });

  it('does not retry a permanent error', async () => {
    // A pool of its own: connections of the other one may be broken.
    const other = openDatabase(database.url, { maxConnections: 1 });
    let tries = 0;
    const work = (): Promise<unknown> => {
      tries += 1;
      return sql`select nonsense`.execute(other.kysely);
    };
    await expect(throughOutage(work, 10_000)).rejects.toThrow(/nonsense/);
    expect(tries).toBe(1);
    await other.close();
  });

  it('creates an installation value once under concurrent first uses', async () => {
    let made = 0;
    const values = await Promise.all(
      Array.from({ length: 8 }, () => installationValue(db, 'k', () => `v${(made += 1)}`, new Date(MONDAY))),
    );
    expect(new Set(values.map(({ value }) => value)).size).toBe(1);
  });
});

describe('tenants', () => {
  it("rejects operations on another workspace's call", async () => {
    const clock = mondayClock();
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const nodeId = await createNode(db, 'tenants');
    const deps: SettleDeps = { db, clock, rate, recordingUrl: () => '' };
    const mine = await createWorkspace(db);
    const other = await createWorkspace(db);
    const [id = ''] = await queueCalls(db, mine, 1);
    const at = new Date(MONDAY);
    const end = { status: 'cancelled', subStatus: 'USER_TERMINATED' } as const;
    expect(await db.transaction().execute((tx) => endQueued(tx, other.id, id, end, at))).toBeNull();
    const batch = await claimBatch({ db, clock, rate, nodeId }, { visited: [], capacity: 1 });
    const c = batch?.claimed[0];
    const foreign = { ...c, workspaceId: other.id } as Claimed;
    expect(await dial(deps, foreign)).toEqual({ go: false, why: 'gone', stored: null });
    expect(await markRinging(deps, foreign, { sipCode: 180, at: MONDAY })).toBe(false);
    expect(await markAnswered(deps, foreign, { at: MONDAY })).toBe(false);
    expect(await release(deps, foreign, { subStatus: 'QUEUED', dueAt: MONDAY })).toEqual({
      released: false,
      stored: null,
    });
    expect(
      await settleAttempt(deps, {
        ...foreign,
        end: { kind: 'not_answered', failure: 'busy' },
        endedAt: MONDAY,
        answeredAt: null,
        hangupBy: null,
        sipCallId: null,
        sipCode: null,
        reason: null,
        result: null,
      }),
    ).toEqual({ settled: false, stored: null });
    expect(await db.selectFrom('calls').select('status').where('id', '=', id).executeTakeFirst()).toEqual({
      status: 'ongoing',
    });
    expect(await db.transaction().execute((tx) => endQueued(tx, mine.id, id, end, at))).toBeNull();
  });

  it('ends a queued call once, with its events', async () => {
    const w = await createWorkspace(db);
    const [id = ''] = await queueCalls(db, w, 1, { dueAt: MONDAY + 3_600_000 });
    const end = { status: 'cancelled', subStatus: 'USER_TERMINATED' } as const;
    const finish = () => db.transaction().execute((tx) => endQueued(tx, w.id, id, end, new Date(MONDAY)));
    expect(await Promise.all([finish(), finish()])).toEqual(expect.arrayContaining(['cancelled', null]));
    const types = await db
      .selectFrom('events')
      .select('event_type')
      .where('call_id', '=', id)
      .orderBy('seq')
      .execute();
    expect(types.map((row) => row.event_type)).toEqual(['call_completed', 'all_processing_completed']);
  });
});

/** Invariants that hold when no work is pending. */
async function checkInvariants(workspaceIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Record<string, number>>`
    with w as (select * from workspaces where id = any(${workspaceIds}::uuid[])),
         c as (select * from calls where workspace_id = any(${workspaceIds}::uuid[])),
         e as (select * from events where workspace_id = any(${workspaceIds}::uuid[])),
         -- A last event may wait for the recording: a due job emits it within two minutes.
         j as (select * from jobs where workspace_id = any(${workspaceIds}::uuid[]) and state = 'due')
    select
      (select coalesce(sum(locked_credits), 0)::int from w) as "stillLocked",
      (select count(*)::int from w where credits < 0) as "belowZero",
      (select count(*)::int from c where status in ('registered', 'retry', 'ongoing')) as "notAtRest",
      (select count(*)::int from c where (select count(*) from e where e.call_id = c.id
         and e.event_type = 'all_processing_completed')
         + (select count(*) from j where j.kind = 'call.analyse' and j.dedup = c.id::text) <> 1) as "withoutOneFinalEvent",
      (select count(*)::int from call_attempts t where t.workspace_id = any(${workspaceIds}::uuid[])
         and (t.status <> 'ended' or (select count(*) from e where e.call_id = t.call_id
              and e.dedup = 'call_completed:' || t.attempt) <> 1)) as "attemptsWithoutOneEvent",
      (select (coalesce(sum(l.amount), 0) - (select sum(1000000000 - credits) from w))::int
         from ledger l where l.kind = 'charge' and l.workspace_id = any(${workspaceIds}::uuid[])) as "ledgerGap"`.execute(
    db,
  );
  expect(rows[0]).toEqual({
    stillLocked: 0,
    belowZero: 0,
    notAtRest: 0,
    withoutOneFinalEvent: 0,
    attemptsWithoutOneEvent: 0,
    ledgerGap: 0,
  });
}

describe('killed at any step', () => {
  it(
    'sends one INVITE per attempt, loses no call and balances the ledger',
    { timeout: 400_000 },
    async () => {
      const clock = mondayClock();
      const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
      const deps: SettleDeps = { db, clock, rate, recordingUrl: () => '' };
      const worlds = [
        await createWorkspace(db, { callLimit: 6 }),
        await createWorkspace(db, { callLimit: 4 }),
      ];
      const retry = { call_retry_config: { retry_count: 1, retry_busy: 0 } };
      for (const world of worlds) await queueCalls(db, world, 40, { callConfig: retry });
      const invites = new Map<string, number>();
      let seed = 7;
      const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      let idle = 0;
      for (let life = 0; life < 400 && idle < 3; life += 1) {
        // One process lifetime: it claims, moves each call some steps, and is killed at a random step.
        const nodeId = newId();
        await registerNode(db, { id: nodeId, name: 'chaos', roles: 'all' }, new Date(clock.now()));
        await reapOrphans(deps);
        let moved = 0;
        for (let batches = 0; batches < 3; batches += 1) {
          const batch = await claimBatch({ db, clock, rate, nodeId }, { visited: [], capacity: 5 });
          moved += batch?.claimed.length ?? 0;
          await Promise.all((batch?.claimed ?? []).map((c) => live(c, Math.floor(random() * 6), random())));
        }
        idle = moved === 0 ? idle + 1 : 0;
        clock.advance(2000);
      }
      await reapOrphans(deps);

      async function live(c: Claimed, steps: number, luck: number): Promise<void> {
        if (steps < 1) return;
        const decision = await dial(deps, c);
        if (!decision.go) return;
        if (steps < 2) return;
        const key = `${c.callId}:${c.attempt}`;
        invites.set(key, (invites.get(key) ?? 0) + 1);
        if (steps < 3) return;
        await markRinging(deps, c, { sipCode: 180, at: clock.now() });
        if (steps < 4) return;
        const isBusy = luck < 0.4;
        if (!isBusy) await markAnswered(deps, c, { at: clock.now() });
        if (steps < 5) return;
        const settle = (): Promise<unknown> =>
          settleAttempt(deps, {
            ...c,
            end: isBusy
              ? { kind: 'not_answered', failure: 'busy' }
              : { kind: 'answered', reason: 'AGENT_ENDED' },
            endedAt: clock.now() + (isBusy ? 0 : Math.floor(luck * 200_000)),
            answeredAt: isBusy ? null : clock.now(),
            hangupBy: null,
            sipCallId: null,
            sipCode: null,
            reason: null,
            result: null,
          });
        // A repeat, as after a lost commit acknowledgement.
        await settle();
        await settle();
      }

      expect([...invites.values()].filter((count) => count !== 1)).toEqual([]);
      expect(invites.size).toBeGreaterThan(40);
      await checkInvariants(worlds.map((world) => world.id));
      const ends = await db
        .selectFrom('calls')
        .select(['status', 'sub_status'])
        .distinct()
        .where(
          'workspace_id',
          'in',
          worlds.map((world) => world.id),
        )
        .execute();
      const kinds = ends.map((row) => row.sub_status);
      expect(kinds).toEqual(expect.arrayContaining(['AGENT_ENDED', 'UNKNOWN_AFTER_CRASH']));
      const possible = ['AGENT_ENDED', 'UNKNOWN_AFTER_CRASH', 'RETRY_LIMIT_REACHED'];
      expect(kinds.filter((kind) => !possible.includes(kind))).toEqual([]);
    },
  );
});
