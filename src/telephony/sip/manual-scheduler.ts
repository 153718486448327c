import type { Scheduler } from './scheduler.ts';

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Virtual time for tests: `advance` runs every timer that falls due, in order of time. */
export class ManualScheduler implements Scheduler {
  #now: number;
  #order = 0;
  readonly #entries = new Set<Entry>();
  constructor(now = Date.UTC(2026, 0, 5, 10, 0, 0)) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  /** Timers that have not run yet. */
  get pending(): number {
    return this.#entries.size;
  }
  after(ms: number, run: () => void): () => void {
    const entry: Entry = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let due = this.#next(target); due !== null; due = this.#next(target)) {
      this.#entries.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = target;
  }
  #next(target: number): Entry | null {
    let best: Entry | null = null;
    for (const entry of this.#entries) {
      if (entry.at > target) continue;
      if (best === null || entry.at < best.at || (entry.at === best.at && entry.order < best.order))
        best = entry;
    }
    return best;
  }
}
