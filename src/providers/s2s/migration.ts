import type { Scheduler } from '../../shared/clock.ts';

/** Latest migration time before the vendor's GoAway deadline. */
const MIGRATES_BEFORE_MS = 1_000;

/** Migrates a call off an ageing connection: when the call is idle, or at the latest before the deadline. */
export class Migration {
  readonly #scheduler: Scheduler;
  readonly #isIdle: () => boolean;
  readonly #move: () => void;
  /** Null: no migration is pending. */
  #cancel: (() => void) | null = null;

  constructor(scheduler: Scheduler, isIdle: () => boolean, move: () => void) {
    this.#scheduler = scheduler;
    this.#isIdle = isIdle;
    this.#move = move;
  }

  /** Schedules the migration: the vendor closes the connection in `ms`. */
  before(ms: number): void {
    this.cancel();
    if (ms <= MIGRATES_BEFORE_MS) return this.#move();
    this.#cancel = this.#scheduler.after(ms - MIGRATES_BEFORE_MS, () => this.#migrate());
    return this.ifIdle();
  }

  /** Migrates now if the call is idle. */
  ifIdle(): void {
    if (this.#cancel !== null && this.#isIdle()) this.#migrate();
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #migrate(): void {
    this.cancel();
    this.#move();
  }
}
