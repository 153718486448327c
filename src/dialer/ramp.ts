/**
 * How wide a campaign dials while it gathers pace: two calls at once, then twice as many each step while its calls
 * connect, so that a broken list or trunk shows before it has cost much. The state is a width and a moment; nothing
 * is counted up or down, so nothing can drift. Pure.
 */
export interface Ramp {
  readonly limit: number;
  /** When the campaign got this width. */
  readonly at: number;
}

const START = 2;
export const RAMP_STEP_MS = 3_000;
/** A campaign that has dialled nothing for so long begins anew: after a pause, a night, a breaker. */
const FORGET_MS = 60_000;

/** The ramp as the turn finds it. */
export function rampAt(
  stored: Ramp | null,
  lane: { readonly live: number; readonly servedAt: number; readonly now: number },
): Ramp {
  const isIdle = lane.live === 0 && lane.now - lane.servedAt > FORGET_MS;
  return stored === null || isIdle ? { limit: START, at: lane.now } : stored;
}

/** Whether to look at how the calls since the last step went. */
export const isStepDue = (ramp: Ramp, now: number, cap: number): boolean =>
  ramp.limit < cap && now - ramp.at >= RAMP_STEP_MS;

/** The next step: wider while more calls connect than fail, else as wide as before for another step. */
export function stepRamp(
  ramp: Ramp,
  since: { readonly connected: number; readonly failed: number },
  now: number,
  cap: number,
): Ramp {
  if (since.connected + since.failed === 0) return ramp;
  const limit = since.connected > since.failed ? Math.min(cap, ramp.limit * 2) : ramp.limit;
  return { limit, at: now };
}
