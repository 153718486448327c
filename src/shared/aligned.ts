/** Timers of idle work end at whole steps of the machine's monotonic time. */
const STEP_MS = 1_000;
/** Waits of so long or less, in whole steps, end at multiples of themselves. */
const SHORT_MS = 6_000;
/** Longer waits in whole multiples of it end at its multiples. */
const LONG_STEP_MS = 5_000;
/** A timer may fire a little early; it then waits for the next step, not for the one at hand. */
const SLACK_MS = 50;

const monotonicMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
};

/** A wait in whole seconds is the interval of something that repeats; any other leads to a moment at which work is due. */
function stepOf(waitMs: number): number {
  if (waitMs % STEP_MS !== 0) return STEP_MS;
  if (waitMs <= SHORT_MS) return waitMs;
  return waitMs % LONG_STEP_MS === 0 ? LONG_STEP_MS : STEP_MS;
}

/**
 * `waitMs`, changed so that it ends together with the other timers of all threads: on an idle machine a wake costs more than what it
 * does. An interval keeps its length once it ends at its step; before, it becomes shorter by less than the step, or longer by at
 * most 50 ms. Waits below a second stay as they are.
 */
export function alignedMs(waitMs: number, nowMs: number = monotonicMs()): number {
  if (waitMs < STEP_MS) return waitMs;
  const step = stepOf(waitMs);
  return Math.floor((nowMs + waitMs + SLACK_MS) / step) * step - nowMs;
}

/**
 * Runs `work` every `ms`, together with the other timers of all threads, until the returned function is called. It does not keep the
 * process alive.
 */
export function everyAligned(ms: number, work: () => void): () => void {
  let timer = setTimeout(run, alignedMs(ms)).unref();
  function run(): void {
    timer = setTimeout(run, alignedMs(ms)).unref();
    work();
  }
  return () => clearTimeout(timer);
}
