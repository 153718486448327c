import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VOICE_EVENTS } from '../../src/domain/agents/edit/edit-event-subscriptions.ts';
import { signingSecrets } from '../../src/domain/webhooks/signing-secrets.ts';
import { schemaDocument, WEBHOOK_EVENTS } from '../../src/http/schemas/webhook-events.ts';
import { WebhookDeliverer } from '../../src/jobs/deliver-webhooks.ts';
import { deliveryLogPruner } from '../../src/jobs/prune-deliveries.ts';
import { SafeFetcher } from '../../src/jobs/safe-fetch.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createSeal } from '../../src/shared/seal.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';
import { eventProblems } from '../helpers/event-schemas.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

const seal = createSeal('the seal of the webhooks API tests');
let api: TestApi;
let tenant: Tenant;
let other: Tenant;
let receiver: WebhookReceiver;
let status = 200;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  api = await createTestApi({ seal });
  receiver = await startWebhookReceiver(() => status);
});
afterAll(async () => {
  await receiver.close();
  await api.close();
});
beforeEach(async () => {
  tenant = await createTenant(api);
  other = await createTenant(api);
  status = 200;
  receiver.received.length = 0;
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

const call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
  key: string | null = tenant.key,
): Promise<Answer> => api.request(method, `/api/v0${path}`, { key, ...(body === undefined ? {} : { body }) });

function deliver(): WebhookDeliverer {
  const fetcher = new SafeFetcher({ allow: ['127.0.0.1'] });
  const worker = new WebhookDeliverer({
    db: api.db,
    clock: api.clock,
    log: silentLog,
    seal,
    fetcher,
    pollMs: 10,
  });
  running.push({
    stop: async () => {
      await worker.stop();
      await fetcher.close();
    },
  });
  worker.start();
  return worker;
}

async function eventually<T>(probe: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const found = await probe();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('did not come true');
}
const entry = (answer: Answer) => answer.body['delivery'] as Record<string, any>;
const deliveryOf = (id: string): Promise<Answer> => call('GET', `/webhooks/deliveries/${id}`);
const ended = (id: string) =>
  eventually(async () => {
    const found = entry(await deliveryOf(id));
    return found['state'] === 'pending' ? null : found;
  });
const sendTest = async (more: object = {}): Promise<Record<string, any>> => {
  const answer = await call('POST', '/webhooks/test', {
    event_type: 'call_completed',
    callback_url: receiver.url,
    ...more,
  });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return entry(answer);
};
/** Lets a delivery fail four times. */
async function die(id: string): Promise<void> {
  const attempts = async (n: number): Promise<true | null> =>
    entry(await deliveryOf(id))['attempt_count'] >= n ? true : null;
  for (const [n, wait] of [10_000, 60_000, 120_000].entries()) {
    await eventually(() => attempts(n + 1));
    api.clock.advance(wait);
  }
  await eventually(() => attempts(4));
}

describe('the signing secret', () => {
  it('is made once per workspace, sealed at rest, and rotates with an overlap in which both sign', async () => {
    const first = await call('GET', '/webhooks/signing-secret');
    expect(first.body).toMatchObject({ secret: expect.stringMatching(/^whsec_/), retiring: [] });
    expect((await call('GET', '/webhooks/signing-secret')).body).toEqual(first.body);
    const foreign = await call('GET', '/webhooks/signing-secret', undefined, other.key);
    expect(foreign.body['secret']).not.toBe(first.body['secret']);
    const stored = await api.db.selectFrom('webhook_secrets').select('secret').execute();
    for (const row of stored) expect(row.secret).toMatch(/^sealed:v1:/);

    const second = await call('POST', '/webhooks/signing-secret/rotate', { overlap_hours: 2 });
    expect(second.body['retiring']).toEqual([
      {
        created_at: first.body['created_at'],
        retires_at: new Date(api.clock.now() + 2 * 3_600_000).toISOString(),
      },
    ]);
    deliver();
    const verifies = (secret: unknown): boolean => {
      const got = receiver.received.at(-1);
      if (got === undefined) return false;
      // The library checks the time against the real clock; ours stands still.
      const signed = new Webhook(String(secret)).sign(
        String(got.headers['webhook-id']),
        new Date(Number(got.headers['webhook-timestamp']) * 1000),
        got.raw,
      );
      return String(got.headers['webhook-signature']).split(' ').includes(signed);
    };
    await ended((await sendTest())['delivery_id']);
    expect([verifies(first.body['secret']), verifies(second.body['secret'])]).toEqual([true, true]);
    api.clock.advance(2 * 3_600_000);
    await ended((await sendTest())['delivery_id']);
    expect([verifies(first.body['secret']), verifies(second.body['secret'])]).toEqual([false, true]);

    const third = await call('POST', '/webhooks/signing-secret/rotate', { overlap_hours: 0 });
    expect(third.body['retiring']).toEqual([]);
    await ended((await sendTest())['delivery_id']);
    expect([verifies(second.body['secret']), verifies(third.body['secret'])]).toEqual([false, true]);
  });

  it('refuses overlaps out of range, and rotations at once all hold', async () => {
    for (const overlap_hours of [-1, 169, '2', null]) {
      const answer = await call('POST', '/webhooks/signing-secret/rotate', { overlap_hours });
      expect(answer.status).toBe(422);
      expect(answer.body['message']).toContain('overlap_hours');
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '/webhooks/signing-secret/rotate', { overlap_hours: 1 })),
    );
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    const secrets = await signingSecrets({ db: api.db, clock: api.clock, seal }, [tenant.workspaceId]);
    expect(secrets.get(tenant.workspaceId)).toHaveLength(8);
  });

  it('of the installation becomes that of its workspaces, and is sealed when first read', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await api.db
      .insertInto('webhook_secrets')
      .values({
        workspace_id: tenant.workspaceId,
        id: newId(),
        secret,
        created_at: new Date(api.clock.now()),
      })
      .execute();
    expect((await call('GET', '/webhooks/signing-secret')).body['secret']).toBe(secret);
    const [row] = await api.db
      .selectFrom('webhook_secrets')
      .select('secret')
      .where('workspace_id', '=', tenant.workspaceId)
      .execute();
    expect(row?.secret).toMatch(/^sealed:v1:/);
    expect((await call('GET', '/webhooks/signing-secret')).body['secret']).toBe(secret);
  });
});

