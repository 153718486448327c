import { expect } from 'vitest';
import { WebhookDeliverer } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal, type Seal } from '../../../src/shared/seal.ts';
import { createTenant, createTestApi, type Answer, type Tenant, type TestApi } from '../api/api.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

type Method = 'GET' | 'POST' | 'PATCH';

/** Two workspaces whose webhooks are configured and read through the API, and a receiver. */
export interface WebhookDesk {
  readonly api: TestApi;
  readonly seal: Seal;
  readonly receiver: WebhookReceiver;
  tenant: Tenant;
  other: Tenant;
  /** Response of the receiver. */
  status: number;
  /** Calls whose events it answers with 500. */
  readonly refused: Set<string>;
  /** Switches to new workspaces and a fresh receiver that returns 200. */
  renew(): Promise<void>;
  call(method: Method, path: string, body?: unknown, key?: string | null): Promise<Answer>;
  /** Starts the deliverer. */
  deliver(): WebhookDeliverer;
  stopDelivering(): Promise<void>;
  deliveryOf(id: string): Promise<Answer>;
  /** Waits until the delivery is finished and returns it. */
  ended(id: string): Promise<Record<string, any>>;
  /** Sends a test event to the receiver and returns its delivery. */
  sendTest(more?: object): Promise<Record<string, any>>;
  /** Lets a delivery fail four times. */
  die(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the API; the first `renew` creates the workspaces. */
export async function openWebhookDesk(): Promise<WebhookDesk> {
  const seal = createSeal('the seal of the webhooks API tests');
  const api = await createTestApi({ seal });
  const receiver = await startWebhookReceiver(() =>
    desk.refused.has(receiver.received.at(-1)?.body?.call_id as string) ? 500 : desk.status,
  );
  const running: { stop(): Promise<void> }[] = [];
  const desk: WebhookDesk = {
    api,
    seal,
    receiver,
    tenant: await createTenant(api),
    other: await createTenant(api),
    status: 200,
    refused: new Set(),
    async renew() {
      desk.tenant = await createTenant(api);
      desk.other = await createTenant(api);
      desk.status = 200;
      desk.refused.clear();
      receiver.received.length = 0;
    },
    call: (method, path, body, key = desk.tenant.key) =>
      api.request(method, `/api/v0${path}`, { key, ...(body === undefined ? {} : { body }) }),
    deliver() {
      const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
      const { db, clock } = api;
      const worker = new WebhookDeliverer({ db, clock, log: silentLog, seal, fetcher, pollMs: 10 });
      running.push({
        stop: async () => {
          await worker.stop();
          await fetcher.close();
        },
      });
      worker.start();
      return worker;
    },
    async stopDelivering() {
      for (const each of running.splice(0)) await each.stop();
    },
    deliveryOf: (id) => desk.call('GET', `/webhooks/deliveries/${id}`),
    ended: (id) =>
      comesTrue(async () => {
        const found = deliveryIn(await desk.deliveryOf(id));
        return found['state'] === 'pending' ? null : found;
      }),
    async sendTest(more = {}) {
      const answer = await desk.call('POST', '/webhooks/test', {
        event_type: 'call_completed',
        callback_url: receiver.url,
        ...more,
      });
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return deliveryIn(answer);
    },
    async die(id) {
      const attempts = async (n: number): Promise<true | null> =>
        deliveryIn(await desk.deliveryOf(id))['attempt_count'] >= n ? true : null;
      for (const [n, wait] of [10_000, 60_000, 120_000].entries()) {
        await comesTrue(() => attempts(n + 1));
        api.clock.advance(wait);
      }
      await comesTrue(() => attempts(4));
    },
    async close() {
      await receiver.close();
      await api.close();
    },
  };
  return desk;
}

/** The delivery in a response. */
export const deliveryIn = (answer: Answer): Record<string, any> =>
  answer.body['delivery'] as Record<string, any>;

/** Polls every ten milliseconds for at least a minute. */
export async function comesTrue<T>(probe: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const found = await probe();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the condition was not met in time');
}
