import { pino } from 'pino';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sealHeaders } from '../../src/domain/webhooks/sealed-headers.ts';
import { rotateSigningSecret, signingSecrets } from '../../src/domain/webhooks/signing-secrets.ts';
import { WebhookDeliverer } from '../../src/jobs/deliver-webhooks.ts';
import { SafeFetcher } from '../../src/jobs/safe-fetch.ts';
import type { ManualClock } from '../../src/shared/clock.ts';
import { newId } from '../../src/shared/ids.ts';
import { createSeal, type Seal } from '../../src/shared/seal.ts';
import { insertEvent } from '../../src/store/events.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';
import { mondayClock } from '../helpers/world.ts';

// A process with another SECRET_KEY than that which sealed what deliveries are signed and sent with.
const right = createSeal('the key that sealed everything');
const wrong = createSeal('the key somebody set instead');
const [ours, theirs] = [newId(), newId()];

let database: TestDatabase;
let receiver: WebhookReceiver;
let clock: ManualClock;
let status = 200;
let lines: string[] = [];
const fetcher = new SafeFetcher({ allow: ['127.0.0.1'] });
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

async function tell(workspaceId: string, path: string, headers: Record<string, string> = {}): Promise<void> {
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

it('holds back what it cannot sign, says so once, and sends everything to others', async () => {
  for (let n = 0; n < 6; n += 1) await tell(ours, `/${n}`);
  await tell(theirs, '/theirs');
  const deliverer = deliver(wrong);
  await held(6);
  await stateful([...Array.from({ length: 6 }, () => 'due '), 'delivered 1']);
  // Longer than all attempts and leases take.
  for (let n = 0; n < 5; n += 1) {
    clock.advance(60_000);
    await tell(theirs, `/${n}`);
    await eventually('the other one to be told', async () => receiver.received.length === n + 2 || null);
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

it('holds back what it cannot send the headers of, and goes on after the attempt that was made', async () => {
  status = 500;
  await tell(ours, '/sealed', sealHeaders(right, { authorization: 'Bearer canary-4711' }));
  deliver(right);
  await stateful(['due 1']);
  await stop();
  // Signed by one who has the key, addressed by one who has not.
  await sql`truncate webhook_secrets`.execute(database.db);
  clock.advance(10_000);
  await tell(ours, '/plain');
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

it('sends what was held once another secret signs', async () => {
  await tell(ours, '/');
  const deliverer = deliver(wrong);
  await held(1);
  await rotateSigningSecret({ db: database.db, clock, seal: wrong }, ours, 0);
  clock.advance(60_000);
  await stateful(['delivered 1']);
  expect(deliverer.heldNote).toBeNull();
});
