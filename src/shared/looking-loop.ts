import { setTimeout as sleep } from 'node:timers/promises';

export interface LookingLoopOptions {
  /** Looks once for what is due. Returns the ms until the next look where that is sooner than the poll. */
  readonly look: () => Promise<number | void>;
  readonly pollMs: number;
  /** A look that follows on kicks during the one before waits so long for more of them. */
  readonly gatherMs?: number;
  /** A look failed; the next one comes with the poll. */
  readonly onError: (error: unknown) => void;
}

/**
 * Looks for due work when it is kicked and at every poll, one look at a time: kicks during a look make one more.
 * What a look began and left running can be kept here, so that a stop waits for it.
 */
export class LookingLoop {
  readonly #options: LookingLoopOptions;
  readonly #work = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #again = false;
  #isGathering = false;
  #isStarted = false;

  constructor(options: LookingLoopOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** How much of what was kept is still running. */
  get running(): number {
    return this.#work.size;
  }

  start(): void {
    this.#isStarted = true;
    this.kick();
  }

  /** Look now. */
  kick(): void {
    if (!this.#isStarted || this.#isGathering) return;
    if (this.#isLooking) {
      this.#again = true;
      return;
    }
    this.#begin();
  }

  /** Counts `work` as running until it ends, then looks again: its place is free. It must not reject. */
  keep(work: Promise<void>): void {
    const kept = work.then(() => {
      this.#work.delete(kept);
      this.kick();
    });
    this.#work.add(kept);
  }

  /** Looks no more; resolves when the look under way has ended and, within `graceMs`, what it left running. */
  async stop(graceMs = 0): Promise<void> {
    this.#isStarted = false;
    this.#isGathering = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#looking;
    if (this.#work.size === 0) return;
    const grace = new AbortController();
    await Promise.race([
      Promise.all(this.#work),
      sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isGathering = false;
    this.#isLooking = true;
    this.#looking = this.#look().then((waitMs) => {
      this.#isLooking = false;
      if (!this.#isStarted) return;
      const { gatherMs = 0 } = this.#options;
      if (this.#again && gatherMs === 0) {
        this.#again = false;
        return this.#begin();
      }
      this.#isGathering = this.#again;
      this.#timer = setTimeout(() => this.#begin(), this.#again ? Math.min(gatherMs, waitMs) : waitMs);
      this.#again = false;
    });
  }

  async #look(): Promise<number> {
    const { look, pollMs, onError } = this.#options;
    try {
      return Math.min(pollMs, (await look()) ?? pollMs);
    } catch (error) {
      onError(error);
      return pollMs;
    }
  }
}
