import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { MOST_CALLS } from '../../../src/domain/calls/flow-counts.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

const DAY_MS = 86_400_000;
const logOf = (...steps: readonly string[]): Buffer =>
  gzipSync(
    `{"version":1}\n${steps.map((step) => `${JSON.stringify([1, '', { type: 'reply_done', steps: [step] }])}\n`).join('')}`,
  );

/** An ended call of a version whose log has these moves. */
async function insertTalk(versionId: string, daysAgo: number, log: Buffer | null): Promise<void> {
  const at = new Date(reader.api.clock.now() - daysAgo * DAY_MS);
  const id = await reader.insertCall({ version_id: versionId, created_at: at, ended_at: at });
  await reader.api.db
    .insertInto('call_records')
    .values({
      workspace_id: reader.tenant.workspaceId,
      call_id: id,
      transcript: '[]',
      event_log: log,
      updated_at: at,
    })
    .execute();
}
const counts = (query = '', key = reader.tenant.key) =>
  reader.get(`/api/v0/agent/${reader.agentId}/flow/counts${query}`, { key });

describe('GET /agent/{agent_id}/flow/counts', () => {
  it('counts the edges that calls of the version took, and where they ended', async () => {
    const path = ['day → slot (default)', "slot → done (free == 'yes')"];
    await insertTalk(reader.versionId, 1, logOf(...path));
    await insertTalk(reader.versionId, 2, logOf(...path));
    await insertTalk(reader.versionId, 3, logOf('day → sorry (failed)'));
    await insertTalk(reader.versionId, 4, null);
    await insertTalk(reader.versionId, 40, logOf('day → old (default)'));
    await insertTalk(newId(), 1, logOf('day → other (default)'));
    const { status, body } = await counts();
    expect(status).toBe(200);
    expect(body).toEqual({
      version_id: reader.versionId,
      calls: 3,
      edges: [
        { from: 'day', to: 'slot', by: 'default', count: 2 },
        { from: 'slot', to: 'done', by: "free == 'yes'", count: 2 },
        { from: 'day', to: 'sorry', by: 'failed', count: 1 },
      ],
      ends: [
        { node: 'done', count: 2 },
        { node: 'sorry', count: 1 },
      ],
    });
    expect((await counts(`?days=90&version_id=${reader.versionId}`)).body['calls']).toBe(4);
  });

  it('counts the newest calls only', async () => {
    await reader.api.db.deleteFrom('call_records').execute();
    const log = logOf('day → slot (default)');
    for (let call = 0; call < MOST_CALLS + 5; call += 1) await insertTalk(reader.versionId, 1, log);
    expect((await counts()).body['calls']).toBe(MOST_CALLS);
  });

  it('returns 404 for an agent of another workspace and an unknown version, and 422 for too many days', async () => {
    const { key } = await createTenant(reader.api);
    expect((await counts('', key)).body['code']).toBe('AGENT_NOT_FOUND');
    expect((await counts(`?version_id=${newId()}`)).body['code']).toBe('VERSION_NOT_FOUND');
    expect((await counts('?days=91')).status).toBe(422);
  });
});