describe("receivers' secret headers", () => {
  it('are sealed at rest, sent as set, masked on read and kept when the mask comes back', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const subscription = {
      event_type: ['call_completed'],
      callback_url: receiver.url,
      method_type: 'PUT',
      headers: { Authorization: 'Bearer canary-4711', 'X-Plain': 'visible' },
    };
    const edit = (event_subscriptions: unknown[]): Promise<Answer> =>
      call('PATCH', '/agent/v1', {
        operation: 'edit_event_subscriptions',
        agent_id: agentId,
        event_subscriptions,
      });
    expect((await edit([subscription])).status).toBe(200);
    const read = async (): Promise<any> => {
      const { agents } = (await call('GET', `/agent/${agentId}`)).body as { agents: any };
      return agents.version_details[agents.active_agent_version_id].event_subscriptions;
    };
    const shown = await read();
    expect(shown[0].headers).toEqual({ Authorization: 'Bear***', 'X-Plain': 'visible' });
    expect((await edit(shown)).status).toBe(200);
    const sent = entry(
      await call('POST', '/webhooks/test', { agent_id: agentId, event_type: 'call_completed' }),
    );
    deliver();
    await ended(sent['delivery_id']);
    expect(receiver.received[0]).toMatchObject({
      method: 'PUT',
      headers: { authorization: 'Bearer canary-4711', 'x-plain': 'visible' },
    });
    const detail = entry(await deliveryOf(sent['delivery_id']));
    expect(detail['request'].headers).toEqual({ Authorization: 'Bear***', 'X-Plain': 'visible' });
    for (const table of ['agent_versions', 'deliveries', 'events']) {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
        api.db,
      );
      expect(rows.map((row) => row.text).join('\n')).not.toContain('canary');
    }
  });
});

