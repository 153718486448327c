import { forgetUploads } from '../domain/campaigns/import/upload-status.ts';
import { deleteExpiredAnswers } from '../domain/idempotency.ts';
import { stepErasure } from '../domain/privacy/erase-numbers.ts';
import { ErasurePlaces } from '../domain/privacy/erasure-places.ts';
import {
  keepTombstones,
  tombstoneKey,
  type TombstoneKey,
  type TombstoneList,
} from '../domain/privacy/tombstones.ts';
import { sweepRetention } from '../domain/privacy/retention.ts';
import type { Clock, Scheduler } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import type { Erasure } from '../store/privacy/erasure.ts';

export interface PrivacyWorkerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  /** What a restored backup must not bring back. */
  readonly tombstones: TombstoneList & { create(): Promise<void> };
  readonly pollMs?: number;
  /** Measures how long a step lasts. */
  readonly scheduler?: Scheduler;
}

const SWEEP_EVERY_MS = 3_600_000;
/** Steps of erasures at once. */
const PLACES = 3;

/**
 * Executes erasure requests, fairly between workspaces, writes the list of tombstones, and once an hour deletes data whose retention time is over and
 * expired idempotent responses. Progress is stored in the database, so another process continues after a crash.
 */
export class PrivacyWorker {
  readonly #options: PrivacyWorkerOptions;
  readonly #poller: Poller;
  readonly #places = new ErasurePlaces(PLACES);
  /** Each runs steps until none is due. */
  readonly #lanes = new Set<Promise<void>>();
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** Null: the list has not been opened yet. */
  #key: TombstoneKey | null = null;

  constructor(options: PrivacyWorkerOptions) {
    this.#options = options;
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: options.pollMs ?? 2000,
      onError: (error) => options.log.error({ err: error }, 'deleting personal data failed; it is retried'),
    });
  }

  start(): void {
    this.#poller.start();
  }

  /** Polls for work now. */
  kick(): void {
    this.#poller.kick();
  }

  /** Waits for the steps under way. */
  async stop(): Promise<void> {
    await this.#poller.stop();
    await Promise.all(this.#lanes);
  }

  async #poll(): Promise<void> {
    const { clock, log } = this.#options;
    await this.#keepTombstones();
    while (this.#lanes.size < PLACES) {
      const lane = this.#erase().finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
    if (clock.monotonic() - this.#sweptAt < SWEEP_EVERY_MS) return;
    const isStopped = (): boolean => !this.#poller.isStarted;
    await deleteExpiredAnswers(this.#options, isStopped);
    await forgetUploads(this.#options.db, clock.now());
    const swept = await sweepRetention(this.#options, isStopped, (error, workspaceId) =>
      log.error({ err: error, workspaceId }, 'data past its retention time was not deleted; it is retried'),
    );
    this.#sweptAt = clock.monotonic();
    if (Object.values(swept).some((count) => count > 0)) {
      log.info(swept, 'data past its retention time was deleted');
    }
  }

  /** Runs steps until none is due of a workspace that may take a place. */
  async #erase(): Promise<void> {
    const { scheduler } = this.#options;
    const how = {
      places: this.#places,
      onFailure: this.#onFailure,
      ...(scheduler === undefined ? {} : { scheduler }),
    };
    try {
      while (this.#poller.isStarted && (await stepErasure(this.#options, how))) {
        // The next one.
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'deleting personal data failed; it is retried');
    }
  }

  readonly #onFailure = (error: unknown, { workspaceId, id, tries }: Erasure): void => {
    this.#options.log.error(
      { err: error, workspaceId, erasureId: id, tries: tries + 1 },
      'a step of an erasure failed; it is tried again',
    );
  };

  /** A full disk or an unreachable store delays the list, never an erasure. */
  async #keepTombstones(): Promise<void> {
    const { log, tombstones: list } = this.#options;
    try {
      if (this.#key === null) {
        await list.create();
        this.#key = await tombstoneKey(this.#options);
      }
      if (this.#key === null) throw new Error('another SECRET_KEY sealed the key of the list');
      await keepTombstones({ ...this.#options, key: this.#key, list });
    } catch (error) {
      log.error({ err: error }, 'the list of erased and opted-out numbers was not written; it is retried');
    }
  }
}
