/** Timers of idle work end at whole steps of the machine's monotonic time. */
const STEP_MS = 1_000;
/** A timer may fire a little early; it then waits for the next step, not for the one at hand. */
const SLACK_MS = 50;

const monotonicMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
};

/**
 * `waitMs`, changed so that it ends together with the other timers of all threads: on an idle machine a wake costs more than what it
 * does. It becomes shorter by less than a second or longer by at most 50 ms. Waits below a second stay as they are.
 */
export function alignedMs(waitMs: number, nowMs: number = monotonicMs()): number {
  if (waitMs < STEP_MS) return waitMs;
  return Math.floor((nowMs + waitMs + SLACK_MS) / STEP_MS) * STEP_MS - nowMs;
}
