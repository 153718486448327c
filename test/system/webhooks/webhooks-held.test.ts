import { pino } from 'pino';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sealHeaders } from '../../../src/domain/webhooks/sealed-headers.ts';
import { rotateSigningSecret, signingSecrets } from '../../../src/domain/webhooks/signing-secrets.ts';
import { WebhookDeliverer } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import type { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createSeal, type Seal } from '../../../src/shared/seal.ts';
import { insertEvent } from '../../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhooks/webhook-receiver.ts';
import { mondayClock } from '../../helpers/database/workspace.ts';

// A process whose SECRET_KEY did not encrypt the signing secrets and headers of the deliveries.
const right = createSeal('the key that sealed everything');
const wrong = createSeal('another key');
const [ours, theirs] = [newId(), newId()];

let database: TestDatabase;
let receiver: WebhookReceiver;
let clock: ManualClock;
let status = 200;
let lines: string[] = [];
const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
const running: WebhookDeliverer[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver(() => status);
});
afterAll(async () => {
  await fetcher.close();
  await receiver?.close();
  await database?.close();
});
beforeEach(async () => {
  await sql`truncate events, deliveries, delivery_queue, webhook_secrets`.execute(database.db);
  clock = mondayClock();
  status = 200;
  lines = [];
  receiver.received.length = 0;
  await signingSecrets({ db: database.db, clock, seal: right }, [ours]);
});
const stop = async (): Promise<void> => {
  for (const each of running.splice(0)) await each.stop();
};
afterEach(stop);

function deliver(seal: Seal): WebhookDeliverer {
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const deliverer = new WebhookDeliverer({ db: database.db, clock, log, seal, fetcher, pollMs: 10 });
  running.push(deliverer);
  deliverer.start();
  return deliverer;
}

async function queueEvent(
  workspaceId: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const [callId, eventId] = [newId(), newId()];
  const event = { workspaceId, callId, eventId, eventType: 'call_completed', dedup: eventId };
  const body = { event_type: 'call_completed', call_id: callId };
  const target = { url: `${receiver.url}${path}`, method: 'POST', headers };
  await database.db
    .transaction()
    .execute((tx) => insertEvent(tx, { ...event, body, at: new Date(clock.now()) }, [target]));
}

const queue = async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select d.url, q.attempt, q.interruptions, q.due_at = 'infinity' as held, d.attempts from delivery_queue q
    join deliveries d using (workspace_id, id) order by q.event_seq`.execute(database.db);
  return rows;
};
const states = async () =>
  (
    await database.db.selectFrom('deliveries').select(['state', 'attempts']).orderBy('event_seq').execute()
  ).map(({ state, attempts }) => `${state} ${attempts.map((each) => each['attempt']).join()}`);
const held = (count: number) =>
  eventually('deliveries to be held', async () =>
    (await queue()).filter((row) => row['held'] === true).length === count ? true : null,
  );
const stateful = (wanted: readonly string[]) =>
  eventually(`deliveries to be ${wanted.join('; ')}`, async () =>
    (await states()).join('; ') === wanted.join('; ') ? true : null,
  );

it('holds deliveries that it cannot sign, logs that once, and sends all others', async () => {
  for (let n = 0; n < 6; n += 1) await queueEvent(ours, `/${n}`);
  await queueEvent(theirs, '/theirs');
  const deliverer = deliver(wrong);
  await held(6);
  await stateful([...Array.from({ length: 6 }, () => 'due '), 'delivered 1']);
  // Longer than all attempts and leases.
  for (let n = 0; n < 5; n += 1) {
    clock.advance(60_000);
    await queueEvent(theirs, `/${n}`);
    await eventually(
      'the other receiver to get its event',
      async () => receiver.received.length === n + 2 || null,
    );
  }
  await held(6);
  const waiting = (await queue()).filter((row) => row['held'] === true);
  for (const row of waiting) expect(row).toMatchObject({ attempt: 0, interruptions: 0, attempts: [] });
  expect(deliverer.heldNote).toContain('SECRET_KEY');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([expect.stringContaining('SECRET_KEY')]);
  expect(lines.join('')).not.toMatch(/whsec_|sealed:|http:/);

  await stop();
  expect(deliver(right).heldNote).toBeNull();
  await stateful(Array.from({ length: 12 }, () => 'delivered 1'));
});

it('holds deliveries whose headers it cannot decrypt, and continues after the attempt made before', async () => {
  status = 500;
  await queueEvent(ours, '/sealed', sealHeaders(right, { authorization: 'Bearer canary-4711' }));
  deliver(right);
  await stateful(['due 1']);
  await stop();
  // The signing secret is readable with this key, the headers are not.
  await sql`truncate webhook_secrets`.execute(database.db);
  clock.advance(10_000);
  await queueEvent(ours, '/plain');
  status = 200;
  deliver(wrong);
  await held(1);
  await stateful(['due 1', 'delivered 1']);
  expect(await queue()).toMatchObject([{ attempt: 1, interruptions: 0 }]);
  expect(lines.join('')).not.toContain('canary');
  await stop();
  await sql`truncate webhook_secrets`.execute(database.db);
  deliver(right);
  await stateful(['delivered 1,2', 'delivered 1']);
  expect(receiver.received.at(-1)?.headers['authorization']).toBe('Bearer canary-4711');
});

it('sends held deliveries after the signing secret was rotated', async () => {
  await queueEvent(ours, '/');
  const deliverer = deliver(wrong);
  await held(1);
  await rotateSigningSecret({ db: database.db, clock, seal: wrong }, ours, null, 0);
  clock.advance(60_000);
  await stateful(['delivered 1']);
  expect(deliverer.heldNote).toBeNull();
});
