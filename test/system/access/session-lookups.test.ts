import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SessionLookups } from '../../../src/domain/users/session-lookups.ts';
import { WorkspaceChanges } from '../../../src/domain/workspaces/workspace-changes.ts';
import { newId, sha256 } from '../../../src/shared/ids.ts';
import { createTenant, createTestApi, type TestApi } from '../../helpers/api/api.ts';

const PAGES = 10_000;

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

/** The database, and how many statements it was given. */
function counted() {
  let queries = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: api.db.withPlugin(plugin), clock: api.clock, queries: () => queries };
}

/** Users with a session each in one workspace; returns the hashes of their tokens. */
async function signedIn(workspaceId: string, count: number): Promise<string[]> {
  const mark = newId();
  const at = new Date(api.clock.now());
  await sql`
    with numbered as (select n, gen_random_uuid() as id from generate_series(1, ${count}::int) n),
    people as (
      insert into users (id, email, password_hash, created_at)
      select id, n || ${`@${mark}.example`}::text, '', ${at} from numbered),
    members as (
      insert into memberships (workspace_id, user_id, role, created_at)
      select ${workspaceId}, id, 'viewer', ${at} from numbered)
    insert into sessions (id, user_id, token_hash, address, user_agent, created_at, seen_at, expires_at)
    select gen_random_uuid(), id, ${mark}::text || n, '', '', ${at}, ${at}, ${at}::timestamptz + interval '1 day' from numbered`.execute(
    api.db,
  );
  return Array.from({ length: count }, (_, n) => `${mark}${n + 1}`);
}

it('10,000 reads at once, of 2,000 sessions, cost 24 queries of sessions at most', async () => {
  const { workspaceId } = await createTenant(api);
  const hashes = await signedIn(workspaceId, 2_000);
  const { db, clock, queries } = counted();
  const sessions = new SessionLookups({ db, clock });
  const found = await Promise.all(
    Array.from({ length: PAGES }, (_, n) => sessions.find(hashes[n % 2_000] ?? '', workspaceId)),
  );
  expect(found.every((session) => session?.role === 'viewer')).toBe(true);
  expect(new Set(found.map((session) => session?.userId)).size).toBe(2_000);
  expect(queries()).toBeLessThanOrEqual(24);
});

it('each of them gets its own session, its own workspace or nothing', async () => {
  const { workspaceId } = await createTenant(api);
  const other = await createTenant(api);
  const [mine = '', theirs = ''] = await signedIn(workspaceId, 2);
  const sessions = new SessionLookups(counted());
  const [a, b, stranger, elsewhere] = await Promise.all([
    sessions.find(mine, workspaceId),
    sessions.find(theirs, workspaceId),
    sessions.find(sha256('no session'), workspaceId),
    sessions.find(mine, other.workspaceId),
  ]);
  expect([a?.role, b?.role, stranger, elsewhere?.role]).toEqual(['viewer', 'viewer', null, null]);
  expect(a?.userId).not.toBe(b?.userId);
});

it('a session that ended is refused by the look-up that begins after its end', async () => {
  const { workspaceId } = await createTenant(api);
  const [hash = ''] = await signedIn(workspaceId, 1);
  const sessions = new SessionLookups(counted());
  const before = sessions.find(hash, workspaceId);
  expect((await before)?.role).toBe('viewer');
  await api.db.deleteFrom('sessions').where('token_hash', '=', hash).execute();
  expect(await sessions.find(hash, workspaceId)).toBeNull();
});

it('10,000 streams of a workspace that begin at once, such as after a restart, cost one reading', async () => {
  const { workspaceId } = await createTenant(api);
  const { db, clock, queries } = counted();
  const changes = new WorkspaceChanges({ db, clock });
  const leave = new AbortController();
  let begun = 0;
  const streams = Array.from({ length: PAGES }, () =>
    changes.watch(workspaceId, null, leave.signal, () => {
      begun += 1;
      if (begun === PAGES) leave.abort();
    }),
  );
  await Promise.all(streams);
  expect(begun).toBe(PAGES);
  expect(queries()).toBe(1);
});
