import type { Scheduler } from '../src/ports.ts';

interface Entry {
  run: () => void;
  isCancelled: boolean;
}

/** Virtual time: `advance` runs every due timer in order of time. */
export class ManualScheduler implements Scheduler {
  #now: number;
  /** The times of entries, sorted; entries of equal time are in order of creation. */
  readonly #times: number[] = [];
  readonly #entries = new Map<number, Entry[]>();
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
    const at = this.#now + Math.max(0, ms);
    const entry: Entry = { run, isCancelled: false };
    const sameTime = this.#entries.get(at);
    if (sameTime === undefined) {
      this.#times.splice(this.#placeOf(at), 0, at);
      this.#entries.set(at, [entry]);
    } else sameTime.push(entry);
    this.#pending++;
    return () => {
      if (!entry.isCancelled) this.#pending--;
      entry.isCancelled = true;
      // As a real timer, a cancelled one holds nothing.
      entry.run = () => {};
    };
  }
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let at = this.#times[0]; at !== undefined && at <= target; at = this.#times[0]) {
      this.#now = Math.max(this.#now, at);
      // Includes entries that are added for this time meanwhile.
      for (const due of this.#entries.get(at) ?? []) {
        if (due.isCancelled) continue;
        due.isCancelled = true;
        this.#pending--;
        due.run();
      }
      this.#times.shift();
      this.#entries.delete(at);
    }
    this.#now = target;
  }
  /** Index behind all times that are not later than `at`. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
