import type { Clock } from '../../shared/clock.ts';

/** A request from the first byte, or of a whole document, counts as the same reading for this long. */
const WHOLE_MS = 60_000;
/** A later part counts as the same reading for this long. */
const PART_MS = 3_600_000;
/** Readers kept in memory. The next part of an evicted reader is logged again. */
const MOST = 10_000;

/**
 * Decides which reads get an audit entry, since players send many range requests and clients poll. A read from the
 * first byte does once per minute and reader, later parts once per hour.
 */
export class Readings {
  readonly #clock: Clock;
  /** Monotonic time of each reader's last entry, oldest first. */
  readonly #entered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isNew(reader: string, start: number): boolean {
    const now = this.#clock.monotonic();
    const before = this.#entered.get(reader);
    if (before !== undefined && now - before < (start > 0 ? PART_MS : WHOLE_MS)) return false;
    this.#entered.delete(reader);
    this.#entered.set(reader, now);
    const [oldest] = this.#entered.keys();
    if (this.#entered.size > MOST && oldest !== undefined) this.#entered.delete(oldest);
    return true;
  }
}
