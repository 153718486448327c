/**
 * The concurrency of a campaign that starts dialling: two calls, doubled at each step while its calls connect, so that
 * a bad contact list or trunk shows before it has cost much. The state is a limit and a time, both overwritten as a
 * whole: there is no counter that could drift. Pure.
 */
export interface Ramp {
  readonly limit: number;
  /** When `limit` took effect, epoch ms. */
  readonly at: number;
}

const START = 2;
const RAMP_STEP_MS = 3_000;
/** A campaign idle for longer starts over: after a pause, a night, a tripped breaker. */
const FORGET_MS = 60_000;

/** The campaign's ramp at `now`, before any step. */
export function rampAt(
  stored: Ramp | null,
  campaign: { readonly live: number; readonly servedAt: number; readonly now: number },
): Ramp {
  const isIdle = campaign.live === 0 && campaign.now - campaign.servedAt > FORGET_MS;
  return stored === null || isIdle ? { limit: START, at: campaign.now } : stored;
}

/** Whether the outcomes since the last step should be read. */
export const isStepDue = (ramp: Ramp, now: number, cap: number): boolean =>
  ramp.limit < cap && now - ramp.at >= RAMP_STEP_MS;

/** The next step: doubles the limit if more calls connected than failed, else keeps it for another step. */
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
