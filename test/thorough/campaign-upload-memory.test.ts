import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minimalAgent } from '../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { eventually, startService, TEST_KEY, type Service } from '../helpers/service/service.ts';

const ROWS = 300_000;
const MB = 1024;
let database: TestDatabase;
let service: Service;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-test-'));
  database = await createTestDatabase();
  service = await startService({
    env: { DATABASE_URL: database.url, ROLES: 'api,jobs', LOG_LEVEL: 'warn' },
    provision: { workspaces: [{ name: 'Acme', api_key: TEST_KEY, credits: 10 }] },
  });
});
afterAll(async () => {
  await service.dispose();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Resident memory of the process in kB: current or peak. */
async function resident(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const text = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
}

describe.runIf(process.platform === 'linux')('a list of 300,000 contacts', () => {
  it('needs less than 150 MB of additional memory for rows of 60 characters, refused or queued', async () => {
    const path = join(folder, 'contacts.csv');
    // One row in three is refused: memory for refused rows must stay constant too.
    const lines = Array.from(
      { length: ROWS },
      (_, i) =>
        `${i % 3 === 0 ? 'none' : `+9198${String(10_000_000 + i).slice(-8)}`},Callee ${i},${'x'.repeat(60)}`,
    );
    await writeFile(path, `Mobile Number,callee_name,note\n${lines.join('\n')}\n`);
    const agent = await service.request('POST', '/api/v0/public/agent', {
      ...minimalAgent(),
      custom_variables: ['note'],
    });
    const form = new FormData();
    form.set('agent_id', agent.body.data.id);
    form.set('remove_invalid_rows', 'true');
    form.set('file', await openAsBlob(path), 'contacts.csv');
    const before = await resident('VmRSS');
    const response = await fetch(`${service.url}/api/v0/campaign/upload-csv`, {
      method: 'POST',
      headers: { 'x-api-key': TEST_KEY },
      body: form,
    });
    const { bulk_list_id: id } = (await response.json()) as { bulk_list_id: string };
    const done = await eventually(
      'the list is read',
      async () => {
        const { body } = await service.request('GET', `/api/v0/campaign/upload-status/${id}`);
        return body.status === 'verifying' ? null : body;
      },
      240_000,
    );
    expect(done).toMatchObject({ status: 'completed', total_rows: ROWS, failed_rows: ROWS / 3 });
    expect(((await resident('VmHWM')) - before) / MB).toBeLessThan(150);
  }, 300_000);
});
