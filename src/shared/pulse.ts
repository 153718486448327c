import { afterAligned } from './aligned.ts';

export interface PulseOptions {
  /** Sends a ping, which the other thread answers. */
  readonly ping: () => void;
  readonly pingMs: number;
  /** While `isIdle` and every ping is answered, the pulse pings at this longer interval. */
  readonly idle?: { readonly isIdle: () => boolean; readonly pingMs: number };
  /** Unanswered pings in a row after which the thread counts as hung. */
  readonly limit: number;
  /** Called at this many unanswered pings in a row, once for each row of them. */
  readonly late?: { readonly after: number; readonly onLate: () => void };
  /** Called once; the pulse has stopped. */
  readonly onHung: () => void;
}

/**
 * Watches another thread by pings. It counts pings, not time: after a stall of its own thread, or of the whole process,
 * the waiting answers arrive before the next pings count against the other thread.
 */
export class Pulse {
  readonly #options: PulseOptions;
  #unanswered = 0;
  #isIdle = false;
  /** Ends the wait for the next ping; null: it does not ping. */
  #cancel: (() => void) | null = null;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#cancel === null) this.#wait();
  }

  /** The thread is not idle any more: the next ping follows at the usual interval. */
  hasten(): void {
    if (this.#cancel === null || !this.#isIdle) return;
    this.#wait();
  }

  /** The other thread answered. */
  answered(): void {
    this.#unanswered = 0;
    // The next ping was to follow soon, in case this answer did not come.
    if (this.#cancel !== null && !this.#isIdle && this.#options.idle?.isIdle() === true) this.#wait();
  }

  /** The idle thread sent something by itself: the next ping waits its whole interval. */
  heard(): void {
    if (this.#cancel !== null && this.#isIdle) this.#wait();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #wait(): void {
    const { idle, pingMs } = this.#options;
    this.#cancel?.();
    this.#isIdle = this.#unanswered === 0 && idle?.isIdle() === true;
    const beat = (): void => this.#beat();
    if (this.#isIdle) {
      this.#cancel = afterAligned(idle?.pingMs ?? pingMs, beat);
      return;
    }
    const timer = setTimeout(beat, pingMs).unref();
    this.#cancel = () => clearTimeout(timer);
  }

  #beat(): void {
    if (this.#unanswered >= this.#options.limit) {
      this.stop();
      this.#options.onHung();
      return;
    }
    const { late } = this.#options;
    if (late !== undefined && this.#unanswered === late.after) late.onLate();
    // It may have stopped the pulse.
    if (this.#cancel === null) return;
    this.#unanswered += 1;
    this.#options.ping();
    this.#wait();
  }
}
