import { Client } from 'pg';
import type { Log } from '../../shared/log.ts';
import { QUEUE_CHANNEL } from './hints.ts';

const RECONNECT_MS = 2000;

/** Listens for the scheduler's wakes and for the orders of other processes on a connection of its own, which it opens again after a loss. */
export class QueueListener {
  readonly #url: string;
  readonly #log: Log;
  readonly #onNotified: (payload: string) => void;
  #client: Client | null = null;
  #isClosed = false;

  constructor(url: string, log: Log, onNotified: (payload: string) => void) {
    this.#url = url;
    this.#log = log;
    this.#onNotified = onNotified;
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => undefined);
    this.#client = null;
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return;
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client.once('end', () => {
      if (this.#client === client) this.#client = null;
      if (!this.#isClosed) setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
    });
    client.on('error', (error) => {
      this.#log.warn({ err: error }, 'notification connection lost');
    });
    client.on('notification', ({ payload = '' }) => this.#onNotified(payload));
    try {
      await client.connect();
      await client.query(`listen ${QUEUE_CHANNEL}`);
      if (this.#isClosed) await client.end();
      else this.#client = client;
    } catch (error) {
      this.#log.warn({ err: error }, 'notification connection failed');
      await client.end().catch(() => undefined);
    }
  }
}
