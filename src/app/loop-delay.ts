import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Each sample wakes the thread: at 20 ms they took an idle process 2 ms a second. */
const RESOLUTION_MS = 50;
const WINDOW_MS = 10_000;

/** How late this thread's event loop runs. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #p99Ms = 0;

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => {
      this.#p99Ms = this.#current();
      this.#histogram.reset();
    }, WINDOW_MS).unref();
  }

  /** The worse of the last complete window and the current one, so that a stall is never hidden. */
  get p99Ms(): number {
    return Math.max(this.#p99Ms, this.#current());
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #current(): number {
    return this.#histogram.count === 0
      ? 0
      : Math.max(0, this.#histogram.percentile(99) / 1e6 - RESOLUTION_MS);
  }
}
