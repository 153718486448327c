import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookRecovery } from '../../../src/jobs/webhooks/recovery.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { insertEvent, type DeliveryTarget } from '../../../src/store/webhooks/events.ts';
import { createTestAgent } from '../../helpers/api/api.ts';
import { eventually } from '../../helpers/service/service.ts';
import { eventProblems } from '../../helpers/webhooks/event-schemas.ts';
import { openWebhookDesk, type WebhookDesk } from '../../helpers/webhooks/webhook-api.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhooks/webhook-receiver.ts';

const DAY_MS = 86_400_000;

let desk: WebhookDesk;
let watcher: WebhookReceiver;
let recovery: { stop(): Promise<void> };
beforeAll(async () => {
  desk = await openWebhookDesk();
  watcher = await startWebhookReceiver();
});
beforeEach(async () => {
  await desk.renew();
  await sql`truncate webhook_outages, given_up_deliveries, deliveries, delivery_queue`.execute(desk.api.db);
  watcher.received.length = 0;
  const deliverer = desk.deliver();
  const started = webhookRecovery({
    ...desk.api,
    log: silentLog,
    pollMs: 10,
    onQueued: () => deliverer.kick(),
  });
  started.start();
  recovery = started;
});
afterEach(async () => {
  await recovery.stop();
  await desk.stopDelivering();
});
afterAll(async () => {
  await watcher.close();
  await desk.close();
});

/** Virtual time stands still while a test waits. */
const comesTrue = <T>(probe: () => Promise<T | null>): Promise<T> => eventually('the condition', probe);
const seen = (): string[] => desk.receiver.received.map(({ body }) => body.call_id as string);

async function emit(target: Partial<DeliveryTarget> = {}): Promise<string> {
  const callId = newId();
  const at = new Date(desk.api.clock.now());
  const event = {
    workspaceId: desk.tenant.workspaceId,
    callId,
    eventId: newId(),
    eventType: 'call_started',
    dedup: 'call_started:1',
    body: { event_type: 'call_started', call_id: callId },
    at,
  };
  const receiver: DeliveryTarget = {
    url: desk.receiver.url,
    method: 'POST',
    headers: {},
    recovery: 'automatic',
    ...target,
  };
  await desk.api.db.transaction().execute((tx) => insertEvent(tx, event, [receiver]));
  return callId;
}

const failures = async (): Promise<Record<string, any>> =>
  (await desk.call('GET', '/webhooks/failures')).body as Record<string, any>;
const receiver = async (): Promise<Record<string, any> | undefined> => (await failures())['receivers'][0];
const deliveryOf = async (callId: string): Promise<Record<string, any> | undefined> =>
  ((await desk.call('GET', `/webhooks/deliveries?call_id=${callId}`)).body as any).deliveries[0];

/** Moves the time on until the delivery has ended and the recovery has seen it. */
const ends = (callId: string): Promise<unknown> =>
  comesTrue(async () => {
    const state = (await deliveryOf(callId))?.['state'];
    const { rows } = await sql`select from given_up_deliveries where state = 'new'
      union all select from webhook_outages where head_id is not null`.execute(desk.api.db);
    if (state !== 'pending' && rows.length === 0) return true;
    desk.api.clock.advance(30_000);
    return null;
  });

/** The receiver refuses an event, and another one five days later. */
async function failForFiveDays(target: Partial<DeliveryTarget> = {}): Promise<string[]> {
  desk.status = 500;
  const first = await emit(target);
  await ends(first);
  desk.api.clock.advance(5 * DAY_MS);
  const second = await emit(target);
  await ends(second);
  return [first, second];
}

const enable = async (key?: string) =>
  desk.call('POST', `/webhooks/receivers/${(await receiver())?.['receiver_id']}/enable`, undefined, key);

