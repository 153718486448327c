import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FullStorage } from '../../../src/domain/workspaces/full-storage.ts';
import { CapNotices } from '../../../src/domain/workspaces/cap-notices.ts';
import { countNext, enterNewWorkspaces } from '../../../src/domain/workspaces/storage-quotas.ts';
import { countAllSoon, saveCount, takeDueCount } from '../../../src/store/tenants/storage-use.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  createTestAgent,
  createTestApi,
  createTenant,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

const MB = 1_048_576;
const storageMb = { recordings: 100, callRecords: 100, chats: 100, tests: 100 };

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let publicKey: string;
let notices: CapNotices;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
  const agent = await api.db
    .selectFrom('agents')
    .select('webcall_public_key')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();
  publicKey = agent.webcall_public_key;
  notices = new CapNotices({ log: silentLog, clock: api.clock });
});

const setLimits = (limits: object) =>
  sql`update workspaces set settings = settings || ${JSON.stringify({ limits })}::jsonb
    where id = ${tenant.workspaceId}`.execute(api.db);
/** Makes every count that is due. */
async function countDue(): Promise<number> {
  const deps = { db: api.db, clock: api.clock, storageMb, notices };
  await enterNewWorkspaces(deps);
  let counted = 0;
  while (await countNext(deps)) counted += 1;
  await notices.written;
  return counted;
}
/** Counts every workspace anew. */
function count(): Promise<number> {
  api.clock.advance(3_600_000);
  return countDue();
}
const usage = async () =>
  (await api.request('GET', '/api/v0/workspace/usage', { key: tenant.key })).body as {
    counted_at: string | null;
    storage: Record<string, { bytes: number; quota_bytes: number | null; is_full: boolean }>;
  };

/** A call with a recording and a record of text that does not compress well. */
async function storeCall(recordingBytes: number, textBytes: number): Promise<string> {
  const callId = newId();
  const at = new Date(api.clock.now());
  const path = `${tenant.workspaceId}/${callId}-1.wav`;
  await sql`insert into call_records (workspace_id, call_id, recording_path, recording_bytes, recording_state, event_log, updated_at)
    values (${tenant.workspaceId}, ${callId}, ${path}, ${recordingBytes}, 'stored',
      ${Buffer.alloc(textBytes, 7)}, ${at})`.execute(api.db);
  await sql`insert into recording_files (workspace_id, call_id, attempt, path, state, bytes, due_at, created_at)
    values (${tenant.workspaceId}, ${callId}, 1, ${path}, 'kept', ${recordingBytes}, ${at}, ${at})`.execute(
    api.db,
  );
  return callId;
}

/** A chat of this many messages with random words. */
async function storeChat(channel: 'web' | 'test', messages: number): Promise<void> {
  const id = newId();
  const at = new Date(api.clock.now());
  await sql`insert into chats (workspace_id, id, agent_id, version_id, channel, customer, state, created_at, ends_at)
    select ${tenant.workspaceId}, ${id}, a.id, a.active_version_id, ${channel}, ${id}, 'closed', ${at}, ${at}
    from agents a where a.id = ${agentId}`.execute(api.db);
  await sql`insert into chat_messages (workspace_id, id, chat_id, role, text, created_at, sent_at)
    select ${tenant.workspaceId}, gen_random_uuid(), ${id}, 'customer', repeat('x', 1000), ${at}, ${at}
    from generate_series(1, ${messages}::int)`.execute(api.db);
}

/** An ended rehearsal. */
async function storeRehearsal(): Promise<string> {
  const id = newId();
  const at = new Date(api.clock.now());
  await sql`insert into rehearsals (workspace_id, id, agent_id, version_id, version_tag, seed, calls, timing, scenarios, spec,
      state, created_at)
    select ${tenant.workspaceId}, ${id}, a.id, a.active_version_id, 'one', 1, 1, 'normal', '[]', '{}', 'ended', ${at}
    from agents a where a.id = ${agentId}`.execute(api.db);
  return id;
}

