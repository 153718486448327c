import type { Scheduler } from '../../../src/shared/clock.ts';

interface Entry {
  readonly at: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Virtual time: `advance` runs every due timer in order of time. */
export class ManualScheduler implements Scheduler {
  #now: number;
  /** Sorted by time, entries of equal time in order of creation. */
  readonly #entries: Entry[] = [];
  #pending = 0;
  constructor(now = Date.UTC(2026, 0, 5, 10, 0, 0)) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  /** Number of pending timers. */
  get pending(): number {
    return this.#pending;
  }
  after(ms: number, run: () => void): () => void {
    const entry: Entry = { at: this.#now + Math.max(0, ms), run, isCancelled: false };
    this.#entries.splice(this.#placeOf(entry.at), 0, entry);
    this.#pending++;
    return () => {
      if (!entry.isCancelled) this.#pending--;
      entry.isCancelled = true;
    };
  }
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let due = this.#entries[0]; due !== undefined && due.at <= target; due = this.#entries[0]) {
      this.#entries.shift();
      if (due.isCancelled) continue;
      due.isCancelled = true;
      this.#pending--;
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = target;
  }
  /** Index behind all entries that are not later than `at`. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as Entry).at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
