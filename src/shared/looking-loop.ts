import { setTimeout as sleep } from 'node:timers/promises';

export interface LookingLoopOptions {
  /** Looks once for what is due. Returns the ms until the next look where that is sooner than the poll. */
  readonly look: () => Promise<number | void>;
  readonly pollMs: number;
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
  #looking: Promise<void> | null = null;
  #again = false;
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
    if (!this.#isStarted) return;
    if (this.#looking !== null) {
      this.#again = true;
      return;
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#looking = this.#look().then((waitMs) => {
      this.#looking = null;
      if (!this.#isStarted) return;
      if (this.#again) {
        this.#again = false;
        this.kick();
      } else this.#timer = setTimeout(() => this.kick(), waitMs);
    });
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
