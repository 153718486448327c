/** Resolution: times are rounded up to a multiple of this. */
const STEP_MS = 50;

/** Known due times of deliveries, in epoch ms, so that a retry does not wait for the next poll. */
export class RetryTimes {
  readonly #times = new Set<number>();

  add(dueAt: number): void {
    this.#times.add(Math.ceil(dueAt / STEP_MS) * STEP_MS);
  }

  /** Removes the times up to `now`; true if there were any. */
  haveCome(now: number): boolean {
    const before = this.#times.size;
    for (const time of this.#times) if (time <= now) this.#times.delete(time);
    return this.#times.size < before;
  }

  /** The ms from `now` to the earliest time: 0 or less if it has passed, Infinity if there is none. */
  untilNext(now: number): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const time of this.#times) soonest = Math.min(soonest, time);
    return soonest - now;
  }
}

/**
 * Admits at most `perLoop` callers per event-loop iteration, in order, so that a large batch of work does not delay I/O
 * callbacks.
 */
export class LoopThrottle {
  readonly #perLoop: number;
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(perLoop: number) {
    this.#perLoop = perLoop;
  }

  /** Resolves when the caller may start. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#admit());
    });
  }

  #admit(): void {
    const admitted = this.#waiting.splice(0, this.#perLoop);
    this.#isScheduled = this.#waiting.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#admit());
    for (const start of admitted) start();
  }
}
