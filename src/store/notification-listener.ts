import { Client } from 'pg';
import type { Log } from '../shared/log.ts';

const RECONNECT_MS = 2000;

export interface ListenerOptions {
  readonly url: string;
  readonly log: Log;
  /** What each channel's payloads go to. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** The connection listens, at first or again after a loss. */
  readonly onListening?: () => void;
  /** The connection listens no more; it will be opened again. */
  readonly onLost?: () => void;
}

/** Listens for the notifications of other processes on a connection of its own, which it opens again after a loss. */
export class NotificationListener {
  readonly #options: ListenerOptions;
  #client: Client | null = null;
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => undefined);
    this.#client = null;
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return;
    const { url, log, channels, onListening, onLost } = this.#options;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
    client.once('end', () => {
      if (this.#client === client) {
        this.#client = null;
        if (!this.#isClosed) onLost?.();
      }
      if (!this.#isClosed) setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
    });
    client.on('error', (error) => {
      log.warn({ err: error }, 'notification connection lost');
    });
    client.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));
    try {
      await client.connect();
      for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`);
      if (this.#isClosed) return await client.end();
      this.#client = client;
      onListening?.();
    } catch (error) {
      log.warn({ err: error }, 'notification connection failed');
      await client.end().catch(() => undefined);
    }
  }
}