/** What is stored beside the rows that are listed: the table's row of this many bytes, which do not compress well. */
const BESIDE: Record<string, { kind: string; store: (bytes: number) => Promise<unknown> }> = {
  'recorded lines of rehearsals': {
    kind: 'tests',
    store: async (bytes) =>
      sql`insert into rehearsal_lines (workspace_id, rehearsal_id, call, key, line)
        values (${tenant.workspaceId}, ${await storeRehearsal()}, 1, 'one', ${textOf(bytes)}::jsonb)`.execute(
        api.db,
      ),
  },
  'judged calls of rehearsals under way': {
    kind: 'tests',
    store: async (bytes) =>
      sql`insert into rehearsal_calls (workspace_id, rehearsal_id, first_call, judged)
        values (${tenant.workspaceId}, ${await storeRehearsal()}, 0, ${textOf(bytes)}::jsonb)`.execute(
        api.db,
      ),
  },
  'conversations of rehearsals by sound': {
    kind: 'tests',
    store: async (bytes) =>
      sql`insert into rehearsed_conversations (workspace_id, rehearsal_id, call, conversation)
        values (${tenant.workspaceId}, ${await storeRehearsal()}, 0, ${textOf(bytes)}::jsonb)`.execute(
        api.db,
      ),
  },
  'test cases': {
    kind: 'tests',
    store: (bytes) =>
      sql`insert into agent_test_cases (workspace_id, id, agent_id, name, definition, created_at, updated_at)
        values (${tenant.workspaceId}, ${newId()}, ${agentId}, 'one', ${textOf(bytes)}::jsonb, now(), now())`.execute(
        api.db,
      ),
  },
  'verdicts of a scorecard': {
    kind: 'call_records',
    store: async (bytes) =>
      sql`insert into call_checks (workspace_id, call_id, agent_id, version_id, day, checked_at, verdicts)
        values (${tenant.workspaceId}, ${await storeCall(0, 0)}, ${agentId}, ${newId()}, now(), now(), ${textOf(bytes)}::jsonb)`.execute(
        api.db,
      ),
  },
  'findings of detectors': {
    kind: 'call_records',
    store: async (bytes) =>
      sql`insert into call_findings (workspace_id, call_id, detector, agent_id, day, at_ms, detail)
        values (${tenant.workspaceId}, ${await storeCall(0, 0)}, 'dead_air', ${agentId}, now(), 1, ${textOf(bytes)})`.execute(
        api.db,
      ),
  },
};
/** A JSON string of random letters. */
const textOf = (bytes: number): string => JSON.stringify(randomBytes(bytes).toString('base64'));

describe('the stored data of a workspace', () => {
  it('is counted by kind, over several pages, and shown with its quotas', async () => {
    await setLimits({ recordings_mb: 7 });
    expect(await usage()).toMatchObject({ counted_at: null });
    for (let call = 0; call < 3; call += 1) await storeCall(1_000_000, 0);
    await sql`insert into call_records (workspace_id, call_id, updated_at)
      select ${tenant.workspaceId}, gen_random_uuid(), now() from generate_series(1, 4100)`.execute(api.db);
    await storeChat('web', 100);
    await storeChat('test', 50);
    await count();
    const { storage, counted_at: countedAt } = await usage();
    expect(countedAt).not.toBeNull();
    expect(storage['recordings']).toEqual({ bytes: 3_000_000, quota_bytes: 7 * MB, is_full: false });
    expect(storage['chats']).toMatchObject({ quota_bytes: 100 * MB, is_full: false });
    expect(storage['chats']!.bytes).toBeGreaterThan(100_000);
    expect(storage['chats']!.bytes).toBeLessThan(120_000);
    expect(storage['tests']!.bytes).toBeGreaterThan(50_000);
    expect(storage['tests']!.bytes).toBeLessThan(60_000);
  });

  it.each(Object.keys(BESIDE))('includes %s', async (what) => {
    const { kind, store } = BESIDE[what]!;
    await count();
    const before = (await usage()).storage[kind]!.bytes;
    await store(100_000);
    await count();
    expect((await usage()).storage[kind]!.bytes - before).toBeGreaterThan(100_000);
  });

  it('counts the recording of every attempt, and none that is being deleted', async () => {
    const callId = await storeCall(1_000, 0);
    const at = new Date(api.clock.now());
    await sql`insert into recording_files (workspace_id, call_id, attempt, path, state, bytes, due_at, created_at)
      values (${tenant.workspaceId}, ${callId}, 2, 'second', 'uploaded', 500, ${at}, ${at}),
        (${tenant.workspaceId}, ${callId}, 3, 'third', 'delete', 9000, ${at}, ${at})`.execute(api.db);
    await sql`update recording_files set bytes = null where call_id = ${callId} and attempt = 1`.execute(
      api.db,
    );
    await count();
    expect((await usage()).storage['recordings']!.bytes).toBe(1_500);
  });
});

