import type { Db } from '../store/database.ts';
import { notifyQueue } from '../store/queue.ts';

const PAUSE_MS = 100;

/**
 * Tells the dialers of other processes that there is something to dial: at once, and then one more for all that came in
 * the next tenth of a second. Each notice takes a lock that all of the database's notices share.
 */
export class QueueHint {
  readonly #db: Db;
  #pause: NodeJS.Timeout | null = null;
  #isAsked = false;

  constructor(db: Db) {
    this.#db = db;
  }

  give(): void {
    if (this.#pause !== null) {
      this.#isAsked = true;
      return;
    }
    // One that is lost costs a second: the queue is looked at then anyway.
    notifyQueue(this.#db).catch(() => undefined);
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (this.#isAsked) {
        this.#isAsked = false;
        this.give();
      }
    }, PAUSE_MS).unref();
  }
}
