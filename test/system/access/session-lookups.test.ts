import type { KyselyPlugin } from 'kysely';
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
  const at = new Date(api.clock.now());
  const users = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    email: `${newId()}-${n}@example.com`,
  }));
  const hashes = users.map(({ id }) => sha256(id));
  for (let from = 0; from < count; from += 1_000) {
    const some = users.slice(from, from + 1_000);
    await api.db
      .insertInto('users')
      .values(some.map(({ id, email }) => ({ id, email, password_hash: '', created_at: at })) as never)
      .execute();
    await api.db
      .insertInto('memberships')
      .values(
        some.map(({ id }) => ({
          workspace_id: workspaceId,
          user_id: id,
          role: 'viewer',
          created_at: at,
        })) as never,
      )
      .execute();
    await api.db
      .insertInto('sessions')
      .values(
        some.map(({ id }) => ({
          id: newId(),
          user_id: id,
          token_hash: sha256(id),
          created_at: at,
          seen_at: at,
          expires_at: new Date(at.getTime() + 86_400_000),
          address: '',
          user_agent: '',
        })) as never,
      )
      .execute();
  }
  return hashes;
}

it('10,000 pages that read at once, each with a session of its own, cost 24 queries of sessions at most', async () => {
  const { workspaceId } = await createTenant(api);
  const hashes = await signedIn(workspaceId, PAGES);
  const { db, clock, queries } = counted();
  const sessions = new SessionLookups({ db, clock });
  const found = await Promise.all(hashes.map((hash) => sessions.find(hash, workspaceId)));
  expect(found.every((session) => session?.role === 'viewer')).toBe(true);
  expect(new Set(found.map((session) => session?.userId)).size).toBe(PAGES);
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
