import { afterAligned, alignedMs } from '../shared/aligned.ts';
import type { Clock } from '../shared/clock.ts';

/**
 * Between two samples, each of which wakes the thread, while calls are live and while there are none. The idle ones end with the
 * heartbeat, so that they cost no wake of their own.
 */
const SAMPLE_MS = { busy: 50, idle: 3_000 } as const;
const WINDOW_MS = 10_000;

export interface LoopDelayOptions {
  readonly clock: Clock;
  readonly isBusy: () => boolean;
  /** Runs `run` once after `ms` without keeping the process alive; the returned function cancels it. */
  readonly after?: (ms: number, run: () => void) => () => void;
  /** Lets a wait end together with those of other idle work. */
  readonly aligned?: (ms: number) => number;
}

/** How late this thread's event loop runs its timers. */
export class LoopDelay {
  readonly #options: Required<LoopDelayOptions>;
  #late: number[] = [];
  #windowFrom: number;
  #lastP99Ms = 0;
  #cancel: () => void;

  constructor(options: LoopDelayOptions) {
    this.#options = { after: afterAligned, aligned: alignedMs, ...options };
    this.#windowFrom = options.clock.monotonic();
    this.#cancel = this.#next();
  }

  /** The worse of the last complete window of ten seconds and the current one, so that a stall is never hidden. */
  get p99Ms(): number {
    return Math.max(this.#lastP99Ms, p99(this.#late));
  }

  stop(): void {
    this.#cancel();
  }

  #next(): () => void {
    const { clock, isBusy, after, aligned } = this.#options;
    const waitMs = isBusy() ? SAMPLE_MS.busy : aligned(SAMPLE_MS.idle);
    const due = clock.monotonic() + waitMs;
    return after(waitMs, () => {
      const now = clock.monotonic();
      this.#late.push(Math.max(0, now - due));
      if (now - this.#windowFrom >= WINDOW_MS) {
        this.#lastP99Ms = p99(this.#late);
        this.#late = [];
        this.#windowFrom = now;
      }
      this.#cancel = this.#next();
    });
  }
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
