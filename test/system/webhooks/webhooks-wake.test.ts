import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebhookDeliverer } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { insertEvent } from '../../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhooks/webhook-receiver.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await fetcher.close();
  await receiver?.close();
  await database?.close();
});

/** An event whose retry was scheduled by a process that has stopped. */
async function due(at: number, url: string): Promise<void> {
  const [workspaceId, callId, eventId] = [newId(), newId(), newId()];
  const event = { workspaceId, callId, eventId, eventType: 'call_completed', dedup: 'once' };
  const body = { call_id: callId, due: at };
  await database.db
    .transaction()
    .execute((tx) =>
      insertEvent(tx, { ...event, body, at: new Date(at) }, [{ url, method: 'POST', headers: {} }]),
    );
}

it('a process wakes at the due time of a retry that another process scheduled', async () => {
  const start = Date.now();
  const times = [1000, 1200, 1200, 2500].map((ms) => start + ms);
  for (const [n, at] of times.entries()) await due(at, `${receiver.url}/${n}`);
  const deliverer = new WebhookDeliverer({
    db: database.db,
    clock: systemClock,
    log: silentLog,
    seal: createSeal('the key of the wake test'),
    fetcher,
    pollMs: 600_000,
  });
  deliverer.start();
  try {
    await eventually('all events to be sent', async () => receiver.received.length === times.length || null);
  } finally {
    await deliverer.stop();
  }
  for (const { at, body } of receiver.received) expect(at).toBeGreaterThanOrEqual(body.due);
});
