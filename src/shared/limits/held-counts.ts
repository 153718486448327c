import type { Clock } from '../clock.ts';

/** A process renews its counts after this time; counts that it does not renew expire after `HELD_TTL_MS`. */
const RENEW_MS = 10_000;
export const HELD_TTL_MS = 30_000;

/** How much a process holds of a key. */
export interface HeldCount {
  readonly key: string;
  readonly count: number;
}

interface Held {
  own: number;
  /** The count of the other processes when this one last shared its own. */
  others: number;
  /** When `own` was shared, monotonic ms; null: the others do not know its value. */
  sharedAt: number | null;
}

/**
 * Counts by key of something that is held, such as open streams. `HostLimits` adds the counts of other processes; without it these are
 * the counts of this process.
 */
export class HeldCounts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #onChange: () => void;
  readonly #held = new Map<string, Held>();

  /** `onChange`: there is something to share. */
  constructor(clock: Pick<Clock, 'monotonic'>, onChange: () => void = () => undefined) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The others do not know everything yet. */
  get hasUnshared(): boolean {
    return [...this.#held.values()].some(({ sharedAt }) => sharedAt === null);
  }

  /** The count of all processes together, as far as this one knows. */
  count(key: string): number {
    const held = this.#held.get(key);
    return held === undefined ? 0 : held.own + held.others;
  }

  add(key: string): void {
    const held = this.#held.get(key) ?? { own: 0, others: 0, sharedAt: null };
    held.own += 1;
    held.sharedAt = null;
    this.#held.set(key, held);
    this.#onChange();
  }

  remove(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined || held.own === 0) return;
    held.own -= 1;
    held.sharedAt = null;
    this.#onChange();
  }

  /** The counts that must be shared because they changed or would expire, at most `limit`. They count as shared. */
  takeUnshared(limit: number): HeldCount[] {
    const taken: HeldCount[] = [];
    const now = this.#clock.monotonic();
    for (const [key, held] of this.#held) {
      if (taken.length >= limit) break;
      if (held.sharedAt !== null && now - held.sharedAt < RENEW_MS) continue;
      taken.push({ key, count: held.own });
      held.sharedAt = now;
      this.#held.delete(key);
      // Reinserted at the end: with more keys than `limit`, each has its turn.
      if (held.own > 0) this.#held.set(key, held);
    }
    return taken;
  }

  /** Marks counts that could not be shared: the next `takeUnshared` returns them again. */
  giveBack(counts: readonly HeldCount[]): void {
    for (const { key } of counts) {
      const held = this.#held.get(key) ?? { own: 0, others: 0, sharedAt: null };
      held.sharedAt = null;
      this.#held.set(key, held);
    }
  }

  /** Notes the count of the other processes. */
  learn(key: string, others: number): void {
    const held = this.#held.get(key);
    if (held !== undefined) held.others = others;
  }
}
