import type { LimitedTrunk, TrunkLimits } from '../../store/numbers/trunks.ts';

/**
 * A token bucket per trunk that limits calls per second, with a burst of one second's worth. All processes share one
 * bucket, stored in the trunk's row and changed under its lock. Pure.
 */
export interface Pace {
  readonly perSecond: number;
  readonly tokens: number;
  /** When `tokens` was computed, epoch ms. */
  readonly at: number;
}

export const startPace = (perSecond: number, at: number): Pace => ({
  perSecond,
  tokens: Math.max(1, perSecond),
  at,
});

/** The clock skew between machines. A timestamp further in the future came from a wrong clock. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The bucket at `at`. A clock at or behind the stored time adds no tokens, so that skewed clocks cannot gain more
 * together than time passes. A stored time beyond the allowed skew restarts the bucket empty.
 */
export function refill(pace: Pace, at: number): Pace {
  if (pace.at - at > CLOCKS_DIFFER_MS) return { ...pace, tokens: 0, at };
  const gained = (Math.max(0, at - pace.at) * pace.perSecond) / 1000;
  return {
    ...pace,
    tokens: Math.min(Math.max(1, pace.perSecond), pace.tokens + gained),
    at: Math.max(at, pace.at),
  };
}

/** Calls that may start now. */
export const callsFree = (pace: Pace): number => Math.max(0, Math.floor(pace.tokens + 1e-9));

export const take = (pace: Pace, calls: number): Pace => ({ ...pace, tokens: pace.tokens - calls });

/** Ms until one more call may start; 0 when one may now. */
export const waitMs = (pace: Pace): number =>
  callsFree(pace) > 0 ? 0 : Math.ceil(((1 - pace.tokens) * 1000) / pace.perSecond);

/** The buckets of the trunks with a pace, refilled to `now`. */
export function pacesOf(trunks: readonly TrunkLimits[], now: number): Map<string, Pace> {
  const paces = new Map<string, Pace>();
  for (const { id, callsPerSecond, paceTokens, paceAt } of trunks) {
    if (callsPerSecond === null || callsPerSecond <= 0) continue;
    const stored = { perSecond: callsPerSecond, tokens: paceTokens ?? 0, at: paceAt ?? now };
    paces.set(id, paceTokens === null ? startPace(callsPerSecond, now) : refill(stored, now));
  }
  return paces;
}

/** Calls that may start on each limited trunk: the minimum of its free channels and its pace, if `paces` has one. */
export function trunkCapacity(
  trunks: readonly LimitedTrunk[],
  paces: ReadonlyMap<string, Pace>,
): Map<string, number> {
  return new Map(
    trunks.map(({ id, maxCalls, live }) => {
      const channels = maxCalls === null ? Number.POSITIVE_INFINITY : maxCalls - live;
      const pace = paces.get(id);
      return [id, Math.min(channels, pace === undefined ? Number.POSITIVE_INFINITY : callsFree(pace))];
    }),
  );
}
