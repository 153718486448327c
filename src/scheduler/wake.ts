import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { notifyQueue } from '../store/scheduler/hints.ts';
import { QueueListener } from '../store/scheduler/queue-listener.ts';

/** Least time between two notifications: every NOTIFY takes a lock that all notifications of the database share. */
const NOTIFY_PAUSE_MS = 100;

/**
 * The one way to wake a scheduler after a call became due. A process that claims calls wakes its own loop; any other
 * notifies the processes that do. A lost wake costs at most the loop's poll interval.
 */
export class SchedulerWake {
  readonly #db: Db;
  readonly #log: Log;
  #kickLoop: (() => void) | null = null;
  #listener: QueueListener | null = null;
  #pause: NodeJS.Timeout | null = null;
  #isPending = false;

  constructor(deps: { readonly db: Db; readonly log: Log }) {
    this.#db = deps.db;
    this.#log = deps.log;
  }

  /** A call may be due. Bound, so that it can be passed on as a function. */
  readonly wake = (): void => {
    if (this.#kickLoop === null) this.#notifyPaced();
    else this.#kickLoop();
  };

  /** Wakes the loop of this process from now on. */
  attach(kickLoop: () => void): void {
    this.#kickLoop = kickLoop;
  }

  /** Notifies every process at once, for due calls and for hangup requests alike. */
  async notify(): Promise<void> {
    await notifyQueue(this.#db).catch(() => undefined);
  }

  /** Wakes this process's loop on every notification too, and calls `onNotified`. While the connection is down polling alone works. */
  listen(url: string, onNotified: () => void = () => undefined): void {
    this.#listener = new QueueListener(url, this.#log, () => {
      this.#kickLoop?.();
      onNotified();
    });
  }

  async close(): Promise<void> {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    await this.#listener?.close();
    this.#listener = null;
  }

  /** Leading and trailing edge: the first wake notifies at once, all further ones of the pause together at its end. */
  #notifyPaced(): void {
    if (this.#pause !== null) {
      this.#isPending = true;
      return;
    }
    void this.notify();
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (!this.#isPending) return;
      this.#isPending = false;
      this.#notifyPaced();
    }, NOTIFY_PAUSE_MS).unref();
  }
}