describe('the delivery log', () => {
  it('shows request, answers and timing of a delivery that is tried again, then sends it once more', async () => {
    status = 503;
    const { delivery_id: id } = await sendTest();
    deliver();
    await die(id);
    const dead = entry(await deliveryOf(id));
    expect(dead).toMatchObject({
      state: 'failed',
      event_type: 'call_completed',
      callback_url: receiver.url,
      method_type: 'POST',
      attempt_count: 4,
      last_status: 503,
      last_error: null,
      next_attempt_at: null,
      resend_count: 0,
      is_test: true,
      request: { method: 'POST', url: receiver.url, body: { test: true, event_type: 'call_completed' } },
    });
    expect(dead['attempts'].map((a: any) => [a.attempt, a.status, a.body, a.error])).toEqual(
      [1, 2, 3, 4].map((n) => [n, 503, null, null]),
    );
    status = 200;
    const again = await call('POST', `/webhooks/deliveries/${id}/resend`);
    expect([again.status, entry(again)['state'], entry(again)['resend_count']]).toEqual([200, 'pending', 1]);
    expect(await ended(id)).toMatchObject({ state: 'delivered', last_status: 200 });
    const ids = new Set(receiver.received.map((got) => got.headers['webhook-id']));
    expect([...ids]).toEqual([dead['event_id']]);
  });

  it('refuses to send again what is still tried', async () => {
    const { delivery_id: id } = await sendTest();
    const answer = await call('POST', `/webhooks/deliveries/${id}/resend`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'DELIVERY_PENDING']);
  });

  it('is filtered and paged, newest first', async () => {
    const began = api.clock.now();
    const first = await sendTest();
    api.clock.advance(60_000);
    const second = await sendTest({ event_type: 'call_started' });
    const list = async (query: string): Promise<string[]> => {
      const answer = await call('GET', `/webhooks/deliveries${query}`);
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
    const page = await call('GET', '/webhooks/deliveries?limit=1');
    expect(page.body).toMatchObject({ limit: 1, offset: 0, count: 1, has_more: true });
    expect(await list('?limit=1&offset=1')).toEqual([one]);
    expect((await call('GET', '/webhooks/deliveries?limit=201')).status).toBe(400);
    for (const query of ['state=due', 'since=yesterday', 'limit=0', 'offset=-1']) {
      expect([query, (await call('GET', `/webhooks/deliveries?${query}`)).status]).toEqual([query, 422]);
    }
  });

  it('recovers what failed since a time, test events aside', async () => {
    const at = new Date(api.clock.now());
    const ids = await Promise.all([0, 1, 2].map(async () => (await sendTest())['delivery_id'] as string));
    const url = (n: number): string => `${receiver.url}/${n}`;
    for (const [n, id] of ids.entries()) {
      await api.db
        .updateTable('deliveries')
        .set({ state: 'dead', is_test: n === 2, url: url(n), finished_at: new Date(at.getTime() + n * 1000) })
        .where('id', '=', id)
        .execute();
      await api.db.deleteFrom('delivery_queue').where('id', '=', id).execute();
    }
    api.clock.advance(10_000);
    const recover = async (body: object): Promise<unknown> =>
      (await call('POST', '/webhooks/recover', body)).body['recovered_count'];
    expect(await recover({ since: at.toISOString(), callback_url: 'https://elsewhere.example/' })).toBe(0);
    expect(await recover({ since: new Date(at.getTime() + 1000).toISOString() })).toBe(1);
    expect(await recover({ since: at.toISOString() })).toBe(1);
    expect(await recover({ since: at.toISOString() })).toBe(0);
    deliver();
    for (const id of ids.slice(0, 2)) expect(await ended(id)).toMatchObject({ state: 'delivered' });
    for (const body of [{}, { since: 'x' }, { since: '2026-01-01', callback: 'y' }]) {
      expect((await call('POST', '/webhooks/recover', body)).status).toBe(422);
    }
  });

  it('sends nothing again to the receiver of a call that was erased', async () => {
    const { delivery_id: id } = await sendTest();
    await api.db
      .updateTable('deliveries')
      .set({ state: 'dead', is_test: false, finished_at: new Date(api.clock.now()), forget_address: true })
      .where('id', '=', id as string)
      .execute();
    await api.db
      .deleteFrom('delivery_queue')
      .where('id', '=', id as string)
      .execute();
    const before = (await deliveryOf(id as string)).body;
    const answer = await call('POST', `/webhooks/deliveries/${id}/resend`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'RECEIVER_FORGOTTEN']);
    const recovered = await call('POST', '/webhooks/recover', { since: '2020-01-01' });
    expect(recovered.body['recovered_count']).toBe(0);
    const { request_id: _, ...after } = (await deliveryOf(id as string)).body;
    expect(before).toMatchObject(after);
  });

  it('forgets what ended before its days', async () => {
    const old = await sendTest();
    deliver();
    await ended(old['delivery_id']);
    for (const each of running.splice(0)) await each.stop();
    const waiting = await sendTest();
    api.clock.advance(31 * 86_400_000);
    const young = await sendTest();
    const pruner = deliveryLogPruner({ db: api.db, clock: api.clock, log: silentLog, keepDays: 30 });
    pruner.start();
    await eventually(async () => ((await deliveryOf(old['delivery_id'])).status === 404 ? true : null));
    await pruner.stop();
    // What is still to be sent is not a matter of the log.
    expect((await deliveryOf(waiting['delivery_id'])).status).toBe(200);
    expect((await deliveryOf(young['delivery_id'])).status).toBe(200);
  });

  it('answers for deliveries of others as for none', async () => {
    const { delivery_id: id } = await sendTest();
    const paths: ['GET' | 'POST', (id: string) => string][] = [
      ['GET', (x) => `/webhooks/deliveries/${x}`],
      ['POST', (x) => `/webhooks/deliveries/${x}/resend`],
    ];
    for (const [method, path] of paths) {
      const unknown = await call(method, path(newId()), undefined, other.key);
      for (const wanted of [id, 'nonsense']) {
        const { request_id: _, ...body } = (await call(method, path(wanted), undefined, other.key)).body;
        const { request_id: __, ...expected } = unknown.body;
        expect([unknown.status, body]).toEqual([404, expected]);
      }
      expect((await call(method, path(id), undefined, null)).status).toBe(401);
    }
    const list = await call('GET', '/webhooks/deliveries', undefined, other.key);
    expect(list.body['deliveries']).toEqual([]);
    const recovered = await call('POST', '/webhooks/recover', { since: '2020-01-01' }, other.key);
    expect(recovered.body['recovered_count']).toBe(0);
  });
});

