import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import type { Db } from '../store/database.ts';
import { finishJob, jobsToGiveUp, takeJobs, type DueJob } from '../store/jobs.ts';

export type { DueJob } from '../store/jobs.ts';

export interface JobHandler {
  /** Does the job; it may run again after it was done. Throws when another attempt may help. */
  run(job: DueJob): Promise<void>;
  /** No attempt is left: what waits for the job is told. */
  gaveUp(job: DueJob): Promise<void>;
}

export interface JobRunnerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** By kind; jobs of other kinds are left to other processes. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Longer than any attempt may take. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly parallel?: number;
  /** Waits after the first, second and further failed attempts; after the last one the job is given up. */
  readonly retryAfterMs?: readonly number[];
}

/** Runs background jobs at least once each. Several runners may work on one database. */
export class JobRunner {
  readonly #options: Required<JobRunnerOptions>;
  readonly #kinds: readonly string[];
  readonly #loop: LookingLoop;

  constructor(options: JobRunnerOptions) {
    this.#options = {
      leaseMs: 180_000,
      pollMs: 1000,
      parallel: 2,
      retryAfterMs: [5000, 30_000, 120_000],
      ...options,
    };
    this.#kinds = Object.keys(options.handlers);
    this.#loop = new LookingLoop({
      look: () => this.#look(),
      pollMs: this.#options.pollMs,
      onError: (error) => options.log.error({ err: error }, 'due jobs could not be read'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Look for due jobs now. */
  kick(): void {
    this.#loop.kick();
  }

  /** Starts no more jobs and waits up to `graceMs` for those under way; one left then is due again later. */
  async stop(graceMs = 5000): Promise<void> {
    await this.#loop.stop(graceMs);
  }

  async #look(): Promise<void> {
    const { db, clock, leaseMs, parallel, retryAfterMs } = this.#options;
    const limit = parallel - this.#loop.running;
    if (limit <= 0) return;
    const now = new Date(clock.now());
    const maxAttempts = retryAfterMs.length + 1;
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const which = { kinds: this.#kinds, now, leaseUntil, maxAttempts };
    for (const job of await jobsToGiveUp(db, which)) {
      await this.#giveUp(job);
      await finishJob(db, job, { state: 'dead', dueAt: now, error: 'interrupted' });
    }
    const taken = await takeJobs(db, { ...which, limit });
    for (const job of taken) this.#loop.keep(this.#attempt(job));
  }

  async #attempt(job: DueJob): Promise<void> {
    const { db, clock, log, handlers, retryAfterMs } = this.#options;
    const end = (state: 'due' | 'done' | 'dead', waitMs: number, error: string | null): Promise<void> =>
      finishJob(db, job, { state, dueAt: new Date(clock.now() + waitMs), error });
    try {
      await handlers[job.kind]?.run(job);
      await end('done', 0, null);
    } catch (error) {
      log.warn({ err: error, jobId: job.id, kind: job.kind, attempt: job.attempt }, 'a job failed');
      const name = error instanceof Error ? error.name : 'failed';
      const waitMs = retryAfterMs[job.attempt - 1];
      try {
        if (waitMs === undefined) await this.#giveUp(job);
        await end(waitMs === undefined ? 'dead' : 'due', waitMs ?? 0, name);
      } catch (failure) {
        // The lease brings it back.
        log.error({ err: failure, jobId: job.id }, 'a job outcome was not written');
      }
    }
  }

  async #giveUp(job: DueJob): Promise<void> {
    await this.#options.handlers[job.kind]?.gaveUp(job);
  }
}
