import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookRecovery } from '../../../src/jobs/webhooks/recovery.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { insertEvent, type DeliveryTarget } from '../../../src/store/webhooks/events.ts';
import { createTestAgent } from '../../helpers/api/api.ts';
import { eventProblems } from '../../helpers/webhooks/event-schemas.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWebhookDesk, type WebhookDesk } from '../../helpers/webhooks/webhook-api.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhooks/webhook-receiver.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Virtual time stands still while a test waits for the deliverer. */
const comesTrue = <T>(probe: () => Promise<T | null>): Promise<T> => eventually('the condition', probe);

let desk: WebhookDesk;
let watcher: WebhookReceiver;
const recoveries: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  desk = await openWebhookDesk();
  watcher = await startWebhookReceiver();
});
beforeEach(async () => {
  await desk.renew();
  await sql`truncate webhook_outages, given_up_deliveries, deliveries, delivery_queue`.execute(desk.api.db);
  watcher.received.length = 0;
});
afterEach(async () => {
  for (const each of recoveries.splice(0)) await each.stop();
  await desk.stopDelivering();
});
afterAll(async () => {
  await watcher.close();
  await desk.close();
});

/** Starts a process that delivers and recovers. */
function start(keep?: number): void {
  const deliverer = desk.deliver();
  const recovery = webhookRecovery({
    ...desk.api,
    log: silentLog,
    pollMs: 10,
    onQueued: () => deliverer.kick(),
    ...(keep === undefined ? {} : { keep }),
  });
  recovery.start();
  recoveries.push(recovery);
}
async function stop(): Promise<void> {
  for (const each of recoveries.splice(0)) await each.stop();
  await desk.stopDelivering();
}

/** An event of a call of its own; returns the call's id. */
async function emit(target: Partial<DeliveryTarget> = {}): Promise<string> {
  const callId = newId();
  const at = new Date(desk.api.clock.now());
  const { workspaceId } = desk.tenant;
  await desk.api.db.transaction().execute((tx) =>
    insertEvent(
      tx,
      {
        workspaceId,
        callId,
        eventId: newId(),
        eventType: 'call_started',
        dedup: 'call_started:1',
        body: { event_type: 'call_started', call_id: callId },
        at,
      },
      [{ url: desk.receiver.url, method: 'POST', headers: {}, recovery: 'automatic', ...target }],
    ),
  );
  return callId;
}
const seen = (): string[] => desk.receiver.received.map(({ body }) => body.call_id as string);
const failures = async () => (await desk.call('GET', '/webhooks/failures')).body as any;
const received = (n: number): Promise<unknown> => comesTrue(async () => (seen().length >= n ? true : null));
/** Lets every pending delivery fail four times, and waits until the recovery has seen it. */
async function giveUp(callIds: readonly string[]): Promise<void> {
  const sent = (): number => seen().filter((id) => callIds.includes(id)).length;
  for (const [n, wait] of [10_000, MINUTE_MS, 2 * MINUTE_MS, 0].entries()) {
    await comesTrue(async () => (sent() >= (n + 1) * callIds.length ? true : null));
    await comesTrue(async () => {
      const { rows } = await sql`select from deliveries
        where state = 'due' and call_id = any (${callIds}::uuid[]) and attempt <= ${n}`.execute(desk.api.db);
      return rows.length === 0 ? true : null;
    });
    desk.api.clock.advance(wait);
  }
  await comesTrue(async () => {
    const { rows } = await sql`select from given_up_deliveries where state = 'new'`.execute(desk.api.db);
    const { rows: due } = await sql`select from deliveries where state = 'due'`.execute(desk.api.db);
    return rows.length + due.length === 0 ? true : null;
  });
}
/** Waits until the outcome of every delivery is stored. */
const settled = (): Promise<unknown> =>
  comesTrue(async () => {
    const { rows } = await sql`select from deliveries where state = 'due'`.execute(desk.api.db);
    return rows.length === 0 ? true : null;
  });
