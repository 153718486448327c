import type { Clock } from '../../shared/clock.ts';

/** For so long further parts belong to a reading that is entered already. */
const ONE_READING_MS = 3_600_000;
/** Readers remembered; of one forgotten too early the next part is entered again. */
const MOST = 10_000;

/**
 * Which requests for a file are readings of their own: a player asks for many parts of it. Every one from the
 * beginning is; of later parts, one an hour and reader.
 */
export class Readings {
  readonly #clock: Clock;
  /** When each reader was last entered, longest ago first. */
  readonly #entered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isNew(reader: string, start: number): boolean {
    const now = this.#clock.monotonic();
    const before = this.#entered.get(reader);
    if (start > 0 && before !== undefined && now - before < ONE_READING_MS) return false;
    this.#entered.delete(reader);
    this.#entered.set(reader, now);
    const [oldest] = this.#entered.keys();
    if (this.#entered.size > MOST && oldest !== undefined) this.#entered.delete(oldest);
    return true;
  }
}
