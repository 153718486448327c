import type { LimitedTrunk, TrunkLimits } from '../store/numbers/trunks.ts';

/** Bounds the staleness: inbound calls and transfer legs are not in `claims` and appear with the next count. */
const MAX_AGE_MS = 1000;

interface Count {
  readonly live: number;
  readonly claims: number;
  /** Monotonic clock, ms. */
  readonly at: number;
}

/**
 * This process's cache of each trunk's last count of live calls. A count reads every number of the trunk in all
 * workspaces; the trunk's row alone shows how many calls dialers have claimed on it since, which bounds the growth.
 */
export class TrunkCounts {
  readonly #counts = new Map<string, Count>();

  note(trunks: readonly LimitedTrunk[], now: number): void {
    for (const { id, live, claims } of trunks) this.#counts.set(id, { live, claims, at: now });
  }

  /** Whether `atMost` has an unexpired count. */
  isKnown(id: string, now: number): boolean {
    const count = this.#counts.get(id);
    return count !== undefined && now - count.at < MAX_AGE_MS;
  }

  /** An upper bound of the trunk's live calls: its last count plus all claims since; null without an unexpired count. */
  atMost({ id, claims }: TrunkLimits, now: number): number | null {
    const count = this.#counts.get(id);
    return count === undefined || !this.isKnown(id, now) ? null : count.live + (claims - count.claims);
  }
}
