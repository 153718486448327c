/** Times that lie this close together are one. */
const STEP_MS = 50;

/** When deliveries are known to come due: the look for them need not wait for the poll. Epoch ms. */
export class RetryTimes {
  readonly #times = new Set<number>();

  add(dueAt: number): void {
    this.#times.add(Math.ceil(dueAt / STEP_MS) * STEP_MS);
  }

  /** Whether any has come by `now`; those are forgotten. */
  haveCome(now: number): boolean {
    const before = this.#times.size;
    for (const time of this.#times) if (time <= now) this.#times.delete(time);
    return this.#times.size < before;
  }

  /** The ms from `now` until the soonest one, not above 0 when it has come. Infinity: there is none. */
  untilNext(now: number): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const time of this.#times) soonest = Math.min(soonest, time);
    return soonest - now;
  }
}
