/** How much may pass: `burst` units at once, `perSecond` on average. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A token bucket is one number: the time at which it is full again, in ms of a clock that never jumps. So a bucket on a hot
 * path costs no object, and a stale one is recognised by its time alone.
 */
export type FullAt = number;

export const FULL: FullAt = 0;

/** Below this a wait is an error of rounding. */
const ROUNDING_MS = 1e-3;

/** The bucket after `amount` was taken at `at`; it may be overdrawn. */
export const afterTaking = (bucket: FullAt, { perSecond }: Rate, amount: number, at: number): FullAt =>
  Math.max(bucket, at) + (amount * 1000) / perSecond;

/** How long until the bucket holds `amount`, ms; 0: it does now. More than a burst is never held. */
export function waitMs(bucket: FullAt, rate: Rate, amount: number, at: number): number {
  if (amount > rate.burst) return Infinity;
  const wait = afterTaking(bucket, rate, amount, at) - at - (rate.burst * 1000) / rate.perSecond;
  return wait < ROUNDING_MS ? 0 : wait;
}

export const isFull = (bucket: FullAt, at: number): boolean => bucket <= at;
