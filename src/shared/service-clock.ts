import type { Clock } from './clock.ts';

/** From the start of this thread's `performance.now()` back to that of the host's monotonic clock, ms. */
const THREAD_START = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** How fast the time may run faster or slower than the monotonic clock while it approaches the reference. */
export const MAX_SLEW = 0.1;

/**
 * The time of the service: the host's monotonic clock plus an offset that `follow` adapts to the database's clock. A step of
 * the host's wall clock therefore changes nothing, and processes on hosts with different clocks agree. A step of the
 * database's clock is followed slowly, so that no lease ends much early or late. All threads of a process share the
 * offset.
 */
export class ServiceClock implements Clock {
  /** In ms: service time minus the host's monotonic clock, and how far the reference is ahead; then 1 for the wall clock. */
  readonly offset: SharedArrayBuffer;
  readonly #offset: Float64Array;
  readonly #performance: () => number;
  readonly #wall: () => number;
  #last = 0;
  #followedAt = Number.NEGATIVE_INFINITY;

  /** `offset`: of the thread that follows the database; absent: this thread does, and begins with the wall clock. */
  constructor(offset?: SharedArrayBuffer, now = () => performance.now(), wall = () => Date.now()) {
    this.#performance = now;
    this.#wall = wall;
    this.offset = offset ?? new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT);
    this.#offset = new Float64Array(this.offset);
    if (offset === undefined) this.#offset[0] = wall() - this.#hostMs();
  }

  /** Whole ms since the epoch; never less than before. */
  now(): number {
    if (this.#offset[2] === 1) return this.#wall();
    const at = Math.floor(this.#hostMs() + (this.#offset[0] ?? 0));
    if (at > this.#last) this.#last = at;
    return this.#last;
  }

  /** From now on the time is the host's wall clock, in all threads. */
  useWallClock(): void {
    this.#offset[2] = 1;
  }

  monotonic(): number {
    return this.#performance();
  }

  /** How far the host's wall clock and the database's clock are ahead of the time of the service, ms. */
  get aheadMs(): { readonly host: number; readonly database: number } {
    return { host: this.#wall() - this.now(), database: this.#offset[1] ?? 0 };
  }

  /**
   * The reference showed `reference` when this thread's monotonic clock showed `at`. The first reading is taken over, later
   * ones are approached.
   */
  follow(reference: number, at: number): void {
    const target = reference - (at + THREAD_START);
    const before = this.#offset[0] ?? 0;
    const most = MAX_SLEW * (at - this.#followedAt);
    this.#followedAt = at;
    this.#offset[0] = before + Math.max(-most, Math.min(most, target - before));
    this.#offset[1] = target - this.#offset[0];
  }

  #hostMs(): number {
    return this.#performance() + THREAD_START;
  }
}
