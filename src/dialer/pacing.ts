/**
 * A token bucket per trunk: so many calls a second, and no burst beyond one second's worth. Every process reads and
 * writes the same one under the trunk row's lock. Pure.
 */
export interface Pace {
  readonly perSecond: number;
  readonly tokens: number;
  /** Epoch ms at which `tokens` was true. */
  readonly at: number;
}

export const startPace = (perSecond: number, at: number): Pace => ({
  perSecond,
  tokens: Math.max(1, perSecond),
  at,
});

/** A moment further ahead than clocks of machines differ was written by a clock that was wrong. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The bucket at `at`. A clock that stands still or is behind the others' adds nothing, so that together they gain no
 * more than time passes; one that was set back far starts with an empty bucket.
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

/** Whole calls that may start now. */
export const callsFree = (pace: Pace): number => Math.max(0, Math.floor(pace.tokens + 1e-9));
export const take = (pace: Pace, calls: number): Pace => ({ ...pace, tokens: pace.tokens - calls });
/** Ms until one more call may start; 0 when one may now. */
export const waitMs = (pace: Pace): number =>
  callsFree(pace) > 0 ? 0 : Math.ceil(((1 - pace.tokens) * 1000) / pace.perSecond);
