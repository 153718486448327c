import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { runToEnd } from '../helpers/service/program.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
let status = 500;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver(() => status);
});
afterAll(async () => {
  await receiver?.close();
  await database?.close();
});

async function started<T>(key: string, use: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({
    env: { DATABASE_URL: database.url, SAFE_FETCH_ALLOW: LOOPBACK_OPEN, SECRET_KEY: key },
    provision: provisionWith({}),
  });
  try {
    return await use(service);
  } finally {
    await service.dispose();
  }
}
/** Starts the program with `key`, waits for its refusal, and returns its output. */
async function refused(key: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-key-'));
  try {
    const { code, output } = await runToEnd(
      {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        PORT: '0',
        SIP_PORT: '0',
        ...(key === '' ? {} : { SECRET_KEY: key }),
      },
      200_000,
    );
    expect({ code, output }).toMatchObject({ code: 2 });
    return output;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
async function note({ url }: Service): Promise<string | null> {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  const { checks } = (await response.json()) as { checks: { name: string; detail?: string }[] };
  return checks.find(({ name }) => name === 'webhooks')?.detail ?? null;
}

it('a process with another SECRET_KEY, or with none, refuses to start; one with the right key sends deliveries', async () => {
  const right = 'the key of the first start of all';
  await started(right, async (service) => {
    const body = { event_type: 'call_started', callback_url: receiver.url };
    expect((await service.request('POST', '/api/v0/webhooks/test', body)).status).toBe(200);
    await eventually('a stored attempt', async () => {
      const { body: log } = await service.request('GET', '/api/v0/webhooks/deliveries');
      return log.deliveries[0].attempt_count === 1 ? true : null;
    });
    expect(await note(service)).toBeNull();
  });
  await sql`update delivery_queue set due_at = now()`.execute(database.db);
  status = 200;
  const another = 'another key, which was set by mistake';
  const sentence = /^The service cannot start: SECRET_KEY is not the key .* set SECRET_KEY to it/m;
  expect(await refused(another)).toMatch(sentence);
  expect(await refused('')).toMatch(sentence);
  // An installation of a version without the check: the stored secrets show the key.
  await sql`delete from installation where key = 'secret_key_check'`.execute(database.db);
  expect(await refused(another)).toMatch(sentence);
  expect(receiver.received).toHaveLength(1);
  await started(right, async (service) => {
    await eventually('the event', async () => receiver.received.length === 2 || null);
    expect(await note(service)).toBeNull();
  });
});
