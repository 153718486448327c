/** Between two polls of a process that has calls to care for, or that may not hear of new ones. */
export const POLL_MS = 1_000;
/** The longest sleep of an idle process; what a lost wake costs it. */
export const IDLE_POLL_MS = 5_000;
/** The same while the heartbeats look every three seconds at when the next call is due, and wake the loop. */
export const LOOKED_POLL_MS = 15_000;

/**
 * Ms until the loop polls again, after it found no due call. `dueAt`: when the next queued call is due, epoch ms; Infinity: none
 * waits. `mayRest`: the process hears of calls that become due sooner. `isLooking`: its heartbeats look for them, too. Pure.
 */
export function sleepMs({
  now,
  dueAt,
  mayRest,
  isLooking = false,
  pollMs = POLL_MS,
}: {
  readonly now: number;
  readonly dueAt: number;
  readonly mayRest: boolean;
  readonly isLooking?: boolean;
  readonly pollMs?: number;
}): number {
  const longest = mayRest ? Math.max(pollMs, isLooking ? LOOKED_POLL_MS : IDLE_POLL_MS) : pollMs;
  return Math.max(1, Math.min(longest, dueAt - now));
}
