import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rotateSigningSecret, signingSecrets } from '../../src/domain/webhooks/signing-secrets.ts';
import { WebhookDeliverer } from '../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../src/net/safe-fetch.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createSeal } from '../../src/shared/seal.ts';
import { insertEvents } from '../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { SELF_SIGNED } from '../helpers/api/self-signed.ts';
import { MODES, startModeReceivers, type ModeReceivers } from '../helpers/webhooks/webhook-modes.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';

const seal = createSeal('the seal of the clock test');
const workspaceId = newId();
let database: TestDatabase;
let receivers: ModeReceivers;
let good: WebhookReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receivers = await startModeReceivers(SELF_SIGNED);
  good = await startWebhookReceiver();
});
afterAll(async () => {
  await receivers.close();
  await good.close();
  await database.close();
});

async function send(url: string): Promise<string> {
  const [callId, eventId] = [newId(), newId()];
  const at = new Date();
  const body = { event_type: 'call_completed', event_id: eventId, call_id: callId };
  const event = { workspaceId, callId, eventId, eventType: 'call_completed', dedup: 'x', body, at };
  await database.db
    .transaction()
    .execute((tx) => insertEvents(tx, [{ event, targets: [{ url, method: 'POST', headers: {} }] }]));
  return eventId;
}

const WAITS = [10_000, 60_000, 120_000];
/** Tolerance for a busy machine and the poll interval of one second. */
const LATE_MS = 1000;

// The complete retry schedule in real time, for every kind of receiver in parallel: about five minutes.
it(
  'every receiver gets its attempts within a second of the schedule while the secret rotates',
  { timeout: 420_000 },
  async () => {
    const events = new Map<string, (typeof MODES)[number]>();
    // One receiver responds 0.1 s before its timeout, so it is tested while the machine is idle.
    const isClose = (mode: (typeof MODES)[number]): boolean => mode.takesMs === 29_900;
    for (const mode of MODES.filter(isClose)) events.set(await send(receivers.urlOf(mode)), mode);
    const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
    const options = { db: database.db, clock: systemClock, log: silentLog, seal, fetcher };
    // Two senders, as in two processes.
    const senders = [new WebhookDeliverer(options), new WebhookDeliverer(options)];
    for (const sender of senders) sender.start();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const mode of MODES.filter((each) => !isClose(each)))
      events.set(await send(receivers.urlOf(mode)), mode);
    for (const sender of senders) sender.kick();

    const rows = () => database.db.selectFrom('deliveries').selectAll().execute();
    // Per event: the newest secret at its creation, and the oldest that still signed.
    const secretsOf = new Map<string, readonly string[]>();
    for (let second = 0; (await rows()).some((row) => row.state === 'due'); second += 1) {
      if (second % 60 === 0) await rotateSigningSecret(options, workspaceId, null, 3_600_000);
      const live = (await signingSecrets(options, [workspaceId])).get(workspaceId) ?? [];
      secretsOf.set(await send(good.url), [live[0]!.secret, live.at(-1)!.secret]);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (second > 340) throw new Error('the schedule does not end');
    }
    for (const sender of senders) await sender.stop();
    await fetcher.close();
    expect(good.received.length).toBeGreaterThan(150);
    for (const { headers, raw } of good.received) {
      for (const secret of secretsOf.get(String(headers['webhook-id'])) ?? ['none']) {
        // The library rejects timestamps older than five minutes; these are verified at the end.
        const signed = new Webhook(secret).sign(
          String(headers['webhook-id']),
          new Date(Number(headers['webhook-timestamp']) * 1000),
          raw,
        );
        expect(String(headers['webhook-signature']).split(' ')).toContain(signed);
      }
    }

    for (const row of await rows()) {
      const mode = events.get(row.event_id);
      if (mode === undefined) continue;
      const isDelivered = mode.status === 200;
      const attempts = row.attempts as unknown as {
        at: string;
        duration_ms: number;
        status: number | null;
        error: string | null;
      }[];
      expect([mode.name, row.state]).toEqual([mode.name, isDelivered ? 'delivered' : 'dead']);
      expect([mode.name, attempts.length]).toEqual([mode.name, isDelivered ? 1 : 4]);
      for (const [n, attempt] of attempts.entries()) {
        expect([mode.name, attempt.status, attempt.error]).toEqual([mode.name, mode.status, mode.error]);
        const tooLong = mode.takesMs > 0 && Math.abs(attempt.duration_ms - mode.takesMs) > LATE_MS;
        expect([mode.name, tooLong]).toEqual([mode.name, false]);
        const before = attempts[n - 1];
        const due =
          before === undefined
            ? row.created_at.getTime()
            : Date.parse(before.at) + before.duration_ms + (WAITS[n - 1] ?? 0);
        const late = Date.parse(attempt.at) - due;
        const isOnTime = late >= 0 && late <= LATE_MS;
        expect([mode.name, n + 1, isOnTime || late]).toEqual([mode.name, n + 1, true]);
      }
    }
  },
);
