/** Time as an input. `now()` is wall time in epoch milliseconds, `monotonic()` milliseconds that never jump. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that tests move by hand; both readings advance together. */
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
