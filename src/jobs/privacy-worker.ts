import { forgetUploads } from '../domain/campaigns/import/forget-uploads.ts';
import { forgetOldAnswers } from '../domain/idempotency.ts';
import { stepErasure } from '../domain/privacy/erase-numbers.ts';
import { sweepRetention } from '../domain/privacy/retention.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import type { Db } from '../store/database.ts';

export interface PrivacyWorkerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollMs?: number;
}

const SWEEP_EVERY_MS = 3_600_000;
/** Steps of erasures between two looks at the clock. */
const STEPS = 20;

/**
 * Erases what was asked for and deletes what is over, by the rules of the workspaces and of kept answers. What is left
 * undone is in the database: another goes on.
 */
export class PrivacyWorker {
  readonly #options: PrivacyWorkerOptions;
  readonly #loop: LookingLoop;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: PrivacyWorkerOptions) {
    this.#options = options;
    this.#loop = new LookingLoop({
      look: () => this.#look(),
      pollMs: options.pollMs ?? 2000,
      onError: (error) => options.log.error({ err: error }, 'personal data could not be deleted yet'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Look for work now. */
  kick(): void {
    this.#loop.kick();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #look(): Promise<number | void> {
    const { clock, log } = this.#options;
    for (let step = 0; step < STEPS; step += 1) {
      if (!this.#loop.isStarted || !(await stepErasure(this.#options))) break;
      if (step === STEPS - 1) return 0;
    }
    if (clock.now() - this.#sweptAt < SWEEP_EVERY_MS) return;
    const isStopped = (): boolean => !this.#loop.isStarted;
    await forgetOldAnswers(this.#options, isStopped);
    await forgetUploads(this.#options.db, clock.now());
    const swept = await sweepRetention(this.#options, isStopped);
    this.#sweptAt = clock.now();
    if (swept.recordings + swept.transcripts + swept.audit > 0) {
      log.info(swept, 'what is kept no longer was deleted');
    }
  }
}
