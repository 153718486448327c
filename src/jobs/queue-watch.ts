import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { queuesWithWork, type Queue } from '../store/due-work.ts';
import { SweepRule } from './sweep-rule.ts';

const LOOK_MS = 500;
/** How often it looks when no queue has had work for `IDLE_AFTER_MS`. */
const IDLE_LOOK_MS = 2_000;
const IDLE_AFTER_MS = 30_000;
/** How often it checks, without the database, whether its looks still succeed: at the moments of its idle looks. */
const CHECK_MS = IDLE_LOOK_MS;

export interface QueueWatchDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

interface Watched {
  readonly wake: () => void;
  readonly everyMs: number;
  /** Monotonic. */
  wokenAt: number;
}

/**
 * Finds by one statement twice a second (idle: every other second) which queues have work, and wakes their pollers: so an idle process does not
 * run the statements of every poller. Work that this process puts into a queue wakes the poller at once, without it. While its looks fail or
 * hang, and when they succeed again, it wakes all pollers (`SweepRule`).
 */
export class QueueWatch {
  readonly #deps: QueueWatchDeps;
  readonly #poller: Poller;
  readonly #check: Poller;
  readonly #watched = new Map<Queue, Watched>();
  readonly #sweeps: SweepRule;
  /** When a queue last had work, monotonic. */
  #foundAt = Number.NEGATIVE_INFINITY;

  constructor(deps: QueueWatchDeps) {
    this.#deps = deps;
    this.#sweeps = new SweepRule(deps.clock.monotonic());
    this.#poller = new Poller({
      poll: async () => {
        const at = deps.clock.monotonic();
        if (await this.look()) this.#foundAt = at;
        return at - this.#foundAt < IDLE_AFTER_MS ? LOOK_MS : IDLE_LOOK_MS;
      },
      pollMs: IDLE_LOOK_MS,
      onError: (error) => {
        this.#sweeps.failed();
        deps.log.error({ err: error }, 'the queues could not be looked at; retrying');
      },
    });
    this.#check = new Poller({
      poll: () => {
        if (this.#sweeps.isDue(deps.clock.monotonic())) this.#wakeAll();
        return Promise.resolve();
      },
      pollMs: CHECK_MS,
      onError: (error) => deps.log.error({ err: error }, 'the pollers of the queues could not be woken'),
    });
  }

  /** While `queue` has work, calls `wake` about every `everyMs`, and at once when the work appears. */
  watch(queue: Queue, wake: () => void, everyMs = 1_000): void {
    this.#watched.set(queue, { wake, everyMs, wokenAt: Number.NEGATIVE_INFINITY });
  }

  start(): void {
    this.#poller.start();
    this.#check.start();
  }

  async stop(): Promise<void> {
    await this.#check.stop();
    await this.#poller.stop();
  }

  /** Wakes the pollers of the queues that have work; false: none has. */
  async look(): Promise<boolean> {
    const { db, clock } = this.#deps;
    const queues = await queuesWithWork(db, new Date(clock.now()));
    const at = clock.monotonic();
    if (this.#sweeps.saw(at)) this.#wakeAll();
    for (const queue of queues) {
      const watched = this.#watched.get(queue);
      // Half a look early rather than half a look late.
      if (watched === undefined || at - watched.wokenAt < watched.everyMs - LOOK_MS / 2) continue;
      watched.wokenAt = at;
      watched.wake();
    }
    return queues.length > 0;
  }

  #wakeAll(): void {
    const at = this.#deps.clock.monotonic();
    for (const watched of this.#watched.values()) {
      watched.wokenAt = at;
      watched.wake();
    }
  }
}
