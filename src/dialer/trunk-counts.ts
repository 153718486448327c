import type { LimitedTrunk, TrunkLimits } from '../store/trunks.ts';

/** Inbound calls and second legs of transfers, which its row does not count, are seen after so long at the latest. */
const LIFE_MS = 1000;

interface Count {
  readonly live: number;
  readonly claims: number;
  /** On the monotonic clock. */
  readonly at: number;
}

/**
 * The last count of each trunk's live calls in this process. Counting goes through every number of a trunk, those of
 * all workspaces; the trunk's row alone says how many calls dialers have put on it since, and no more than those have
 * come on top.
 */
export class TrunkCounts {
  readonly #counts = new Map<string, Count>();

  note(trunks: readonly LimitedTrunk[], now: number): void {
    for (const { id, live, claims } of trunks) this.#counts.set(id, { live, claims, at: now });
  }

  /** Whether `atMost` has an answer. */
  isKnown(id: string, now: number): boolean {
    const count = this.#counts.get(id);
    return count !== undefined && now - count.at < LIFE_MS;
  }

  /** The most that can be live on a trunk that was counted within the last second; null: it was not. */
  atMost({ id, claims }: TrunkLimits, now: number): number | null {
    const count = this.#counts.get(id);
    return count === undefined || !this.isKnown(id, now) ? null : count.live + (claims - count.claims);
  }
}
