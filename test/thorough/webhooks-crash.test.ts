import { sql } from 'kysely';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookDeliverer } from '../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../src/net/safe-fetch.ts';
import { ManualClock } from '../../src/shared/clock.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createSeal } from '../../src/shared/seal.ts';
import { insertEvents } from '../../src/store/webhooks/events.ts';
import { COMPILE_CACHE } from '../helpers/service/compile-cache.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { eventually } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';

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

/** Inserts three events of a call in one transaction. */
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

/** Runs a sender process that kills itself at this step of its first delivery. */
async function dieAt(step: string): Promise<void> {
  const helper = join(import.meta.dirname, '../helpers/webhooks/crash-deliverer.ts');
  const child = fork(helper, [database.url, SEAL_KEY, step], {
    env: { ...process.env, ...COMPILE_CACHE },
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}

const rowsOf = (callId: string) =>
  database.db
    .selectFrom('deliveries')
    .select(['event_id', 'state', 'attempts'])
    .where('call_id', '=', callId)
    .orderBy('event_seq')
    .execute();

/** Runs another sender after the lease of the dead one has expired; it delivers the rest of the call. */
async function survive(callId: string): Promise<void> {
  const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
  const survivor = new WebhookDeliverer({
    db: database.db,
    clock: new ManualClock(Date.now() + 60_000),
    log: silentLog,
    seal: createSeal(SEAL_KEY),
    fetcher,
    pollMs: 20,
  });
  survivor.start();
  await eventually('all events to be delivered', async () =>
    (await rowsOf(callId)).every((row) => row.state === 'delivered') ? true : null,
  );
  await survivor.stop();
  await fetcher.close();
  expect(await database.db.selectFrom('delivery_queue').select('id').execute()).toEqual([]);
}

const idsAt = (callId: string): string[] =>
  receiver.events(callId).map(({ headers }) => String(headers['webhook-id']));

describe('killing the sender', () => {
  // How often the first event reaches its receiver: twice if the sender dies before it stores the outcome.
  const steps = { taken: 1, signed: 1, answered: 2, written: 1 };
  it.each(
    Object.entries(steps).flatMap(([step, times]) =>
      [1, 2, 3, 4].map((attempt) => ({ step, attempt, times })),
    ),
  )(
    'after attempt $attempt was $step loses no event and changes no ID or order',
    async ({ step, attempt, times }) => {
      const callId = newId();
      const ids = await threeEvents(callId);
      const first = sql`event_id = ${ids[0]}`;
      await sql`update delivery_queue set attempt = ${attempt - 1}
        where id = (select id from deliveries where ${first})`.execute(database.db);
      await dieAt(step);
      await survive(callId);
      const rows = await rowsOf(callId);
      expect(rows.map((row) => row.event_id)).toEqual(ids);
      expect(rows[0]?.attempts).toMatchObject([{ attempt, status: 200 }]);
      const got = idsAt(callId);
      expect([...new Set(got)]).toEqual(ids);
      expect(got.filter((id) => id === ids[0])).toHaveLength(times);
      expect(got.filter((id) => id !== ids[0])).toEqual(ids.slice(1));
    },
  );

  it('four times before it sent anything uses up no attempt', async () => {
    const callId = newId();
    const ids = await threeEvents(callId);
    for (let deaths = 0; deaths < 4; deaths += 1) {
      await dieAt('taken');
      // Expire the lease.
      const over = new Date(Date.now() - 1);
      await database.db
        .updateTable('delivery_queue')
        .set({ leased_until: over })
        .where('attempt', '>', 0)
        .execute();
    }
    expect(idsAt(callId)).toEqual([]);
    await survive(callId);
    expect(idsAt(callId)).toEqual(ids);
    expect((await rowsOf(callId))[0]?.attempts).toMatchObject([{ attempt: 1, status: 200 }]);
  });
});
