import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signingSecrets } from '../../src/domain/webhooks/signing-secrets.ts';
import { WebhookDeliverer, type DelivererOptions } from '../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../src/net/safe-fetch.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createSeal } from '../../src/shared/seal.ts';
import type { ManualClock } from '../../src/shared/clock.ts';
import type { Db } from '../../src/store/database.ts';
import { takeDeliveries } from '../../src/store/webhooks/deliveries.ts';
import { insertEvent } from '../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { SELF_SIGNED } from '../helpers/self-signed.ts';
import { mondayClock, MONDAY } from '../helpers/world.ts';

interface Received {
  path: string;
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const seal = createSeal('the seal of these tests');

let database: TestDatabase;
let db: Db;
let clock: ManualClock;
let receiver: Server;
let base: string;
let received: Received[];
let answer: (request: Received, response: ServerResponse) => void;
const started: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate events, deliveries, delivery_queue, webhook_secrets`.execute(db);
  clock = mondayClock();
  received = [];
  answer = (_, response) => response.end('{}');
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = {
        path: request.url ?? '',
        method: request.method ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(seen);
      answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const thing of started.splice(0)) await thing.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

function deliverer(more: Partial<DelivererOptions> = {}): WebhookDeliverer {
  const fetcher = new SafeFetcher({ allow: ['127.0.0.1'] });
  const worker = new WebhookDeliverer({ db, clock, log: silentLog, seal, fetcher, pollMs: 10, ...more });
  started.push({
    stop: async () => {
      await worker.stop();
      await fetcher.close();
    },
  });
  worker.start();
  return worker;
}

const workspaceId = newId();

async function event(
  options: {
    callId?: string;
    path?: string;
    url?: string;
    type?: string;
    headers?: Record<string, string>;
    method?: string;
    success?: '2xx';
  } = {},
): Promise<string> {
  const eventId = newId();
  await db.transaction().execute((tx) =>
    insertEvent(
      tx,
      {
        workspaceId,
        callId: options.callId ?? newId(),
        eventId,
        eventType: options.type ?? 'call_completed',
        dedup: `${options.type ?? 'call_completed'}:${eventId}`,
        body: { event_type: options.type ?? 'call_completed', event_id: eventId, name: 'Zoë' },
        at: new Date(clock.now()),
      },
      [
        {
          url: options.url ?? base + (options.path ?? '/hook'),
          method: options.method ?? 'POST',
          headers: options.headers ?? {},
          ...(options.success === undefined ? {} : { success: options.success }),
        },
      ],
    ),
  );
  return eventId;
}

const rows = () => db.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
const states = async (): Promise<string[]> => (await rows()).map((row) => row.state);

async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('did not come true');
}

/** Waits until at least `count` attempts are stored. */
const attemptsDone = (count: number): Promise<void> =>
  eventually(async () => (await rows()).reduce((sum, row) => sum + row.attempts.length, 0) >= count);

describe('delivery', () => {
  it('sends subscribed events with their headers and a signature that the standard library verifies', async () => {
    await event({
      method: 'PUT',
      headers: {
        Authorization: 'Bearer abc',
        'X-Own': 'yes',
        Host: 'evil.example',
        'Content-Length': '1',
        'webhook-id': 'x',
      },
    });
    deliverer();
    await attemptsDone(1);
    expect(await states()).toEqual(['delivered']);
    const [got] = received;
    expect(got).toMatchObject({ method: 'PUT', path: '/hook' });
    expect(got?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-own': 'yes',
      'content-type': 'application/json',
      host: base.slice(7),
    });
    const [{ secret } = { secret: '' }] =
      (await signingSecrets({ db, clock, seal }, [workspaceId])).get(workspaceId) ?? [];
    // The library compares the timestamp with the real clock; the test clock stands in 2026.
    const standard = new Webhook(secret);
    const signed = standard.sign(String(got?.headers['webhook-id']), new Date(MONDAY), got?.body ?? '');
    expect(got?.headers['webhook-signature']).toBe(signed);
    expect(got?.headers['webhook-id']).toBe((JSON.parse(got?.body ?? '{}') as { event_id: string }).event_id);
    expect(got?.headers['webhook-timestamp']).toBe(String(MONDAY / 1000));
    // The body is byte-identical, keys in order.
    const expected = { event_type: 'call_completed', event_id: got?.headers['webhook-id'], name: 'Zoë' };
    expect(got?.body).toBe(JSON.stringify(expected));
  });

  it('retries 10 s, 60 s and 120 s after the previous attempt with the same ID, then gives up', async () => {
    answer = (_, response) => response.writeHead(500).end();
    const id = await event();
    deliverer();
    for (const [attempt, wait] of [10_000, 60_000, 120_000].entries()) {
      await attemptsDone(attempt + 1);
      expect((await rows())[0]?.due_at.getTime()).toBe(clock.now() + wait);
      clock.advance(wait - 1);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(received).toHaveLength(attempt + 1);
      clock.advance(1);
    }
    await attemptsDone(4);
    expect(await states()).toEqual(['dead']);
    clock.advance(86_400_000);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(received.map((got) => got.headers['webhook-id'])).toEqual([id, id, id, id]);
    expect(new Set(received.map((got) => got.headers['webhook-timestamp'])).size).toBe(4);
  });

  it('retries at the due time, not at the next poll', async () => {
    let status = 500;
    answer = (_, response) => response.writeHead(status).end();
    await event();
    const worker = deliverer({ pollMs: 60_000 });
    await attemptsDone(1);
    // Shortly before the due time: a poll woken now finds nothing yet.
    clock.advance(9700);
    status = 200;
    worker.kick();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received).toHaveLength(1);
    clock.advance(300);
    await eventually(async () => (await states()).join() === 'delivered');
    expect(received).toHaveLength(2);
  });

  it.each([201, 202, 204, 301, 302, 307, 400, 404, 410, 429, 500, 503])(
    'treats status %i as a failure',
    async (status) => {
      answer = (_, response) => response.writeHead(status, { location: `${base}/elsewhere` }).end();
      await event();
      deliverer();
      await attemptsDone(1);
      expect(await rows()).toMatchObject([{ state: 'due', attempt: 1, attempts: [{ attempt: 1, status }] }]);
      expect(received.map((got) => got.path)).toEqual(['/hook']);
    },
  );

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['answers nothing', () => undefined, 'timeout'],
    [
      'sends its body slowly',
      (response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
      'timeout',
    ],
    ['hangs up', (response) => response.destroy(), 'network'],
  ])('a receiver that %s fails within the time limit', async (_, behave, error) => {
    answer = (__, response) => behave(response);
    await event();
    deliverer({ timeoutMs: 250 });
    await attemptsDone(1);
    expect(await rows()).toMatchObject([{ state: 'due', attempts: [{ status: null, error }] }]);
  });

  it('reads at most 64 kB of a response', async () => {
    let sent = 0;
    answer = (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && sent < 1e9) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on('drain', more);
      more();
    };
    await event();
    deliverer();
    await attemptsDone(1);
    expect(await states()).toEqual(['delivered']);
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each([
    ['ftp://example.com/', 'invalid_url'],
    ['nonsense', 'invalid_url'],
    ['http://127.0.0.1:1/refused', 'refused'],
    ['http://no-such-host.invalid/', 'dns'],
  ])('records why %s could not be reached', async (url, error) => {
    await event({ url });
    deliverer({ timeoutMs: 5000 });
    await attemptsDone(1);
    expect(await rows()).toMatchObject([{ state: 'due', attempts: [{ status: null, error }] }]);
  });

  it.each(['http://10.0.0.1/x', 'http://[::1]:1/x', 'http://169.254.169.254/latest'])(
    'gives %s up after one attempt, and names SAFE_FETCH_ALLOW',
    async (url) => {
      const callId = newId();
      await event({ callId, url, type: 'call_started' });
      await event({ callId, url, type: 'call_completed' });
      deliverer({ timeoutMs: 5000 });
      await attemptsDone(2);
      const detail = 'an inner address that SAFE_FETCH_ALLOW does not list';
      const blocked = { state: 'dead', attempts: [{ attempt: 1, status: null, error: 'blocked', detail }] };
      expect(await rows()).toMatchObject([blocked, blocked]);
    },
  );

  it('counts 201 as success for a receiver of 2xx, and for no other', async () => {
    answer = (_, response) => response.writeHead(201).end();
    await event({ path: '/any', success: '2xx' });
    await event({ path: '/exact' });
    deliverer();
    await attemptsDone(2);
    expect((await rows()).map(({ url, state }) => [new URL(url).pathname, state])).toEqual([
      ['/any', 'delivered'],
      ['/exact', 'due'],
    ]);
  });

  it('records a header that cannot be sent as a failed attempt', async () => {
    await event({ headers: { 'x-bad': 'a\r\nb: c' } });
    deliverer();
    await attemptsDone(1);
    expect(await rows()).toMatchObject([{ state: 'due', attempts: [{ error: 'invalid_request' }] }]);
    expect(received).toEqual([]);
  });

  it('sends the events of one call to one receiver in order, retries included', async () => {
    const callId = newId();
    const status = { first: 500 };
    answer = (got, response) =>
      response
        .writeHead(
          (JSON.parse(got.body) as { event_type: string }).event_type === 'call_started' ? status.first : 200,
        )
        .end();
    for (const type of ['call_started', 'call_ongoing', 'call_completed']) await event({ callId, type });
    await event({ type: 'call_started', path: '/other' });
    deliverer();
    await attemptsDone(2);
    expect(await states()).toEqual(['due', 'due', 'due', 'due']);
    for (const wait of [10_000, 60_000, 120_000]) {
      const before = received.length;
      clock.advance(wait);
      await eventually(() => received.length >= before + 2);
      await attemptsDone(received.length);
      if (wait === 60_000) status.first = 200;
    }
    await eventually(async () => (await states()).every((state) => state === 'delivered'));
    const ofCall = received
      .filter((got) => got.path === '/hook')
      .map((got) => JSON.parse(got.body) as { event_type: string });
    expect(ofCall.map((body) => body.event_type).slice(-3)).toEqual([
      'call_started',
      'call_ongoing',
      'call_completed',
    ]);
  });

  it('sends the next event once an earlier one is given up', async () => {
    const callId = newId();
    await event({ callId, type: 'call_started', path: '/hook' });
    await event({ callId, type: 'call_completed', path: '/hook' });
    await sql`update delivery_queue set attempt = 4 where event_seq = (select min(event_seq) from delivery_queue)`.execute(
      db,
    );
    deliverer();
    await eventually(async () => (await states()).join() === 'dead,delivered');
    expect((await rows())[0]?.attempts).toMatchObject([{ error: 'interrupted' }]);
  });

  it('repeats the same attempt after its sender crashed', async () => {
    await event();
    const now = new Date(MONDAY);
    const take = (at: Date) =>
      takeDeliveries(db, {
        now: at,
        leaseUntil: new Date(at.getTime() + 45_000),
        limit: 10,
        newReceivers: { quotaEach: 5, stalled: [] },
        quotas: [],
      });
    expect(await take(now)).toMatchObject([{ attempt: 1 }]);
    expect(await take(new Date(MONDAY + 44_999))).toEqual([]);
    clock.advance(45_000);
    deliverer();
    await attemptsDone(1);
    expect(await rows()).toMatchObject([
      { state: 'delivered', attempt: 1, attempts: [{ attempt: 1, status: 200 }] },
    ]);
  });

  it('gives up an event during which every sender crashes', async () => {
    await event();
    const attempts: number[] = [];
    for (let deaths = 0; deaths < 9; deaths += 1) {
      const now = new Date(clock.now());
      const leaseUntil = new Date(now.getTime() + 45_000);
      const taken = await takeDeliveries(db, {
        now,
        leaseUntil,
        limit: 10,
        newReceivers: { quotaEach: 5, stalled: [] },
        quotas: [],
      });
      attempts.push(...taken.map(({ attempt }) => attempt));
      clock.advance(45_000);
    }
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 2, 3, 4]);
    deliverer();
    await attemptsDone(1);
    expect(await rows()).toMatchObject([{ state: 'dead', attempts: [{ attempt: 4, error: 'interrupted' }] }]);
    expect(received).toEqual([]);
  });

  it('two deliverers never send the same event', async () => {
    for (let n = 0; n < 60; n += 1) await event({ path: `/${n}` });
    deliverer();
    deliverer();
    await eventually(async () => (await states()).every((state) => state === 'delivered'));
    expect(received).toHaveLength(60);
    expect(new Set(received.map((got) => got.path)).size).toBe(60);
  });

  it('refuses a self-signed certificate', async () => {
    const { cert, key } = SELF_SIGNED;
    const secure = createTlsServer({ cert, key }, (_, response) => response.end());
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    await event({ url: `https://127.0.0.1:${(secure.address() as AddressInfo).port}/` });
    deliverer();
    await attemptsDone(1);
    expect(await rows()).toMatchObject([{ state: 'due', attempts: [{ error: 'tls' }] }]);
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });
});
