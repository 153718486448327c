import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginIdempotent } from '../../../src/domain/idempotency.ts';
import { newId } from '../../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

/** Longer than an unanswered claim is valid. */
const PAUSE_MS = 91_000;

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  await sql`create table made (key text not null)`.execute(api.db);
});
afterAll(() => api.close());

const begin = async (key: string) => {
  const claim = { workspaceId: tenant.workspaceId, route: 'POST /x', key, bodyHash: 'h' };
  const begun = await beginIdempotent(api, claim);
  if (begun.kind !== 'first') return null;
  const create = (by: string): Promise<void> =>
    api.db.transaction().execute(async (tx) => {
      await sql`insert into made (key) values (${key})`.execute(tx);
      await begun.request.store(tx, { status: 200, response: { by } });
    });
  return { ...begun.request, create };
};
const answerOf = async (key: string): Promise<unknown> => {
  const claim = { workspaceId: tenant.workspaceId, route: 'POST /x', key, bodyHash: 'h' };
  const begun = await beginIdempotent(api, claim);
  return begun.kind === 'replay' ? begun.answer.response : begun.kind;
};
const countMade = async (key: string): Promise<number> =>
  (await sql`select 1 from made where key = ${key}`.execute(api.db)).rows.length;

describe('a request paused for longer than its claim is valid', () => {
  it('creates nothing after the retry has committed', async () => {
    const key = newId();
    const paused = await begin(key);
    api.clock.advance(PAUSE_MS);
    const retry = await begin(key);
    await retry!.create('retry');
    await expect(paused!.create('paused')).rejects.toMatchObject({ status: 409 });
    await paused!.fail(null);
    await paused!.fail({ status: 404, response: {} });
    expect([await countMade(key), await answerOf(key)]).toEqual([1, { by: 'retry' }]);
  });

  it('creates nothing before the retry has committed', async () => {
    const key = newId();
    const paused = await begin(key);
    api.clock.advance(PAUSE_MS);
    const retry = await begin(key);
    await expect(paused!.create('paused')).rejects.toMatchObject({ status: 409 });
    await paused!.fail(null);
    await retry!.create('retry');
    expect([await countMade(key), await answerOf(key)]).toEqual([1, { by: 'retry' }]);
  });

  it('is replayed by a retry that arrives while it commits', async () => {
    const key = newId();
    const paused = await begin(key);
    api.clock.advance(PAUSE_MS);
    let retry: Promise<unknown> = Promise.resolve();
    await api.db.transaction().execute(async (tx) => {
      await sql`insert into made (key) values (${key})`.execute(tx);
      await paused!.store(tx, { status: 200, response: { by: 'paused' } });
      retry = answerOf(key);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect([await retry, await countMade(key)]).toEqual([{ by: 'paused' }, 1]);
  });
});

it('places the other calls of the commit when the claim of one was taken over', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  const place = (headers: Record<string, string>) =>
    api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      headers,
      body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
    });
  // The first call holds the workspace's row, so that the next ones share a commit.
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const held = Promise.withResolvers<void>();
  const holding = api.db.transaction().execute(async (tx) => {
    await sql`select 1 from workspaces where id = ${tenant.workspaceId} for update`.execute(tx);
    held.resolve();
    await isReleased;
  });
  await held.promise;
  const first = place({});
  const waits = async (): Promise<number> =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        api.db,
      )
    ).rows.length;
  await expect.poll(waits).toBeGreaterThan(0);
  const fenced = place({ 'idempotency-key': 'fenced' });
  const others = [place({ 'idempotency-key': 'other' }), place({ 'idempotency-key': 'third' })];
  const claimed = async (): Promise<number> =>
    (await sql`select 1 from idempotency_keys where key in ('fenced', 'other', 'third')`.execute(api.db)).rows
      .length;
  await expect.poll(claimed).toBe(3);
  // From their claims to the queue of the next commit.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await sql`update idempotency_keys set created_at = created_at + interval '91 seconds' where key = 'fenced'`.execute(
    api.db,
  );
  release();
  await holding;
  const answers = await Promise.all([first, fenced, ...others]);
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 200, 200]);
});