describe('a receiver that accepts nothing for five days', () => {
  it('is disabled: it gets no more requests, and what waits for it is kept', async () => {
    const calls = await failForFiveDays();
    expect(await receiver()).toMatchObject({
      disabled_at: expect.any(String),
      kept_count: 2,
      dropped_count: 0,
      next_probe_at: null,
    });
    const requests = seen().length;
    const later = await emit();
    await ends(later);
    desk.api.clock.advance(3 * DAY_MS);
    const last = await emit();
    await ends(last);
    expect(seen()).toHaveLength(requests);
    expect(await receiver()).toMatchObject({ kept_count: 4 });
    expect(await deliveryOf(last)).toMatchObject({ state: 'failed', last_error: 'receiver_disabled' });
    desk.status = 200;
    desk.receiver.received.length = 0;
    expect((await enable()).status).toBe(200);
    await comesTrue(async () => ((await receiver()) === undefined ? true : null));
    expect(seen()).toEqual([...calls, later, last]);
  });

  it('is disabled with an audit entry, and an event to the other receivers', async () => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant);
    await desk.call('PATCH', '/agent/v1', {
      operation: 'edit_event_subscriptions',
      agent_id: agentId,
      event_subscriptions: [{ event_type: 'webhook_receiver_disabled', callback_url: watcher.url }],
    });
    await failForFiveDays({ url: `${desk.receiver.url}?token=secret` });
    const body = await comesTrue(async () => watcher.received[0]?.body ?? null);
    expect(eventProblems(body)).toEqual([]);
    expect(body).toMatchObject({
      event_type: 'webhook_receiver_disabled',
      callback_url: new URL(desk.receiver.url).origin,
      receiver_id: (await receiver())?.['receiver_id'],
    });
    expect(watcher.received).toHaveLength(1);
    const { entries } = (await desk.call('GET', '/workspace/audit-log')).body as any;
    const entry = entries.find(({ action }: any) => action === 'webhooks.receiver_disabled');
    expect(entry).toMatchObject({ actor: { type: 'system' } });
    expect(JSON.stringify([entry, body])).not.toContain('secret');
  });

  it('keeps nothing of a subscription without recovery: its deliveries stay in the log, to be sent again', async () => {
    const calls = await failForFiveDays({ recovery: 'manual' });
    const later = await emit({ recovery: 'manual' });
    await ends(later);
    expect(await receiver()).toMatchObject({ disabled_at: expect.any(String), kept_count: 0 });
    desk.status = 200;
    await enable();
    desk.receiver.received.length = 0;
    await desk.call('POST', '/webhooks/recover', { since: '2026-01-01' });
    await comesTrue(async () => (seen().length === 3 ? true : null));
    expect(seen().toSorted()).toEqual([...calls, later].toSorted());
  });

  it('is enabled by a delivery that a person sends again and that it accepts', async () => {
    const calls = await failForFiveDays();
    desk.status = 200;
    desk.receiver.received.length = 0;
    const id = (await deliveryOf(calls[0]!))?.['delivery_id'];
    expect((await desk.call('POST', `/webhooks/deliveries/${id}/resend`)).status).toBe(200);
    await comesTrue(async () => {
      desk.api.clock.advance(1000);
      return (await receiver()) === undefined ? true : null;
    });
    expect(seen()).toEqual(calls);
  });

  it('stays enabled when it refuses again, until five more days without a success', async () => {
    await failForFiveDays();
    await enable();
    await ends(await emit());
    expect(await receiver()).toMatchObject({ disabled_at: null });
    desk.api.clock.advance(5 * DAY_MS);
    await ends(await emit());
    expect(await receiver()).toMatchObject({ disabled_at: expect.any(String) });
  });
});

describe('a receiver that stays enabled', () => {
  it('accepted an event within the five days', async () => {
    desk.status = 500;
    await ends(await emit({ recovery: 'manual' }));
    desk.api.clock.advance(3 * DAY_MS);
    // Between two looks of the recovery: the outage goes on, but the five days begin again.
    await recovery.stop();
    desk.status = 200;
    const accepted = await emit({ recovery: 'manual' });
    await comesTrue(async () => ((await deliveryOf(accepted))?.['state'] === 'delivered' ? true : null));
    desk.status = 500;
    desk.api.clock.advance(2 * DAY_MS);
    const refused = await emit({ recovery: 'manual' });
    await comesTrue(async () => {
      desk.api.clock.advance(30_000);
      return (await deliveryOf(refused))?.['state'] === 'failed' ? true : null;
    });
    const again = webhookRecovery({ ...desk.api, log: silentLog, pollMs: 10, onQueued: () => undefined });
    again.start();
    recovery = again;
    await ends(refused);
    expect(await receiver()).toMatchObject({ disabled_at: null });
  });

  it('cannot be enabled, nor can one of another workspace', async () => {
    desk.status = 500;
    await ends(await emit());
    expect((await enable()).status).toBe(409);
    expect((await enable(desk.other.key)).status).toBe(404);
    expect((await desk.call('POST', '/webhooks/receivers/unknown/enable')).status).toBe(404);
  });
});
