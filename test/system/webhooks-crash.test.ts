import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookDeliverer } from '../../src/jobs/deliver-webhooks.ts';
import { SafeFetcher } from '../../src/jobs/safe-fetch.ts';
import { ManualClock } from '../../src/shared/clock.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createSeal } from '../../src/shared/seal.ts';
import { insertEvents } from '../../src/store/events.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

const SEAL_KEY = 'the seal of the crash tests';
let database: TestDatabase;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await database.close();
});

const TYPES = ['call_started', 'call_completed', 'all_processing_completed'];

/** Three events of a call, as one transaction leaves them. */
async function threeEvents(callId: string): Promise<string[]> {
  const workspaceId = newId();
  const at = new Date(Date.now() - 1000);
  const events = TYPES.map((eventType) => {
    const eventId = newId();
    return {
      event: {
        workspaceId,
        callId,
        eventId,
        eventType,
        dedup: eventType,
        body: { event_type: eventType, event_id: eventId, call_id: callId },
        at,
      },
      targets: [{ url: receiver.url, method: 'POST', headers: {} }],
    };
  });
  await database.db.transaction().execute((tx) => insertEvents(tx, events));
  return events.map(({ event }) => event.eventId);
}

describe('a sender that is killed', () => {
  // How often the first event may reach its receiver: before its answer is on record it may come twice.
  it.each([
    ['taken', 1],
    ['signed', 1],
    ['answered', 2],
    ['written', 1],
  ])('right after a delivery was %s loses nothing and changes no id or order', async (step, times) => {
    const callId = newId();
    const ids = await threeEvents(callId);
    const child = fork(join(import.meta.dirname, '../helpers/dying-deliverer.ts'), [
      database.url,
      SEAL_KEY,
      step,
    ]);
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect([code, signal]).toEqual([null, 'SIGKILL']);

    const fetcher = new SafeFetcher({ allow: ['127.0.0.1'] });
    const survivor = new WebhookDeliverer({
      db: database.db,
      // The dead sender's lease is over.
      clock: new ManualClock(Date.now() + 60_000),
      log: silentLog,
      seal: createSeal(SEAL_KEY),
      fetcher,
      pollMs: 20,
    });
    survivor.start();
    const rows = () =>
      database.db
        .selectFrom('deliveries')
        .select(['event_id', 'state'])
        .where('call_id', '=', callId)
        .orderBy('event_seq')
        .execute();
    await eventually('all to be delivered', async () =>
      (await rows()).every((row) => row.state === 'delivered') ? true : null,
    );
    await survivor.stop();
    await fetcher.close();
    expect((await rows()).map((row) => row.event_id)).toEqual(ids);
    const got = receiver.events(callId).map(({ headers }) => String(headers['webhook-id']));
    expect([...new Set(got)]).toEqual(ids);
    expect(got.filter((id) => id === ids[0])).toHaveLength(times);
    expect(got.filter((id) => id !== ids[0])).toEqual(ids.slice(1));
    expect(await database.db.selectFrom('delivery_queue').select('id').execute()).toEqual([]);
  });
});