/** Waits until the refused probe is stored. */
const probed = (): Promise<unknown> =>
  comesTrue(async () => {
    const { rows } = await sql`select from webhook_outages where head_id is not null`.execute(desk.api.db);
    return rows.length === 0 ? true : null;
  });
const over = (): Promise<unknown> =>
  comesTrue(async () => ((await failures()).receivers.length === 0 ? true : null));

describe('a subscription with automatic recovery', () => {
  it('is probed with one delivery at growing intervals, and gets everything once, in order, when it is back', async () => {
    desk.status = 503;
    start();
    const calls = [await emit(), await emit(), await emit()];
    await giveUp(calls);
    const given = await failures();
    expect(given.receivers).toMatchObject([
      {
        callback_url: desk.receiver.url,
        recovery: 'automatic',
        kept_count: 3,
        dropped_count: 0,
        next_probe_at: expect.any(String),
      },
    ]);
    expect(given.failures.map((failure: any) => [failure.call_id, failure.kept])).toEqual(
      calls.toReversed().map((call) => [call, true]),
    );
    const requests = seen().length;
    for (const [n, wait] of [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS].entries()) {
      desk.api.clock.advance(wait);
      await received(requests + n + 1);
      await probed();
      expect(seen().slice(requests)).toEqual(Array.from({ length: n + 1 }, () => calls[0]));
    }
    desk.status = 200;
    desk.receiver.received.length = 0;
    desk.api.clock.advance(5 * HOUR_MS);
    await over();
    expect(seen()).toEqual(calls);
    expect((await failures()).failures).toEqual([]);
    desk.api.clock.advance(80 * HOUR_MS);
    const later = await emit();
    await received(4);
    expect(seen()).toEqual([...calls, later]);
  });

  it('delivers what was kept as soon as the receiver accepts a new event, long before the next probe', async () => {
    desk.status = 500;
    start();
    const calls = [await emit(), await emit()];
    await giveUp(calls);
    desk.status = 200;
    desk.receiver.received.length = 0;
    desk.api.clock.advance(6000);
    const fresh = await emit();
    await received(1);
    desk.api.clock.advance(6000);
    await over();
    expect(seen()).toEqual([fresh, ...calls]);
  });

  it('survives the end of its process at any time, and two processes deliver nothing twice', async () => {
    desk.status = 500;
    start();
    const calls = [await emit(), await emit(), await emit(), await emit()];
    await giveUp(calls);
    await stop();
    desk.status = 200;
    desk.receiver.received.length = 0;
    desk.api.clock.advance(5 * MINUTE_MS);
    start();
    await received(1);
    await stop();
    start();
    start();
    await over();
    expect(seen()).toEqual(calls);
  });

  it('keeps the newest deliveries up to the bound of the workspace, and counts those that it dropped', async () => {
    desk.status = 500;
    start(2);
    const calls = [await emit(), await emit(), await emit(), await emit()];
    await giveUp(calls);
    expect((await failures()).receivers).toMatchObject([{ kept_count: 2, dropped_count: 2 }]);
    desk.status = 200;
    desk.receiver.received.length = 0;
    desk.api.clock.advance(5 * MINUTE_MS);
    await over();
    expect(seen()).toEqual(calls.slice(2));
    expect((await failures()).failures.map(({ kept }: any) => kept)).toEqual([false, false]);
  });

  it('drops a delivery that is refused three times while the receiver accepts others, and sends the rest', async () => {
    desk.status = 500;
    start();
    const [poison, ...rest] = [await emit(), await emit(), await emit()];
    await giveUp([poison, ...rest]);
    const requests = (): number => seen().filter((id) => id === poison).length;
    for (const call of [poison, ...rest]) desk.refused.add(call);
    desk.status = 200;
    for (const tries of [5, 6, 7]) {
      desk.api.clock.advance(1000);
      const fresh = await emit();
      await comesTrue(async () => (seen().includes(fresh) ? true : null));
      desk.api.clock.advance(6000);
      await comesTrue(async () => (requests() >= tries ? true : null));
      await probed();
    }
    expect((await failures()).receivers).toMatchObject([{ kept_count: 2, dropped_count: 1 }]);
    desk.refused.clear();
    desk.receiver.received.length = 0;
    desk.api.clock.advance(6 * MINUTE_MS);
    await over();
    expect(seen()).toEqual(rest);
  });

  it('leaves a delivery to a person who sends it again, and does not send it a second time', async () => {
    desk.status = 500;
    start();
    const calls = [await emit(), await emit()];
    await giveUp(calls);
    desk.status = 200;
    desk.receiver.received.length = 0;
    await stop();
    desk.api.clock.advance(20 * 24 * HOUR_MS);
    const recovered = await desk.call('POST', '/webhooks/recover', { since: '2026-01-01' });
    expect(recovered.body).toMatchObject({ recovered_count: 2 });
    start();
    await over();
    await received(2);
    expect(seen().toSorted()).toEqual(calls.toSorted());
  });
});

