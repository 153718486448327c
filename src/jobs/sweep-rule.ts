/** How often a poller that a watch wakes polls without a wake: for the work that no look finds, such as hourly clean-up. */
export const SWEEP_MS = 120_000;
/** The same while no look succeeds. */
export const BLIND_SWEEP_MS = 30_000;
/** A watch without a successful look for so long is blind, also when its look only hangs. */
export const BLIND_AFTER_MS = 10_000;

/**
 * When every poller polls although no look found work for it: at once when the looks stop and when they come back, and every
 * 30 s in between. Times are monotonic. Pure.
 */
export class SweepRule {
  #seenAt: number;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #isInterrupted = false;

  constructor(at: number) {
    this.#seenAt = at;
  }

  /** A look succeeded. True: sweep now, because looks before it failed. */
  saw(at: number): boolean {
    const isBack = this.#isInterrupted || this.#isBlind(at);
    this.#seenAt = at;
    this.#sweptAt = isBack ? at : Number.NEGATIVE_INFINITY;
    this.#isInterrupted = false;
    return isBack;
  }

  /** A look failed. */
  failed(): void {
    this.#isInterrupted = true;
  }

  /** True: sweep now, because the watch is blind. */
  isDue(at: number): boolean {
    if (!this.#isBlind(at) || at - this.#sweptAt < BLIND_SWEEP_MS) return false;
    this.#sweptAt = at;
    return true;
  }

  #isBlind(at: number): boolean {
    return at - this.#seenAt >= BLIND_AFTER_MS;
  }
}