describe('test events', () => {
  it.each(VOICE_EVENTS)('%s is what its schema says, and marked', async (event_type) => {
    deliver();
    const sent = await sendTest({ event_type });
    await ended(sent['delivery_id']);
    const { body } = receiver.received.find((got) => got.headers['webhook-id'] === sent['event_id'])!;
    expect(body).toMatchObject({ event_type, test: true });
    expect(eventProblems(body)).toEqual([]);
  });

  it('go where the agent subscribes, and nowhere else', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    const test = (body: object, key = tenant.key): Promise<Answer> =>
      call('POST', '/webhooks/test', body, key);
    const event = { event_type: 'call_started', agent_id: agentId };
    expect((await test(event)).body['code']).toBe('EVENT_NOT_SUBSCRIBED');
    const unknown = await test({ ...event, agent_id: newId() });
    const foreign = await test(event, other.key);
    expect([foreign.status, foreign.body['message']]).toEqual([404, unknown.body['message']]);
    for (const [body, field] of [
      [{ event_type: 'call_started' }, 'body'],
      [{ ...event, callback_url: receiver.url }, 'body'],
      [{ ...event, headers: {} }, 'headers'],
      [{ event_type: 'chat_completed', callback_url: receiver.url }, 'event_type'],
      [{ event_type: 'call_started', callback_url: 'ftp://x' }, 'callback_url'],
      [{ event_type: 'call_started', callback_url: receiver.url, headers: { Host: 'x' } }, 'headers.Host'],
      [{ event_type: 'call_started', callback_url: receiver.url, typo: 1 }, 'typo'],
    ] as const) {
      const answer = await test(body);
      expect([answer.status, String(answer.body['message'])]).toEqual([422, expect.stringContaining(field)]);
    }
  });

  it('are sent once per Idempotency-Key', async () => {
    const body = { event_type: 'call_started', callback_url: receiver.url };
    const send = (): Promise<Answer> =>
      api.request('POST', '/api/v0/webhooks/test', {
        key: tenant.key,
        body,
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });
});

describe('event schemas', () => {
  it('name what is missing, forged or misspelt', () => {
    expect(eventProblems({ event_type: 'call_started' })).not.toEqual([]);
    expect(eventProblems({ event_type: 'unknown' })).toEqual(['no schema for unknown']);
    for (const schema of Object.values(WEBHOOK_EVENTS)) {
      expect(JSON.stringify(schemaDocument(schema))).not.toContain('x-rule');
    }
  });
});
