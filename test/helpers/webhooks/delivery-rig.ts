import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { WebhookDeliverer, type DelivererOptions } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal, type Seal } from '../../../src/shared/seal.ts';
import type { ManualClock } from '../../../src/shared/clock.ts';
import type { Db } from '../../../src/store/database.ts';
import { insertEvent } from '../../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { mondayClock } from '../database/workspace.ts';

interface Received {
  path: string;
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A database, a clock that stands on a Monday, and a receiver whose answers a test chooses; all fresh for each test. */
export class DeliveryRig {
  readonly seal: Seal = createSeal('the seal of these tests');
  readonly workspaceId = newId();
  db!: Db;
  clock!: ManualClock;
  /** The receiver's address. */
  base!: string;
  received: Received[] = [];
  answer: (request: Received, response: ServerResponse) => void = (_, response) => response.end('{}');
  #database!: TestDatabase;
  #receiver!: Server;
  readonly #started: { stop(): Promise<void> }[] = [];

  /** Registers the hooks of the file. */
  constructor() {
    beforeAll(async () => {
      this.#database = await createTestDatabase();
      this.db = this.#database.db;
    });
    afterAll(() => this.#database.close());
    beforeEach(() => this.#renew());
    afterEach(async () => {
      for (const thing of this.#started.splice(0)) await thing.stop();
      this.#receiver.closeAllConnections();
      await new Promise((resolve) => this.#receiver.close(resolve));
    });
  }

  async #renew(): Promise<void> {
    await sql`truncate events, deliveries, delivery_queue, webhook_secrets, given_up_deliveries`.execute(
      this.db,
    );
    this.clock = mondayClock();
    this.received = [];
    this.answer = (_, response) => response.end('{}');
    this.#receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const seen = {
          path: request.url ?? '',
          method: request.method ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        this.received.push(seen);
        this.answer(seen, response);
      });
    });
    await new Promise<void>((resolve) => this.#receiver.listen(0, '127.0.0.1', resolve));
    this.base = `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}`;
  }

  /** Starts a deliverer, which the end of the test stops. */
  deliverer(more: Partial<DelivererOptions> = {}): WebhookDeliverer {
    const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
    const { db, clock, seal } = this;
    const worker = new WebhookDeliverer({ db, clock, log: silentLog, seal, fetcher, pollMs: 10, ...more });
    this.#started.push({
      stop: async () => {
        await worker.stop();
        await fetcher.close();
      },
    });
    worker.start();
    return worker;
  }

  /** Inserts an event with one delivery; returns the event's id. */
  async event(
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
    const { callId = newId(), type = 'call_completed', path = '/hook', url = this.base + path } = options;
    await this.db.transaction().execute((tx) =>
      insertEvent(
        tx,
        {
          workspaceId: this.workspaceId,
          callId,
          eventId,
          eventType: type,
          dedup: `${type}:${eventId}`,
          body: { event_type: type, event_id: eventId, name: 'Zoë' },
          at: new Date(this.clock.now()),
        },
        [
          {
            url,
            method: options.method ?? 'POST',
            headers: options.headers ?? {},
            ...(options.success === undefined ? {} : { success: options.success }),
          },
        ],
      ),
    );
    return eventId;
  }

  rows() {
    return this.db.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
  }

  async states(): Promise<string[]> {
    return (await this.rows()).map((row) => row.state);
  }

  async eventually(check: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 12_000; tries += 1) {
      if (await check()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('did not come true');
  }

  /** Waits until at least `count` attempts are stored. */
  attemptsDone(count: number): Promise<void> {
    return this.eventually(
      async () => (await this.rows()).reduce((sum, row) => sum + row.attempts.length, 0) >= count,
    );
  }
}
