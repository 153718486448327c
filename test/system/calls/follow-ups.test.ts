import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readVersions } from '../../../src/store/tenants/overview.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, type Answer } from '../../helpers/api/api.ts';
import { member, type Sender } from '../../helpers/api/principals.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

const RESULT = 'Human requested';
const OTHER = 'Completed';

let reader: Reader;
let manager: Sender;
let viewer: Sender;
let callId: string;
beforeAll(async () => {
  reader = await createReader();
  manager = await member(reader.api, reader.tenant, 'manager');
  viewer = await member(reader.api, reader.tenant, 'viewer');
});
afterAll(() => reader?.api.close());
beforeEach(async () => {
  callId = await insertCall(RESULT);
});

const insertCall = (result: string): Promise<string> =>
  reader.insertCall({ result, result_source: 'label', ended_at: new Date(reader.api.clock.now()) });

async function mark(done: unknown, as: { sender?: Sender; key?: string; id?: string } = {}): Promise<Answer> {
  const headers = await as.sender?.headers();
  return reader.api.request('PUT', `/api/v0/calling/${as.id ?? callId}/follow-up`, {
    ...(headers === undefined ? { key: as.key ?? reader.tenant.key } : { headers }),
    body: { done },
  });
}
const followUpOf = async (id = callId): Promise<unknown> =>
  ((await reader.get(`/api/v0/calling/call-details?id=${id}`)).body['data'] as Record<string, unknown>)[
    'follow_up'
  ];
async function history(query: string): Promise<{ ids: string[]; total: unknown }> {
  const { body } = await reader.get(`/api/v0/calling/history?limit=200&${query}`);
  return { ids: (body['calls'] as { id: string }[]).map(({ id }) => id), total: body['total'] };
}
const entries = () =>
  reader.api.db
    .selectFrom('audit_log')
    .select(['action', 'actor'])
    .where('workspace_id', '=', reader.tenant.workspaceId)
    .where('action', '=', 'markFollowUp')
    .execute();
const version = async () =>
  (await readVersions(reader.api.db, reader.tenant.workspaceId, new Date(reader.api.clock.now()))).calls;

describe('a call that is marked as done', () => {
  it('has who marked it and when, and has neither once the mark is taken away', async () => {
    expect(await followUpOf()).toBe(null);
    const marked = await mark(true, { sender: manager });
    const mine = { done_by: expect.stringContaining('@') as string, done_at: expect.any(String) as string };
    expect([marked.status, marked.body['follow_up']]).toEqual([200, mine]);
    expect(await followUpOf()).toEqual(marked.body['follow_up']);
    const undone = await mark(false);
    expect([undone.status, undone.body]).toEqual([200, { follow_up: null }]);
    expect(await followUpOf()).toBe(null);
  });

  it('keeps the first mark when it is marked again, and an undo twice is no error', async () => {
    const first = (await mark(true, { sender: manager })).body['follow_up'];
    reader.api.clock.advance(60_000);
    expect((await mark(true)).body['follow_up']).toEqual(first);
    expect(await followUpOf()).toEqual(first);
    expect([(await mark(false)).status, (await mark(false)).status]).toEqual([200, 200]);
    expect(await followUpOf()).toBe(null);
  });

  it('is left out of the calls that are not, and of their number', async () => {
    const waiting = await insertCall(RESULT);
    const query = `result=${encodeURIComponent(RESULT)}`;
    const before = await history(`${query}&followed_up=false`);
    expect(before.ids).toEqual(expect.arrayContaining([callId, waiting]));
    await mark(true);
    const open = await history(`${query}&followed_up=false`);
    expect(open.ids).not.toContain(callId);
    expect(open.ids).toContain(waiting);
    expect(open.total).toBe(Number(before.total) - 1);
    const done = await history(`${query}&followed_up=true`);
    expect([done.ids, done.total]).toEqual([[callId], 1]);
    expect((await history(query)).ids).toEqual(expect.arrayContaining([callId, waiting]));
    await mark(false);
    expect((await history(`${query}&followed_up=false`)).ids).toContain(callId);
  });

  it('filters the history with or without a result, and refuses any other value', async () => {
    const other = await insertCall(OTHER);
    await mark(true);
    expect((await history('followed_up=true')).ids).toEqual([callId]);
    expect((await history('followed_up=false')).ids).toContain(other);
    const wrong = await reader.get('/api/v0/calling/history?followed_up=perhaps');
    expect(wrong.status).toBe(422);
    await mark(false);
  });

  it('changes what pages of other members follow, as does the undo', async () => {
    const before = await version();
    await mark(true);
    const marked = await version();
    expect(marked).not.toBe(before);
    await mark(false);
    expect(await version()).toBe(before);
  });

  it('has an entry of the audit log for the mark and for its undo', async () => {
    const before = (await entries()).length;
    await mark(true, { sender: manager });
    await mark(false, { sender: manager });
    expect(await entries()).toHaveLength(before + 2);
  });

  it('keeps the mark, which names nobody of the other side, after an erasure', async () => {
    const marked = (await mark(true, { sender: manager })).body['follow_up'];
    const erased = await reader.api.request('DELETE', `/api/v0/calling/${callId}/data`, {
      key: reader.tenant.key,
    });
    expect(erased.status).toBe(200);
    expect(await followUpOf()).toEqual(marked);
    await mark(false);
  });
});

describe('the mark of a call', () => {
  it('is refused for a viewer, and nothing changes', async () => {
    const refused = await mark(true, { sender: viewer });
    expect([refused.status, refused.body['code']]).toEqual([403, 'ROLE_TOO_LOW']);
    expect(await followUpOf()).toBe(null);
  });

  it('is refused for a call of another workspace, which keeps its own', async () => {
    const { key } = await createTenant(reader.api);
    expect((await mark(true, { key })).body['code']).toBe('CALL_NOT_FOUND');
    expect(await followUpOf()).toBe(null);
    const marked = (await mark(true)).body['follow_up'];
    expect((await mark(false, { key })).body['code']).toBe('CALL_NOT_FOUND');
    expect(await followUpOf()).toEqual(marked);
    await mark(false);
  });

  it('is refused for a call that does not exist, and for a body without a boolean', async () => {
    expect([(await mark(true, { id: newId() })).status, (await mark(true, { id: 'x' })).status]).toEqual([
      404, 404,
    ]);
    expect((await mark('perhaps')).status).toBe(422);
  });
});
