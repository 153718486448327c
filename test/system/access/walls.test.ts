import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant, seeingAll } from '../../../src/shared/shares/tenant.ts';
import { API_LIMITS, openDatabase, type Db } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { findHindrance, findWalls } from '../../../src/store/walls.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { createHoldings, type Holdings } from '../../helpers/api/owned-objects.ts';

/** Tables whose rows belong to no workspace. Every other table has policies. */
const SHARED = [
  'account_log',
  'installation',
  'held_counts',
  'limit_counts',
  'link_keys',
  'migrations',
  'nodes',
  'opted_out_key',
  'password_links',
  'sessions',
  'stream_tokens',
  'taken_invites',
  'trunk_registrations',
  'trunks',
  'users',
];

let api: TestApi;
let own: Tenant;
let foreign: Tenant;
let held: Holdings;
beforeAll(async () => {
  api = await createTestApi();
  own = await createTenant(api);
  foreign = await createTenant(api);
  await createHoldings(api, own);
  held = await createHoldings(api, foreign);
}, 400_000);
afterAll(() => api?.close());

const asWorkspace = <T>(tenant: Pick<Tenant, 'workspaceId'>, work: (db: Db) => Promise<T>): Promise<T> =>
  asTenant({ id: tenant.workspaceId, isHeavy: false }, () => work(api.served));
const asFamily = <T>(tenant: Pick<Tenant, 'workspaceId'>, work: (db: Db) => Promise<T>): Promise<T> =>
  asTenant({ id: tenant.workspaceId, isHeavy: false, sight: 'family' }, () => work(api.served));

