import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { eraseCall } from '../../../src/domain/privacy/erase-call.ts';
import { changeRetention, sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { recoverDeliveries, resendDelivery } from '../../../src/domain/webhooks/delivery-log.ts';
import { WebhookDeliverer } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { CLIENT } from '../../helpers/analysis/ended-call.ts';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { eventually } from '../../helpers/service/service.ts';
import { conversationResult, createSettling, type Settling } from '../../helpers/calls/settling-node.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhooks/webhook-receiver.ts';

const BEFORE_ANALYSIS = ['call_started', 'call_ongoing', 'call_completed', 'recording_completed'];
const LAST = 'all_processing_completed';
const ALL = [...BEFORE_ANALYSIS, 'platform_analysis_completed', 'client_analysis_completed', LAST];

let settling: Settling;
let receiver: WebhookReceiver;
const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
let deliverer: WebhookDeliverer | null = null;
beforeAll(async () => {
  settling = await createSettling();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await fetcher.close();
  await receiver?.close();
  await settling?.ground.close();
});
beforeEach(async () => {
  await settling.renew();
  receiver.received.length = 0;
});
afterEach(async () => {
  await deliverer?.stop();
  deliverer = null;
});

/** A call with a conversation, a recording and a receiver of every event. */
async function subscribedCall(): Promise<Claimed> {
  const { ground } = settling;
  const subscription = { event_type: ALL, callback_url: receiver.url, headers: {} };
  const call = await settling.answered({ subscriptions: [subscription] });
  await sql`update agent_versions set config = config || ${JSON.stringify({ client_analysis: CLIENT })}::jsonb`.execute(
    ground.db,
  );
  ground.clock.advance(61_000);
  await settling.settle(call, { result: conversationResult() });
  return call;
}

/** Marks every delivery as failed; returns their ids, oldest first. */
async function failed(): Promise<string[]> {
  const { db, clock } = settling.ground;
  await db
    .updateTable('deliveries')
    .set({ state: 'dead', finished_at: new Date(clock.now()) })
    .execute();
  await db.deleteFrom('delivery_queue').execute();
  const rows = await db.selectFrom('deliveries').select('id').orderBy('event_seq').execute();
  return rows.map(({ id }) => id);
}

/** Delivers due events; returns the received bodies once there are `count`. */
async function sent(count: number): Promise<any[]> {
  const { db, clock } = settling.ground;
  const seal = createSeal('the seal of erased events');
  deliverer = new WebhookDeliverer({ db, clock, log: silentLog, seal, fetcher, pollMs: 10 });
  deliverer.start();
  await eventually('every event to arrive', async () => receiver.received.length >= count || null);
  expect(receiver.problems()).toEqual([]);
  return receiver.received.map(({ body }) => body);
}

it('resent events of an erased call match their schemas', async () => {
  const call = await subscribedCall();
  await settling.analyse();
  const [first = '', ...others] = await failed();
  await eraseCall(settling.deps, call.workspaceId, null, call.callId);
  await checkStoredEvents(settling.ground.db);
  await resendDelivery(settling.deps, call.workspaceId, null, first);
  const which = { since: new Date(0), url: null };
  expect(await recoverDeliveries(settling.deps, call.workspaceId, null, which)).toBe(others.length);
  const bodies = await sent(ALL.length);
  expect(new Set(bodies.map((body) => body.event_type))).toEqual(new Set(ALL));
  for (const body of bodies) expect(body).toMatchObject({ erased: true, to_number: '+1**********' });
});

it('events pending at the erasure of a call match their schemas, all_processing_completed included', async () => {
  const call = await subscribedCall();
  await eraseCall(settling.deps, call.workspaceId, null, call.callId);
  await settling.analyse();
  await checkStoredEvents(settling.ground.db);
  const bodies = await sent(BEFORE_ANALYSIS.length + 1);
  expect(bodies.map((body) => body.event_type)).toEqual([...BEFORE_ANALYSIS, LAST]);
  for (const body of bodies) expect(body.erased).toBe(true);
});

it('resent events after the retention period match their schemas', async () => {
  const call = await subscribedCall();
  await settling.analyse();
  const ids = await failed();
  await changeRetention(settling.deps, call.workspaceId, null, { transcriptDays: 1 });
  // Retention uses the time in call ids, which is of the real clock.
  settling.ground.clock.set(Date.now() + 2 * 86_400_000);
  expect(await sweepRetention(settling.deps)).toMatchObject({ transcripts: 1 });
  await checkStoredEvents(settling.ground.db);
  for (const id of ids) await resendDelivery(settling.deps, call.workspaceId, null, id);
  const bodies = await sent(ALL.length);
  expect(bodies.filter((body) => 'erased' in body)).toEqual([]);
  expect(bodies.find((body) => body.event_type === 'platform_analysis_completed').analysis_data).toBeNull();
});
