import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minimalAgent } from '../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { eventually, startService, TEST_KEY, type Service } from '../helpers/service/service.ts';

const ROWS = 60_000;
const csv = `Mobile Number,callee_name\n${Array.from({ length: ROWS }, (_, i) => `+9198${String(10_000_000 + i).slice(-8)},Callee ${i}`).join('\n')}\n`;

let database: TestDatabase;
let service: Service;
let agentId: string;
const start = (): Promise<Service> =>
  startService({
    env: { DATABASE_URL: database.url, ROLES: 'api,jobs', LOG_LEVEL: 'warn' },
    provision: {
      trunks: [{ name: 'carrier', uri: 'sip:127.0.0.1:5099' }],
      workspaces: [
        {
          name: 'Acme',
          api_key: TEST_KEY,
          credits: 10,
          numbers: [{ number: '+14155550100', trunk: 'carrier' }],
        },
      ],
    },
  });
beforeAll(async () => {
  database = await createTestDatabase();
  service = await start();
  const agent = await service.request('POST', '/api/v0/public/agent', minimalAgent());
  agentId = agent.body.data.id;
});
afterAll(async () => {
  await service.dispose();
  await database.close();
});

async function upload(flow: string, key = ''): Promise<{ status: number; body: any }> {
  const form = new FormData();
  form.set('agent_id', agentId);
  form.set('file', new Blob([csv]), 'contacts.csv');
  const response = await fetch(`${service.url}/api/v0/campaign/${flow}`, {
    method: 'POST',
    headers: { 'x-api-key': TEST_KEY, ...(key === '' ? {} : { 'idempotency-key': key }) },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}
/** Waits until the import's transaction is open and copies rows. */
const reading = (): Promise<true> =>
  eventually('a list that is being copied', async () => {
    const copying = await database.db
      .selectFrom('pg_stat_progress_copy' as never)
      .selectAll()
      .execute();
    return copying.length > 0 ? true : null;
  });
const count = async (table: 'calls' | 'campaigns' | 'campaign_uploads'): Promise<number> => {
  const { total } = await database.db
    .selectFrom(table)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

describe('a process killed during an import', () => {
  it('leaves nothing of a list whose request was still open', async () => {
    const answer = upload('save', 'one').catch(() => null);
    await reading();
    await service.end('SIGKILL');
    expect(await answer).toBeNull();
    await eventually('the end of the transaction', async () =>
      (
        await database.db
          .selectFrom('pg_stat_progress_copy' as never)
          .selectAll()
          .execute()
      ).length === 0
        ? true
        : null,
    );
    expect([await count('calls'), await count('campaigns')]).toEqual([0, 0]);
  });

  it('leaves a job that imports an accepted list again and queues each contact once', async () => {
    await service.dispose();
    service = await start();
    const { status, body } = await upload('upload-csv');
    expect([status, body.status]).toEqual([200, 'verifying']);
    await reading();
    await service.end('SIGKILL');
    expect(await count('calls')).toBe(0);
    const [campaign] = await database.db.selectFrom('campaigns').select(['id', 'state']).execute();
    expect(campaign).toEqual({ id: body.bulk_list_id, state: 'verifying' });

    // The lease of the dead process expires.
    await database.db
      .updateTable('jobs')
      .set({ due_at: new Date(0) })
      .where('kind', '=', 'import_contacts')
      .execute();
    await service.dispose();
    service = await start();
    const done = await eventually('the list is read', async () => {
      const found = await service.request('GET', `/api/v0/campaign/upload-status/${body.bulk_list_id}`);
      return found.body.status === 'verifying' ? null : found.body;
    });
    expect(done).toMatchObject({ status: 'completed', total_rows: ROWS, successful_rows: ROWS, progress: 1 });
    const { calls, numbers } = await database.db
      .selectFrom('calls')
      .select((e) => [
        e.fn.countAll<number>().as('calls'),
        e.fn.count<number>('to_number').distinct().as('numbers'),
      ])
      .where('campaign_id', '=', body.bulk_list_id)
      .executeTakeFirstOrThrow();
    expect([calls, numbers]).toEqual([ROWS, ROWS]);
  });

  it('leaves an upload that is deleted after its request died', async () => {
    // The upload of the first test still exists, and nothing can be dialled from it.
    expect(await count('campaign_uploads')).toBe(2);
    await database.db
      .updateTable('campaign_uploads')
      .set({ beat_at: new Date(0) })
      .execute();
    const { body } = await upload('upload-csv');
    await eventually('the next list is read', async () => {
      const found = await service.request('GET', `/api/v0/campaign/upload-status/${body.bulk_list_id}`);
      return found.body.status === 'completed' ? true : null;
    });
    const left = await database.db.selectFrom('campaign_uploads').select(['flow', 'state']).execute();
    expect(left).toEqual([
      { flow: 'upload', state: 'completed' },
      { flow: 'upload', state: 'completed' },
    ]);
  });
});
