import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebhookDeliverer, type DelivererOptions } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { queueEvents } from '../../helpers/database/queued-events.ts';
import { eventually } from '../../helpers/service/service.ts';

let database: TestDatabase;
const started: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => sql`truncate events, deliveries, delivery_queue`.execute(database.db));
afterEach(async () => {
  for (const thing of started.splice(0)) await thing.stop();
});

async function listen(respond: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => respond(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  started.push({
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return (server.address() as AddressInfo).port;
}

/** Queues one event per URL. */
async function send(workspaceId: string, urls: readonly string[]): Promise<void> {
  const at = new Date();
  for (const [url, its] of Map.groupBy(urls, (each) => each)) {
    await queueEvents(database.db, workspaceId, its.map(newId), { at, url });
  }
}

/** Resolves every name to loopback. */
const lookup: NonNullable<ConstructorParameters<typeof SafeFetcher>[0]['lookup']> = (_host, _options, done) =>
  setImmediate(() => done(null, [{ address: '127.0.0.1', family: 4 }]));

function deliverer(more: Partial<DelivererOptions>): WebhookDeliverer {
  const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks', lookup });
  const seal = createSeal('the seal of these tests');
  const options = { db: database.db, clock: systemClock, log: silentLog, seal, fetcher, ...more };
  const worker = new WebhookDeliverer(options);
  started.unshift({
    stop: async () => {
      await worker.stop(0);
      await fetcher.close();
    },
  });
  worker.start();
  return worker;
}

describe('hanging receivers', () => {
  it('of one workspace on many hosts do not delay another workspace', async () => {
    let hanging = 0;
    let ended = 0;
    const hole = await listen((request) => {
      hanging += 1;
      request.socket.once('close', () => (ended += 1));
    });
    let endedBefore: number | null = null;
    const good = await listen((_, response) => {
      endedBefore = ended;
      response.end();
    });
    await send(
      newId(),
      Array.from({ length: 150 }, (_, n) => `http://h${n}.test:${hole}/`),
    );
    const worker = deliverer({ timeoutMs: 60_000, parallel: 64, slow: 64 });
    await eventually('many requests to hang', () => Promise.resolve(hanging >= 64 || null));
    // Give further requests time to start.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await send(newId(), [`http://good.test:${good}/`]);
    worker.kick();
    await eventually('the event for the live receiver', () => Promise.resolve(endedBefore !== null || null));
    // It waited for none of the requests that hang.
    expect(endedBefore).toBe(0);
  });

  it('at one address of a host do not delay another address of that host', async () => {
    let hanging = 0;
    let ended = 0;
    let endedBefore: number | null = null;
    const port = await listen((request, response) => {
      if (request.url === '/hangs') {
        hanging += 1;
        request.socket.once('close', () => (ended += 1));
        return;
      }
      endedBefore = ended;
      response.end();
    });
    const workspaceId = newId();
    await send(workspaceId, Array<string>(8).fill(`http://hooks.test:${port}/hangs`));
    const worker = deliverer({ timeoutMs: 60_000 });
    await eventually('requests to hang', () => Promise.resolve(hanging > 0 || null));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await send(workspaceId, [`http://hooks.test:${port}/good`]);
    worker.kick();
    await eventually('the event for the live receiver', () => Promise.resolve(endedBefore !== null || null));
    // It waited for none of the requests that hang.
    expect(endedBefore).toBe(0);
    // The hanging address got no more than its window.
    await expect.poll(() => hanging).toBe(4);
  });

  it('with two hundred events delay no other receiver', async () => {
    const hole = await listen(() => undefined);
    let arrived = 0;
    const good = await listen((_, response) => {
      arrived += 1;
      response.end('{}');
    });
    const workspaceId = newId();
    await send(workspaceId, Array<string>(200).fill(`http://127.0.0.1:${hole}/`));
    await send(workspaceId, [`http://127.0.0.1:${good}/hook`]);
    deliverer({ timeoutMs: 60_000, parallel: 16, perReceiver: 4 });
    await eventually('the event for the live receiver', () => Promise.resolve(arrived > 0 || null));
    // The event was delivered while the first requests to the dead receiver were still open.
    const rows = await database.db.selectFrom('deliveries').selectAll().execute();
    expect(rows.filter((row) => row.attempts.length > 0 && row.state !== 'delivered')).toEqual([]);
    expect(arrived).toBe(1);
  });
});

describe('live receivers', () => {
  it('with more due events than one poll takes do not starve a new receiver', async () => {
    const hosts: string[] = [];
    const port = await listen((request, response) => {
      hosts.push(request.headers.host?.split(':')[0] ?? '');
      response.end();
    });
    const workspaceId = newId();
    await send(workspaceId, Array<string>(40).fill(`http://busy.test:${port}/`));
    await send(workspaceId, [`http://new.test:${port}/`]);
    // The poll interval is too long to find it.
    deliverer({ pollMs: 600_000, parallel: 4, perReceiver: 4 });
    await eventually('all events to arrive', () => Promise.resolve(hosts.length >= 41 || null));
    expect(Map.groupBy(hosts, (host) => host).get('new.test')).toHaveLength(1);
  });
});
