import { AsyncLocalStorage } from 'node:async_hooks';

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

/** What a thread runs at one moment; true: the wait for it keeps the process alive. */
interface Tick {
  readonly timer: NodeJS.Timeout;
  readonly runs: Map<() => void, boolean>;
}

/** The ticks to come by their moment, in steps. By `setTimeout`: tests replace it, and what waits for one never runs in another. */
const ticksOf = new WeakMap<typeof setTimeout, Map<number, Tick>>();

/** An error of one piece of work ends no other of its tick. */
function runGuarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Runs `run` at the moment; the returned function cancels it. */
function atMoment(moment: number, waitMs: number, run: () => void, keepsAlive: boolean): () => void {
  const ticks = ticksOf.get(setTimeout) ?? new Map<number, Tick>();
  ticksOf.set(setTimeout, ticks);
  const end = (): void => {
    ticks.delete(moment);
    for (const each of tick.runs.keys()) runGuarded(each);
  };
  const tick = ticks.get(moment) ?? { timer: setTimeout(end, Math.ceil(waitMs)).unref(), runs: new Map() };
  ticks.set(moment, tick);
  const { timer, runs } = tick;
  const mine = AsyncLocalStorage.bind(run);
  runs.set(mine, keepsAlive);
  if (keepsAlive) timer.ref();
  return () => {
    if (!runs.delete(mine)) return;
    if (![...runs.values()].includes(true)) timer.unref();
    if (runs.size > 0 || ticks.get(moment) !== tick) return;
    clearTimeout(timer);
    ticks.delete(moment);
  };
}

/**
 * Runs `run` once after `alignedMs(waitMs)`, in one wake of this thread with all that ends at that moment: of timers that end a
 * millisecond apart each would wake it. The returned function cancels it.
 */
export function afterAligned(waitMs: number, run: () => void, { keepsAlive = false } = {}): () => void {
  if (waitMs < STEP_MS) {
    const timer = setTimeout(run, waitMs);
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  }
  const now = monotonicMs();
  const aligned = alignedMs(waitMs, now);
  return atMoment(Math.round((now + aligned) / STEP_MS), aligned, run, keepsAlive);
}

/**
 * Runs `work` every `ms`, together with the other timers of all threads, until the returned function is called. It does not keep the
 * process alive.
 */
export function everyAligned(ms: number, work: () => void): () => void {
  let cancel = afterAligned(ms, run);
  function run(): void {
    cancel = afterAligned(ms, run);
    work();
  }
  return () => cancel();
}
