import type { Scheduler } from '../../shared/clock.ts';

/** A connection is left so long before the vendor ends it, if no quiet moment comes. */
const LEAVES_BEFORE_MS = 1_000;

/** The vendor ends a connection because of its age: the call moves in a quiet moment, or shortly before the end. */
export class Leaving {
  readonly #scheduler: Scheduler;
  readonly #isQuiet: () => boolean;
  readonly #move: () => void;
  /** Null: the vendor has not said so. */
  #cancel: (() => void) | null = null;

  constructor(scheduler: Scheduler, isQuiet: () => boolean, move: () => void) {
    this.#scheduler = scheduler;
    this.#isQuiet = isQuiet;
    this.#move = move;
  }

  /** The connection ends in `ms`. */
  within(ms: number): void {
    this.stay();
    if (ms <= LEAVES_BEFORE_MS) return this.#move();
    this.#cancel = this.#scheduler.after(ms - LEAVES_BEFORE_MS, () => this.#leave());
    return this.ifQuiet();
  }

  /** Something ended: this may be the moment. */
  ifQuiet(): void {
    if (this.#cancel !== null && this.#isQuiet()) this.#leave();
  }

  stay(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #leave(): void {
    this.stay();
    this.#move();
  }
}
