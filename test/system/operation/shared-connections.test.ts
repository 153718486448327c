import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../../src/shared/shares/tenant.ts';
import { openDatabase, type Database } from '../../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/service/service.ts';

const LOCK = 7_301;

let database: TestDatabase;
let shared: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  shared = openDatabase(database.url, {
    maxConnections: 8,
    shares: { parts: 2, waitMs: 60_000, heavy: { places: 3, parts: 3, waitMs: 60_000 } },
  });
});
afterAll(async () => {
  await shared?.close();
  await database?.close();
});

/** A read that takes until the lock is free. */
const slowRead = (tenant: string, isHeavy = false): Promise<unknown> =>
  asTenant({ id: tenant, isHeavy }, () =>
    sql`select pg_advisory_lock_shared(${LOCK}), pg_advisory_unlock_shared(${LOCK})`.execute(shared.kysely),
  );
const quickRead = (tenant: string): Promise<unknown> =>
  asTenant({ id: tenant, isHeavy: false }, () => sql`select 1`.execute(shared.kysely));
const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`.execute(
    database.db,
  );
  return rows[0]?.count ?? 0;
};

it.each([
  ['four of eight connections', false, 4],
  ['one of three connections for heavy reads', true, 1],
] as const)(
  '20 slow reads of one tenant hold %s, and another tenant reads beside them',
  async (_, isHeavy, most) => {
    let reads: Promise<unknown>[] = [];
    await database.db.connection().execute(async (holder) => {
      await sql`select pg_advisory_lock(${LOCK})`.execute(holder);
      reads = Array.from({ length: 20 }, () => slowRead('slow', isHeavy));
      await eventually('the slow reads to wait', async () => ((await waiting()) === most ? true : null));
      await quickRead('other');
      expect(await waiting()).toBe(most);
      await sql`select pg_advisory_unlock(${LOCK})`.execute(holder);
    });
    await Promise.all(reads);
    expect(shared.refused()).toBe(0);
  },
);

it('work that holds the lock gets its second connection while the others of its tenant hold every place', async () => {
  const inTurn = (): Promise<unknown> =>
    asTenant({ id: 'locking', isHeavy: false }, () =>
      shared.kysely.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
        await sql`select 1`.execute(shared.kysely);
      }),
    );
  await Promise.all(Array.from({ length: 20 }, inTurn));
  expect(shared.refused()).toBe(0);
});