describe('a subscription without recovery', () => {
  it('keeps nothing after four attempts, and its outage ends with the next success', async () => {
    desk.status = 500;
    start();
    await giveUp([await emit({ recovery: 'manual' })]);
    expect((await failures()).receivers).toMatchObject([
      { recovery: 'manual', kept_count: 0, next_probe_at: null },
    ]);
    desk.status = 200;
    desk.receiver.received.length = 0;
    desk.api.clock.advance(80 * HOUR_MS);
    const fresh = await emit({ recovery: 'manual' });
    await received(1);
    await settled();
    desk.api.clock.advance(6000);
    await over();
    expect(seen()).toEqual([fresh]);
    expect((await failures()).failures).toMatchObject([{ kept: false, state: 'failed' }]);
  });
});

describe('webhook_delivery_failed', () => {
  const subscribe = async (callback_url: string): Promise<void> => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant);
    const { status, text } = await desk.call('PATCH', '/agent/v1', {
      operation: 'edit_event_subscriptions',
      agent_id: agentId,
      event_subscriptions: [{ event_type: 'webhook_delivery_failed', callback_url, recovery: 'automatic' }],
    });
    expect([status, text]).toEqual([200, text]);
  };

  it('goes once to the other subscriptions until the receiver has recovered, and never to the failing one', async () => {
    await subscribe(watcher.url);
    await subscribe(desk.receiver.url);
    desk.status = 503;
    start();
    await giveUp([await emit(), await emit()]);
    const watched = () => watcher.received.map(({ body }) => body);
    await comesTrue(async () => (watched().length === 1 ? true : null));
    expect(eventProblems(watched()[0])).toEqual([]);
    expect(watched()[0]).toMatchObject({
      event_type: 'webhook_delivery_failed',
      callback_url: new URL(desk.receiver.url).origin,
      failed_event_type: 'call_started',
      last_status: 503,
      recovery: 'automatic',
    });
    await giveUp([await emit()]);
    desk.status = 200;
    desk.api.clock.advance(6 * MINUTE_MS);
    await over();
    expect(watched()).toHaveLength(1);
    expect(seen()).toHaveLength(15);
    desk.status = 503;
    await giveUp([await emit()]);
    await comesTrue(async () => (watched().length === 2 ? true : null));
  });

  it('names the host of the receiver alone: the rest of its address may hold a secret', async () => {
    await subscribe(watcher.url);
    desk.status = 503;
    start();
    await giveUp([await emit({ url: `${desk.receiver.url}?token=secret` })]);
    await comesTrue(async () => (watcher.received.length === 1 ? true : null));
    expect(watcher.received[0]!.raw).not.toContain('secret');
    expect(watcher.received[0]!.body).toMatchObject({ callback_url: new URL(desk.receiver.url).origin });
  });

  it('is not sent to another workspace', async () => {
    const { tenant } = desk;
    desk.tenant = desk.other;
    await subscribe(watcher.url);
    desk.tenant = tenant;
    desk.status = 503;
    start();
    await giveUp([await emit()]);
    expect(watcher.received).toEqual([]);
    expect((await desk.call('GET', '/webhooks/failures', undefined, desk.other.key)).body).toMatchObject({
      failures: [],
      receivers: [],
    });
  });
});
