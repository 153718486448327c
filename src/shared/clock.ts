/** Injected time source. `now()` is wall time in epoch ms; `monotonic()` is in ms and never jumps. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Test clock that stands still until `advance` or `set` moves it. */
export class ManualClock implements Clock {
  #now: number;
  #monotonic = 0;
  constructor(now = Date.UTC(2026, 0, 5, 10, 0, 0)) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#monotonic;
  }
  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }
  set(now: number): void {
    this.#now = now;
  }
}

/** Time and one-shot timers; tests replace it to run in virtual time. */
export interface Scheduler {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const createScheduler = (clock: Clock): Scheduler => ({
  now: () => clock.now(),
  after(ms, run) {
    // Unref: timers must not keep the process alive.
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
});

/** Measures delays: its time never jumps. */
export const systemScheduler: Scheduler = createScheduler({
  ...systemClock,
  now: () => performance.timeOrigin + performance.now(),
});
