import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { provisionWith } from '../helpers/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

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
    env: { DATABASE_URL: database.url, SAFE_FETCH_ALLOW: '127.0.0.1', SECRET_KEY: key },
    provision: provisionWith({}),
  });
  try {
    return await use(service);
  } finally {
    await service.dispose();
  }
}
async function note({ url }: Service): Promise<string | null> {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  const { checks } = (await response.json()) as { checks: { name: string; detail?: string }[] };
  return checks.find(({ name }) => name === 'webhooks')?.detail ?? null;
}

it('a start with another SECRET_KEY holds webhooks back and notes it, one with the right key sends them', async () => {
  const right = 'the key of the first start of all';
  await started(right, async (service) => {
    const body = { event_type: 'call_started', callback_url: receiver.url };
    expect((await service.request('POST', '/api/v0/webhooks/test', body)).status).toBe(200);
    await eventually('an attempt on record', async () => {
      const { body: log } = await service.request('GET', '/api/v0/webhooks/deliveries');
      return log.deliveries[0].attempt_count === 1 ? true : null;
    });
    expect(await note(service)).toBeNull();
  });
  await sql`update delivery_queue set due_at = now()`.execute(database.db);
  status = 200;
  await started('another key, which was set by mistake', async (service) => {
    expect(await eventually('the note', () => note(service))).toContain('SECRET_KEY');
    expect(service.output().match(/webhooks are held back/g)).toHaveLength(1);
    const { body: log } = await service.request('GET', '/api/v0/webhooks/deliveries');
    expect(log.deliveries).toMatchObject([{ state: 'pending', attempt_count: 1 }]);
  });
  expect(receiver.received).toHaveLength(1);
  await started(right, async (service) => {
    await eventually('the event', async () => receiver.received.length === 2 || null);
    expect(await note(service)).toBeNull();
  });
});