async function tables(): Promise<{ name: string; policies: string[] }[]> {
  const { rows } = await sql<{ name: string; policies: string[] }>`
    select c.relname::text as name, array(select p.polname::text from pg_policy p where p.polrelid = c.oid and c.relrowsecurity
      order by 1) as policies
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(
    api.db,
  );
  return rows;
}
const walled = async (): Promise<string[]> =>
  (await tables()).map(({ name }) => name).filter((name) => !SHARED.includes(name) && name !== 'workspaces');
const seen = async (db: Db, table: string, workspaceId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.count ?? -1;
};

describe('the policies', () => {
  it('stand on every table but those whose rows belong to no workspace', async () => {
    const wrong = (await tables()).filter(
      ({ name, policies }) => policies.length !== (SHARED.includes(name) ? 0 : 2),
    );
    expect(wrong).toEqual([]);
  });

  it('are missing on a new table until the database is migrated', async () => {
    await sql`create table secrets_of_workspaces (workspace_id uuid not null, secret text)`.execute(api.db);
    const client = new Client({ connectionString: api.url });
    await client.connect();
    try {
      expect((await findWalls(client)).missing).toEqual(['secrets_of_workspaces']);
      await migrate(api.url);
      expect(await findWalls(client)).toEqual({ canBeRaised: true, missing: [] });
    } finally {
      await client.end();
      await sql`drop table secrets_of_workspaces`.execute(api.db);
    }
  });
});

it('connections through a pooler, which lends a session to others, are not bound to a workspace', async () => {
  const database = openDatabase(api.url, { maxConnections: 1 });
  const { pool } = database;
  try {
    expect(await findHindrance(pool)).toBeNull();
    const lent = await pool.connect();
    // A pooler makes the number up.
    Object.assign(lent, { processID: 1 });
    lent.release();
    expect(await findHindrance(pool)).toBe('pooler');
  } finally {
    await database.close();
  }
});

describe('a query without a condition, on a connection of the API', () => {
  it('of one workspace finds no row of another in any table', async () => {
    const names = await walled();
    expect(names.length).toBeGreaterThan(60);
    let filled = 0;
    const leaks: string[] = [];
    for (const name of names) {
      if ((await seen(api.db, name, foreign.workspaceId)) > 0) filled += 1;
      const count = await asWorkspace(own, (db) => seen(db, name, foreign.workspaceId));
      if (count !== 0) leaks.push(`${name}: ${count}`);
    }
    expect(leaks).toEqual([]);
    // Tables of which the other workspace has rows.
    expect(filled).toBeGreaterThan(25);
  });

  it('lists the agents and workspaces of its own workspace alone', async () => {
    const agents = await asWorkspace(own, (db) => db.selectFrom('agents').select('workspace_id').execute());
    expect(new Set(agents.map((row) => row.workspace_id))).toEqual(new Set([own.workspaceId]));
    const workspaces = await asWorkspace(own, (db) => db.selectFrom('workspaces').select('id').execute());
    expect(workspaces.map(({ id }) => id)).toContain(own.workspaceId);
    expect(workspaces.map(({ id }) => id)).not.toContain(foreign.workspaceId);
  });

  it('changes and deletes nothing of another workspace, and inserts nothing into it', async () => {
    const changed = await asWorkspace(own, (db) =>
      db.updateTable('agents').set({ display_name: 'Stolen' }).executeTakeFirstOrThrow(),
    );
    expect(changed.numUpdatedRows).toBeGreaterThan(0n);
    await asWorkspace(own, (db) => db.deleteFrom('hangup_requests').execute());
    const { display_name: name } = await api.db
      .selectFrom('agents')
      .select('display_name')
      .where('id', '=', held.agent)
      .executeTakeFirstOrThrow();
    expect(name).not.toBe('Stolen');
    const at = new Date(api.clock.now());
    const row = { workspace_id: foreign.workspaceId, number: '+12125550199', reason: 'x', created_at: at };
    const insert = asWorkspace(own, (db) => db.insertInto('do_not_call').values(row).execute());
    await expect(insert).rejects.toThrow('row-level security');
  });

  it('in a transaction finds no row of another workspace either', async () => {
    const rows = await asWorkspace(own, (db) =>
      db.transaction().execute((tx) => tx.selectFrom('calls').select('workspace_id').execute()),
    );
    expect(new Set(rows.map((row) => row.workspace_id))).toEqual(new Set([own.workspaceId]));
  });
});

it('the family sees its children, and a workspace alone does not', async () => {
  const child = held.child ?? '';
  expect(await asFamily(foreign, (db) => seen(db, 'api_keys', child))).toBe(1);
  expect(await asWorkspace(foreign, (db) => seen(db, 'api_keys', child))).toBe(0);
  expect(await asFamily(own, (db) => seen(db, 'api_keys', child))).toBe(0);
  // A child reads the terms of its parent.
  const rows = await asWorkspace({ workspaceId: child }, (db) =>
    db.selectFrom('workspaces').select('id').where('id', '=', foreign.workspaceId).execute(),
  );
  expect(rows).toHaveLength(1);
});

it('one connection that works for one workspace after the other shows each its own rows', async () => {
  const one = openDatabase(api.url, { ...API_LIMITS, maxConnections: 1, hasWalls: true });
  try {
    for (const tenant of [own, foreign, own, foreign]) {
      const rows = await asTenant({ id: tenant.workspaceId, isHeavy: false }, () =>
        one.kysely.selectFrom('calls').select('workspace_id').execute(),
      );
      expect(new Set(rows.map((row) => row.workspace_id))).toEqual(new Set([tenant.workspaceId]));
    }
    expect(one.walled?.totalCount).toBe(1);
  } finally {
    await one.close();
  }
});

it('a connection of the role that names no workspace sees nothing', async () => {
  const count = await api.db.transaction().execute(async (tx) => {
    await sql`set local role callwright_tenant`.execute(tx);
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from calls)::int + (select count(*) from workspaces)::int as count`.execute(tx);
    return rows[0]?.count;
  });
  expect(count).toBe(0);
});

it('work without a tenant, such as the look-up of a key, sees every row, and so does a rule that looks at other workspaces', async () => {
  const rows = await api.served.selectFrom('agents').select('workspace_id').distinct().execute();
  const found = rows.map((row) => row.workspace_id);
  expect(found).toContain(own.workspaceId);
  expect(found).toContain(foreign.workspaceId);
  const counted = await asWorkspace(own, () =>
    seeingAll(() => seen(api.served, 'agents', foreign.workspaceId)),
  );
  expect(counted).toBeGreaterThan(0);
});
