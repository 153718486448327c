import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryLogPruner } from '../../../src/jobs/webhooks/delivery-log.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  comesTrue,
  deliveryIn,
  openWebhookDesk,
  type WebhookDesk,
} from '../../helpers/webhooks/webhook-api.ts';

let desk: WebhookDesk;
beforeAll(async () => {
  desk = await openWebhookDesk();
});
beforeEach(() => desk.renew());
afterEach(() => desk.stopDelivering());
afterAll(() => desk.close());

describe('the delivery log', () => {
  it('shows request, responses and timing of a retried delivery, and resends it', async () => {
    desk.status = 503;
    const { delivery_id: id } = await desk.sendTest();
    desk.deliver();
    await desk.die(id);
    const dead = deliveryIn(await desk.deliveryOf(id));
    expect(dead).toMatchObject({
      state: 'failed',
      event_type: 'call_completed',
      callback_url: desk.receiver.url,
      method_type: 'POST',
      attempt_count: 4,
      last_status: 503,
      last_error: null,
      next_attempt_at: null,
      resend_count: 0,
      is_test: true,
      request: { method: 'POST', url: desk.receiver.url, body: { test: true, event_type: 'call_completed' } },
    });
    expect(dead['attempts'].map((a: any) => [a.attempt, a.status, a.body, a.error])).toEqual(
      [1, 2, 3, 4].map((n) => [n, 503, null, null]),
    );
    desk.status = 200;
    const again = await desk.call('POST', `/webhooks/deliveries/${id}/resend`);
    expect([again.status, deliveryIn(again)['state'], deliveryIn(again)['resend_count']]).toEqual([
      200,
      'pending',
      1,
    ]);
    expect(await desk.ended(id)).toMatchObject({ state: 'delivered', last_status: 200 });
    const ids = new Set(desk.receiver.received.map((got) => got.headers['webhook-id']));
    expect([...ids]).toEqual([dead['event_id']]);
  });

  it('refuses to resend a delivery that is still being tried', async () => {
    const { delivery_id: id } = await desk.sendTest();
    const answer = await desk.call('POST', `/webhooks/deliveries/${id}/resend`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'DELIVERY_PENDING']);
  });

  it('filters and pages, newest first', async () => {
    const began = desk.api.clock.now();
    const first = await desk.sendTest();
    desk.api.clock.advance(60_000);
    const second = await desk.sendTest({ event_type: 'call_started' });
    const list = async (query: string): Promise<string[]> => {
      const answer = await desk.call('GET', `/webhooks/deliveries${query}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return (answer.body['deliveries'] as { delivery_id: string }[]).map((d) => d.delivery_id);
    };
    const [one, two] = [first['delivery_id'], second['delivery_id']] as string[];
    expect(await list('')).toEqual([two, one]);
    expect(await list('?event_type=call_started')).toEqual([two]);
    expect(await list(`?call_id=${first['call_id']}`)).toEqual([one]);
    expect(await list('?call_id=nonsense')).toEqual([]);
    expect(await list('?state=delivered')).toEqual([]);
    expect(await list('?state=pending')).toHaveLength(2);
    expect(await list(`?since=${new Date(began + 1).toISOString()}`)).toEqual([two]);
    const page = await desk.call('GET', '/webhooks/deliveries?limit=1');
    expect(page.body).toMatchObject({ limit: 1, offset: 0, count: 1, has_more: true });
    expect(await list('?limit=1&offset=1')).toEqual([one]);
    expect((await desk.call('GET', '/webhooks/deliveries?limit=201')).status).toBe(400);
    for (const query of ['state=due', 'since=yesterday', 'limit=0', 'offset=-1']) {
      expect([query, (await desk.call('GET', `/webhooks/deliveries?${query}`)).status]).toEqual([query, 422]);
    }
  });

  it('recovers deliveries that failed since a time, except test events', async () => {
    const at = new Date(desk.api.clock.now());
    const ids = await Promise.all(
      [0, 1, 2].map(async () => (await desk.sendTest())['delivery_id'] as string),
    );
    const url = (n: number): string => `${desk.receiver.url}/${n}`;
    for (const [n, id] of ids.entries()) {
      await desk.api.db
        .updateTable('deliveries')
        .set({ state: 'dead', is_test: n === 2, url: url(n), finished_at: new Date(at.getTime() + n * 1000) })
        .where('id', '=', id)
        .execute();
      await desk.api.db.deleteFrom('delivery_queue').where('id', '=', id).execute();
    }
    desk.api.clock.advance(10_000);
    const recover = async (body: object): Promise<unknown> =>
      (await desk.call('POST', '/webhooks/recover', body)).body['recovered_count'];
    expect(await recover({ since: at.toISOString(), callback_url: 'https://elsewhere.example/' })).toBe(0);
    expect(await recover({ since: new Date(at.getTime() + 1000).toISOString() })).toBe(1);
    expect(await recover({ since: at.toISOString() })).toBe(1);
    expect(await recover({ since: at.toISOString() })).toBe(0);
    desk.deliver();
    for (const id of ids.slice(0, 2)) expect(await desk.ended(id)).toMatchObject({ state: 'delivered' });
    for (const body of [{}, { since: 'x' }, { since: '2026-01-01', callback: 'y' }]) {
      expect((await desk.call('POST', '/webhooks/recover', body)).status).toBe(422);
    }
  });

  it('counts a failed test event as no failed delivery of the overview', async () => {
    const ids = await Promise.all([0, 1].map(async () => (await desk.sendTest())['delivery_id'] as string));
    for (const [n, id] of ids.entries()) {
      await desk.api.db
        .updateTable('deliveries')
        .set({ state: 'dead', is_test: n === 0, finished_at: new Date(desk.api.clock.now()) })
        .where('id', '=', id)
        .execute();
      await desk.api.db.deleteFrom('delivery_queue').where('id', '=', id).execute();
    }
    const overview = await desk.call('GET', '/workspace/overview');
    expect(overview.body['webhooks']).toEqual({ checked: 1, failed: 1, retrying: 0 });
  });

  it('resends nothing to an erased call’s own receiver', async () => {
    const { delivery_id: id } = await desk.sendTest();
    await desk.api.db
      .updateTable('deliveries')
      .set({
        state: 'dead',
        is_test: false,
        finished_at: new Date(desk.api.clock.now()),
        forget_address: true,
      })
      .where('id', '=', id as string)
      .execute();
    await desk.api.db
      .deleteFrom('delivery_queue')
      .where('id', '=', id as string)
      .execute();
    const before = (await desk.deliveryOf(id as string)).body;
    const answer = await desk.call('POST', `/webhooks/deliveries/${id}/resend`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'RECEIVER_FORGOTTEN']);
    const recovered = await desk.call('POST', '/webhooks/recover', { since: '2020-01-01' });
    expect(recovered.body['recovered_count']).toBe(0);
    const { request_id: _, ...after } = (await desk.deliveryOf(id as string)).body;
    expect(before).toMatchObject(after);
  });

  it('deletes finished deliveries after the retention time', async () => {
    const old = await desk.sendTest();
    desk.deliver();
    await desk.ended(old['delivery_id']);
    await desk.stopDelivering();
    const waiting = await desk.sendTest();
    desk.api.clock.advance(31 * 86_400_000);
    const young = await desk.sendTest();
    const pruner = deliveryLogPruner({
      db: desk.api.db,
      clock: desk.api.clock,
      log: silentLog,
      keepDays: 30,
    });
    pruner.start();
    await comesTrue(async () => ((await desk.deliveryOf(old['delivery_id'])).status === 404 ? true : null));
    await pruner.stop();
    // Pending deliveries are not pruned.
    expect((await desk.deliveryOf(waiting['delivery_id'])).status).toBe(200);
    expect((await desk.deliveryOf(young['delivery_id'])).status).toBe(200);
  });

  it('returns 404 for a delivery of another workspace', async () => {
    const { delivery_id: id } = await desk.sendTest();
    const paths: ['GET' | 'POST', (id: string) => string][] = [
      ['GET', (x) => `/webhooks/deliveries/${x}`],
      ['POST', (x) => `/webhooks/deliveries/${x}/resend`],
    ];
    for (const [method, path] of paths) {
      const unknown = await desk.call(method, path(newId()), undefined, desk.other.key);
      for (const wanted of [id, 'nonsense']) {
        const { request_id: _, ...body } = (await desk.call(method, path(wanted), undefined, desk.other.key))
          .body;
        const { request_id: __, ...expected } = unknown.body;
        expect([unknown.status, body]).toEqual([404, expected]);
      }
      expect((await desk.call(method, path(id), undefined, null)).status).toBe(401);
    }
    const list = await desk.call('GET', '/webhooks/deliveries', undefined, desk.other.key);
    expect(list.body['deliveries']).toEqual([]);
    const recovered = await desk.call('POST', '/webhooks/recover', { since: '2020-01-01' }, desk.other.key);
    expect(recovered.body['recovered_count']).toBe(0);
  });
});
