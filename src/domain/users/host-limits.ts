import type { Clock } from '../../shared/clock.ts';
import { newId, sha256 } from '../../shared/ids.ts';
import { HELD_TTL_MS, HeldCounts } from '../../shared/limits/held-counts.ts';
import { MOST_KEYS, WindowCounts } from '../../shared/limits/window-counts.ts';
import type { Log } from '../../shared/log.ts';
import { Poller } from '../../shared/poller.ts';
import type { Db } from '../../store/database.ts';
import {
  addLimitCounts,
  dropHeldCounts,
  pruneLimitCounts,
  shareHeldCounts,
} from '../../store/host-limits.ts';

const SHARE_MS = 1_000;
/** How often it looks for held counts to renew while nothing is counted: the next count wakes it. */
const REST_MS = 5_000;
/** Keys of one statement. */
const BATCH = 1_000;
const PRUNE_MS = 600_000;

/**
 * Limits that all processes of an installation count together. Each decides by its own memory, without a query; once a second it adds
 * what it counted to the database and learns the totals of the same keys. So a stranger who asks many processes has one limit,
 * and passes it by what they admit in one second at most. While the database is away each process counts alone.
 */
export class HostLimits {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #counts = new Map<string, WindowCounts>();
  readonly #held = new Map<string, HeldCounts>();
  readonly #process = newId();
  readonly #poller: Poller;
  #isResting = false;
  #prunedAt: number;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly log: Log }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#prunedAt = deps.clock.monotonic();
    this.#poller = new Poller({
      poll: async () => {
        const hasShared = await this.share();
        this.#isResting = !hasShared && !this.#hasUnshared;
        return this.#isResting ? REST_MS : SHARE_MS;
      },
      pollMs: REST_MS,
      failedMs: SHARE_MS,
      onError: (error) =>
        deps.log.warn({ err: error }, 'the limits could not be shared with other processes'),
    });
  }

  /** The counts of a limit; all processes that name it count together. */
  counts(name: string, windowMs: number): WindowCounts {
    const counts =
      this.#counts.get(name) ?? new WindowCounts(windowMs, this.#clock, MOST_KEYS, this.#onChange);
    this.#counts.set(name, counts);
    return counts;
  }

  /** Counts of something that is held, such as open streams; all processes that name the limit count together. */
  held(name: string): HeldCounts {
    const held = this.#held.get(name) ?? new HeldCounts(this.#clock, this.#onChange);
    this.#held.set(name, held);
    return held;
  }

  /** There is nothing to share: the next count is shared at once. */
  get isResting(): boolean {
    return this.#isResting;
  }

  start(): void {
    this.#poller.start();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
    // Rows that stay expire.
    await dropHeldCounts(this.#db, this.#process).catch(() => undefined);
  }

  /** Adds what this process counted, and learns what all did. False: there was nothing to add. */
  async share(): Promise<boolean> {
    const hasHeld = await this.#shareHeld();
    const hasCounts = await this.#shareCounts();
    if (this.#clock.monotonic() - this.#prunedAt >= PRUNE_MS) {
      this.#prunedAt = this.#clock.monotonic();
      await pruneLimitCounts(this.#db, new Date(this.#clock.now()));
    }
    return hasHeld || hasCounts;
  }

  get #hasUnshared(): boolean {
    return [...this.#counts.values(), ...this.#held.values()].some(({ hasUnshared }) => hasUnshared);
  }

  /** The first count after a rest is shared at once. */
  readonly #onChange = (): void => {
    if (!this.#isResting) return;
    this.#isResting = false;
    this.#poller.kick();
  };

  async #shareHeld(): Promise<boolean> {
    let hasShared = false;
    for (const [name, counts] of this.#held) {
      const taken = counts.takeUnshared(BATCH);
      if (taken.length === 0) continue;
      hasShared = true;
      const keys = new Map(taken.map(({ key }) => [sha256(key), key]));
      const rows = taken.map(({ key, count }) => ({ name, key: sha256(key), count }));
      const now = this.#clock.now();
      try {
        const at = { now: new Date(now), endsAt: new Date(now + HELD_TTL_MS) };
        for (const { key, count } of await shareHeldCounts(this.#db, this.#process, rows, at)) {
          counts.learn(keys.get(key) ?? '', count);
        }
      } catch (error) {
        counts.giveBack(taken);
        throw error;
      }
    }
    return hasShared;
  }

  async #shareCounts(): Promise<boolean> {
    const taken = [...this.#counts].map(
      ([name, counts]) => [name, counts, counts.takeUnshared(BATCH)] as const,
    );
    const keys = new Map<string, string>();
    const rows = taken.flatMap(([name, { windowMs }, uncounted]) =>
      uncounted.map(({ key, count }) => {
        const hash = sha256(key);
        keys.set(hash, key);
        return { name, key: hash, windowMs, count };
      }),
    );
    if (rows.length > 0) {
      try {
        const totals = await addLimitCounts(this.#db, rows, new Date(this.#clock.now()));
        for (const { name, key, total, ageMs } of totals) {
          this.#counts.get(name)?.learn(keys.get(key) ?? '', total, ageMs);
        }
      } catch (error) {
        for (const [, counts, uncounted] of taken) counts.giveBack(uncounted);
        throw error;
      }
    }
    return rows.length > 0;
  }
}
