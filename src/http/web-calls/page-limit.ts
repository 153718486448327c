import type { WindowCounts } from '../../shared/limits/window-counts.ts';

/** A limit of requests by key in windows. */
export class PageLimit {
  readonly #limit: number;
  readonly #counts: WindowCounts;

  /** `limit` 0: none. */
  constructor(limit: number, counts: WindowCounts) {
    this.#limit = limit;
    this.#counts = counts;
  }

  /** Counts one request; returns the seconds to wait, 0 when it is within the limit. */
  take(key: string): number {
    if (this.#limit === 0) return 0;
    this.#counts.add(key);
    return this.#counts.count(key) <= this.#limit ? 0 : this.#counts.waitSeconds(key);
  }
}
