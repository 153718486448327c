import { setTimeout as sleep } from 'node:timers/promises';
import { afterAligned } from './aligned.ts';
import { inTurn } from './in-turn.ts';

/** Polls after such a wait or a longer one take their turn with others of this thread (`inTurn`). */
const SLOW_MS = 10_000;

export interface PollerOptions {
  /** Takes due work once. Returns the ms until the next poll if that is sooner than `pollMs`. */
  readonly poll: () => Promise<number | void>;
  readonly pollMs: number;
  /** How long a poll that kicks have requested during the previous poll waits to collect more kicks. */
  readonly gatherMs?: number;
  /** The wait after a poll that rejects. Absent: `pollMs`. */
  readonly failedMs?: number;
  /** Called when a poll rejects. */
  readonly onError: (error: unknown) => void;
}

/**
 * Polls for due work every `pollMs`, together with other pollers (`afterAligned`), and on each kick, never two polls at once: all kicks during a poll cause one more.
 * Work that a poll leaves running can be tracked, so that `stop` waits for it.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #work = new Set<Promise<void>>();
  #cancel: (() => void) | null = null;
  #current: Promise<void> = Promise.resolve();
  #isPolling = false;
  #isKicked = false;
  #isGathering = false;
  #isStarted = false;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** How many tracked promises are pending. */
  get running(): number {
    return this.#work.size;
  }

  start(): void {
    this.#isStarted = true;
    this.kick();
  }

  /** Polls now, or once more after the poll under way. */
  kick(): void {
    if (!this.#isStarted || this.#isGathering) return;
    if (this.#isPolling) {
      this.#isKicked = true;
      return;
    }
    this.#begin();
  }

  /** Counts `work` as running until it settles, then polls again, because capacity is free. It must not reject. */
  track(work: Promise<void>): void {
    const tracked = work.then(() => {
      this.#work.delete(tracked);
      this.kick();
    });
    this.#work.add(tracked);
  }

  /** Stops polling. Waits for the poll under way and, up to `graceMs`, for tracked work. */
  async stop(graceMs = 0): Promise<void> {
    this.#isStarted = false;
    this.#isGathering = false;
    this.#cancel?.();
    this.#cancel = null;
    await this.#current;
    if (this.#work.size === 0) return;
    const grace = new AbortController();
    await Promise.race([
      Promise.all(this.#work),
      sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
  }

  #begin(isSlow = false): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#isGathering = false;
    this.#isPolling = true;
    const polling = isSlow ? inTurn(() => this.#poll()) : this.#poll();
    this.#current = polling.then((waitMs) => {
      this.#isPolling = false;
      if (!this.#isStarted) return;
      const { gatherMs = 0 } = this.#options;
      if (this.#isKicked && gatherMs === 0) {
        this.#isKicked = false;
        return this.#begin();
      }
      this.#isGathering = this.#isKicked;
      const isSlow = !this.#isKicked && waitMs >= SLOW_MS;
      this.#cancel = afterAligned(
        this.#isKicked ? Math.min(gatherMs, waitMs) : waitMs,
        () => this.#begin(isSlow),
        { keepsAlive: true },
      );
      this.#isKicked = false;
    });
  }

  async #poll(): Promise<number> {
    const { poll, pollMs, failedMs = pollMs, onError } = this.#options;
    // It was stopped before its turn.
    if (!this.#isStarted) return pollMs;
    try {
      return Math.min(pollMs, (await poll()) ?? pollMs);
    } catch (error) {
      onError(error);
      return failedMs;
    }
  }
}
