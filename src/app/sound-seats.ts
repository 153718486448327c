/** What the calls of people take in this process. */
export interface LiveLoad {
  readonly calls: number;
  /** Calls that this machine's recognisers hear, and those that they can hear; null: no limit is known. */
  readonly ears: { readonly used: number; readonly limit: number | null };
}

/**
 * Rehearsed calls that may be under way: what fits on the machine, less the calls of people. `fit`: calls when nothing else
 * runs. `needsEars`: a recogniser of this machine hears the words of the callers.
 */
export function seatsFor(of: {
  readonly fit: number;
  readonly needsEars: boolean;
  readonly load: LiveLoad;
}): number {
  const { fit, needsEars, load } = of;
  const { used, limit } = load.ears;
  const ears = needsEars && limit !== null ? limit - used : Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(fit - load.calls, ears));
}
