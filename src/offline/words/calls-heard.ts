/** The share of the processors that recognisers may use; the rest is for media, voices and the conversation. */
const USABLE = 0.65;

/**
 * Calls that a machine hears at once, even if every caller speaks at the same time. `share`: of a core, for one speaking
 * caller.
 */
export const callsHeard = (cores: number, share: number): number =>
  Math.max(1, Math.floor((cores * USABLE) / share));
