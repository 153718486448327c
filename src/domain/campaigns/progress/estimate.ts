import type { QuarterSums } from '../../../store/campaigns/attempt-sums.ts';
import { nextClosing, nextOpening, type CallWindow } from '../../call-windows/call-window.ts';
import { QUARTER_MS } from './answer-hours.ts';
import type { FunnelStep } from './retry-funnel.ts';

const MINUTE_MS = 60_000;
const QUARTER_MINUTES = QUARTER_MS / MINUTE_MS;
/** Quarters of an hour with calls that show how fast the campaign can call. */
export const LAST_QUARTERS = 8;
/** Openings of the window that an estimate follows: over a year of daily ones. */
const MAX_OPENINGS = 400;

/** Calls a minute, measured over the time since the first of them ended, at least a minute. Pure. */
export function measuredPace(recent: number, firstEnd: number | null, now: number): number {
  if (firstEnd === null) return 0;
  return recent / Math.max(1, (now - firstEnd) / MINUTE_MS);
}

/**
 * The pace that the rest of the campaign will have while its window is open, in calls a minute: the fastest of the pace
 * now and the last quarters of an hour with calls, but no faster than `limit` lines allow. Null before a call has ended.
 */
export function expectedPace(
  last: readonly QuarterSums[],
  funnel: readonly FunnelStep[],
  paceNow: number,
  limit: number,
): number | null {
  if (last.length === 0 || limit <= 0) return null;
  const seen = Math.max(paceNow, ...last.map(({ calls }) => calls / QUARTER_MINUTES));
  const total = funnel.reduce((sum, step) => sum + step.calls, 0);
  const busyMs = funnel.reduce((sum, step) => sum + (step.busyMs ?? 0) * step.calls, 0) / total;
  return busyMs === 0 ? seen : Math.min(seen, (limit * MINUTE_MS) / busyMs);
}

/**
 * Estimates the calls until every contact is finished: the share of contacts that needs each retry stays as it was. A
 * retry that has not happened yet gets the share of the attempt before it.
 */
export function expectedCalls(
  funnel: readonly FunnelStep[],
  registered: number,
  maxAttempts: number,
): number {
  const again = shareOfRetries(funnel, maxAttempts);
  // from[n]: calls that a contact needs from its attempt n on, that one included.
  const from: number[] = [];
  for (let attempt = maxAttempts; attempt >= 1; attempt -= 1) {
    from[attempt] = 1 + (again[attempt] ?? 0) * (from[attempt + 1] ?? 0);
  }
  const callsFrom = (attempt: number): number => from[attempt] ?? 1;
  return funnel.reduce(
    (sum, { attempt, live, waiting }) =>
      sum + waiting * callsFrom(attempt + 1) + live * (again[attempt] ?? 0) * callsFrom(attempt + 1),
    registered * callsFrom(1),
  );
}

/** The share of the contacts that goes on after each attempt, by its number. */
function shareOfRetries(funnel: readonly FunnelStep[], maxAttempts: number): number[] {
  const again: number[] = [];
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    const step = funnel[attempt - 1];
    again[attempt] =
      step === undefined || step.calls === 0
        ? (again[attempt - 1] ?? 0)
        : Math.min(1, step.remaining / step.calls);
  }
  return again;
}

/** The instant after `ms` of open window since `at`; null when the window is too rarely open to say. Pure. */
export function afterOpenTime(window: CallWindow, at: number, ms: number): number | null {
  let from = at;
  let left = ms;
  for (let opening = 0; opening < MAX_OPENINGS; opening += 1) {
    const opens = nextOpening(window, from);
    if (opens === null) return null;
    const closes = nextClosing(window, opens);
    if (closes === null || closes - opens >= left) return opens + left;
    left -= closes - opens;
    from = closes;
  }
  return null;
}
