/** An injected timer, so that tests can step a fake's delays. */
export interface Timers {
  /** Runs `work` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, work: () => void): () => void;
}

export const systemTimers: Timers = {
  after: (delayMs, work) => {
    const handle = setTimeout(work, delayMs);
    return () => {
      clearTimeout(handle);
    };
  },
};

/** Timers that a test advances; work due at the same time runs in the order it was scheduled. */
export class ManualTimers implements Timers {
  #now = 0;
  #order = 0;
  #queue: { due: number; order: number; work: () => void }[] = [];

  get now(): number {
    return this.#now;
  }
  get pending(): number {
    return this.#queue.length;
  }
  after(delayMs: number, work: () => void): () => void {
    const entry = { due: this.#now + Math.max(0, delayMs), order: this.#order++, work };
    this.#queue.push(entry);
    return () => {
      this.#queue = this.#queue.filter((other) => other !== entry);
    };
  }
  /** Advances the time and runs all due work, including work scheduled meanwhile. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#queue
        .filter((entry) => entry.due <= until)
        .sort((a, b) => a.due - b.due || a.order - b.order)[0];
      if (!next) break;
      this.#queue = this.#queue.filter((entry) => entry !== next);
      this.#now = next.due;
      next.work();
    }
    this.#now = until;
  }
}
