import { forgetUploads } from '../domain/campaigns/import/upload-status.ts';
import { deleteExpiredAnswers } from '../domain/idempotency.ts';
import { stepErasure } from '../domain/privacy/erase-numbers.ts';
import { sweepRetention } from '../domain/privacy/retention.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';

export interface PrivacyWorkerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollMs?: number;
}

const SWEEP_EVERY_MS = 3_600_000;
/** Erasure steps per poll. */
const STEPS = 20;

/**
 * Executes erasure requests, and once an hour deletes data whose retention time is over and expired idempotent
 * responses. Progress is stored in the database, so another process continues after a crash.
 */
export class PrivacyWorker {
  readonly #options: PrivacyWorkerOptions;
  readonly #poller: Poller;
  #sweptAt = Number.NEGATIVE_INFINITY;

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

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  async #poll(): Promise<number | void> {
    const { clock, log } = this.#options;
    for (let step = 0; step < STEPS; step += 1) {
      if (!this.#poller.isStarted || !(await stepErasure(this.#options))) break;
      if (step === STEPS - 1) return 0;
    }
    if (clock.monotonic() - this.#sweptAt < SWEEP_EVERY_MS) return;
    const isStopped = (): boolean => !this.#poller.isStarted;
    await deleteExpiredAnswers(this.#options, isStopped);
    await forgetUploads(this.#options.db, clock.now());
    const swept = await sweepRetention(this.#options, isStopped);
    this.#sweptAt = clock.monotonic();
    if (swept.recordings + swept.transcripts + swept.audit > 0) {
      log.info(swept, 'data past its retention time was deleted');
    }
  }
}