describe('a count', () => {
  it('is not repeated before ten minutes have passed', async () => {
    await count();
    expect(await countDue()).toBe(0);
    api.clock.advance(599_999);
    expect(await countDue()).toBe(0);
    api.clock.advance(1);
    expect(await countDue()).toBeGreaterThan(0);
  });

  it('is leased to one process, and due at once when the quotas change meanwhile', async () => {
    await count();
    api.clock.advance(3_600_000);
    const now = new Date(api.clock.now());
    const leasedUntil = new Date(now.getTime() + 3_600_000);
    await sql`update storage_use set due_at = ${leasedUntil} where workspace_id <> ${tenant.workspaceId}`.execute(
      api.db,
    );
    expect(await takeDueCount(api.db, now, leasedUntil)).toMatchObject({ workspaceId: tenant.workspaceId });
    expect(await takeDueCount(api.db, now, leasedUntil)).toBeNull();

    const counted = { bytes: { recordings: 1, callRecords: 2, chats: 3, tests: 4 }, full: [], quotas: {} };
    const save = () =>
      saveCount(api.db, tenant.workspaceId, counted, { countedAt: now, dueAt: leasedUntil, leasedUntil });
    await save();
    expect(await takeDueCount(api.db, now, leasedUntil)).toBeNull();
    await api.db.transaction().execute((tx) => countAllSoon(tx, now));
    await save();
    const due = await api.db
      .selectFrom('storage_use')
      .select('due_at')
      .where('workspace_id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(due.due_at).toEqual(now);
  });
});

describe('a workspace that has reached its storage quota', () => {
  it('of recordings is known to the processes that carry calls, and the audit log notes it once a day', async () => {
    await setLimits({ recordings_mb: 1 });
    await storeCall(MB, 0);
    await count();
    await count();
    const full = new FullStorage({ db: api.db, log: silentLog });
    await full.read();
    expect(full.of(tenant.workspaceId)).toEqual(['recordings']);
    expect(full.of((await createTenant(api)).workspaceId)).toEqual([]);
    const notes = await api.db
      .selectFrom('audit_log')
      .select(['action', 'objects'])
      .where('workspace_id', '=', tenant.workspaceId)
      .where('action', '=', 'workspace.cap_reached')
      .execute();
    expect(notes).toMatchObject([{ objects: { cap: 'recordings_mb' } }]);
    expect((await usage()).storage['recordings']).toMatchObject({ is_full: true });
  });

  it('of chats begins no chat until data is deleted, and other workspaces begin theirs', async () => {
    await setLimits({ chats_mb: 1 });
    await storeChat('web', 1_100);
    await count();
    const open = (key: string, agent: string) =>
      api.request('POST', '/api/v0/chat/web', {
        key,
        headers: { origin: 'http://callwright.test' },
        body: { agent_id: agent },
      });
    const session = (key: string, agent: string) =>
      api.request('POST', '/api/v0/chat/web/session', { key, body: { agent_id: agent } });
    for (const refused of [await open(publicKey, agentId), await session(tenant.key, agentId)]) {
      expect([refused.status, refused.body['code']]).toEqual([429, 'STORAGE_QUOTA_REACHED']);
      expect(String(refused.body['message'])).toContain(
        'chats_mb: the chats of this workspace have reached its quota of 1 MB',
      );
    }
    const other = await createTenant(api);
    const theirs = await createTestAgent(api, other);
    expect((await session(other.key, theirs.agentId)).status).toBe(200);

    await sql`delete from chat_messages where workspace_id = ${tenant.workspaceId}`.execute(api.db);
    await count();
    expect((await session(tenant.key, agentId)).status).toBe(200);
  });

  it('of tests begins no test run, and stores none', async () => {
    const path = `/api/v0/agent/${agentId}/test-cases`;
    const made = await api.request('POST', path, {
      key: tenant.key,
      body: { name: 'greets', lines: ['Hello'], expectations: [{ type: 'says', any_of: ['hello'] }] },
    });
    expect(made.status).toBe(200);
    await setLimits({ tests_mb: 1 });
    await storeChat('test', 1_100);
    await count();
    const run = await api.request('POST', `${path}/run`, { key: tenant.key, body: {} });
    expect([run.status, run.body['code']]).toEqual([429, 'STORAGE_QUOTA_REACHED']);
    expect(String(run.body['message'])).toContain(
      'tests_mb: the tests of this workspace have reached its quota of 1 MB',
    );
    const runs = await api.db
      .selectFrom('agent_test_runs')
      .selectAll()
      .where('workspace_id', '=', tenant.workspaceId)
      .execute();
    expect(runs).toEqual([]);
  });

  it('of tests begins no rehearsal once recorded lines alone have reached it', async () => {
    await setLimits({ tests_mb: 1 });
    const begin = () =>
      api.request('POST', `/api/v0/agent/${agentId}/rehearsals`, { key: tenant.key, body: { calls: 1 } });
    await count();
    expect((await begin()).status).toBe(200);
    await BESIDE['recorded lines of rehearsals']!.store(MB);
    await count();
    const refused = await begin();
    expect([refused.status, refused.body['code']]).toEqual([429, 'STORAGE_QUOTA_REACHED']);
    expect(String(refused.body['message'])).toContain(
      'tests_mb: the tests of this workspace have reached its quota of 1 MB',
    );
  });

  it('of call records holds each child to the same quota', async () => {
    const child = newId();
    const at = new Date(api.clock.now());
    await setLimits({ call_records_mb: 1 });
    await sql`insert into workspaces (id, name, parent_id, settings, created_at, updated_at)
      values (${child}, 'child', ${tenant.workspaceId}, ${JSON.stringify({ limits: { call_records_mb: 9 } })}, ${at}, ${at})`.execute(
      api.db,
    );
    await sql`insert into call_records (workspace_id, call_id, event_log, updated_at)
      select ${child}, gen_random_uuid(), decode(string_agg(md5(random()::text), ''), 'hex'), ${at}
      from generate_series(1, 80000)`.execute(api.db);
    await count();
    const full = new FullStorage({ db: api.db, log: silentLog });
    await full.read();
    expect(full.of(child)).toEqual(['callRecords']);
  });
});
