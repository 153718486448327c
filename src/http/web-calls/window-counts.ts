import type { Clock } from '../../shared/clock.ts';

const WINDOW_MS = 60_000;
const MOST_KEYS = 10_000;

/** Counts requests by key in windows of a minute. */
export class WindowCounts {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, { since: number; count: number }>();

  /** `limit` 0: none. */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts one request; returns the seconds to wait, 0 when it is within the limit. */
  take(key: string): number {
    if (this.#limit === 0) return 0;
    const now = this.#clock.monotonic();
    const known = this.#windows.get(key);
    if (known === undefined || now - known.since >= WINDOW_MS) {
      this.#windows.delete(key);
      const oldest = this.#windows.keys().next();
      if (this.#windows.size >= MOST_KEYS && !oldest.done) this.#windows.delete(oldest.value);
      this.#windows.set(key, { since: now, count: 1 });
      return 0;
    }
    known.count += 1;
    if (known.count <= this.#limit) return 0;
    return Math.max(1, Math.ceil((known.since + WINDOW_MS - now) / 1000));
  }
}
