import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { Shares } from '../shared/shares/shares.ts';
import { finishJob, hasDueJobs, jobsToGiveUp, takeJobs, type DueJob } from '../store/jobs.ts';

export type { DueJob } from '../store/jobs.ts';

export interface JobHandler {
  /** Does the job. Must be idempotent: jobs run at least once. A rejection causes a retry. */
  run(job: DueJob): Promise<void>;
  /** Called when the retry budget is spent, so that work that depends on the job can end. */
  gaveUp(job: DueJob): Promise<void>;
}

export interface JobRunnerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** This runner takes no job of another kind, so slow jobs of one kind cannot delay another kind. */
  readonly kind: string;
  readonly handler: JobHandler;
  /** Must exceed the duration of every attempt. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
  /** Jobs in progress in all. */
  readonly parallel?: number;
  /** A workspace holds at most one of so many parts of the places that the others leave, see `Shares`. */
  readonly parts?: number;
  /** Waits after the first, second and further failed attempts; the attempt after the last wait is the final one. */
  readonly retryAfterMs?: readonly number[];
}

/** Interrupted jobs that one poll gives up. */
const GIVE_UP_BATCH = 50;
/** When another process leased a chosen job first, the next poll follows after this time. */
const LOST_MS = 20;

/**
 * Runs background jobs of one kind, at least once each. Several runners may share one database. Its places
 * are shared fairly between workspaces with due jobs: a tenant whose jobs hang delays its own jobs only.
 */
export class JobRunner {
  readonly #options: Required<JobRunnerOptions>;
  readonly #poller: Poller;
  readonly #shares: Shares;
  /** The last poll that took jobs found none. */
  #foundNone = false;

  constructor(options: JobRunnerOptions) {
    this.#options = {
      leaseMs: 180_000,
      pollMs: 1000,
      parallel: 2,
      parts: 2,
      retryAfterMs: [5000, 30_000, 120_000],
      ...options,
    };
    this.#shares = new Shares({ places: this.#options.parallel, parts: this.#options.parts });
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: this.#options.pollMs,
      onError: (error) => options.log.error({ err: error }, 'due jobs could not be read'),
    });
  }

  get kind(): string {
    return this.#options.kind;
  }

  start(): void {
    this.#poller.start();
  }

  /** Polls for due jobs now. */
  kick(): void {
    this.#poller.kick();
  }

  /** Starts no more jobs and waits up to `graceMs` for running ones. A job cut off is due again when its lease expires. */
  async stop(graceMs = 5000): Promise<void> {
    await this.#poller.stop(graceMs);
  }

  async #poll(): Promise<number> {
    const { db, clock, kind, leaseMs, parts, pollMs, retryAfterMs } = this.#options;
    const { free } = this.#shares;
    if (free <= 0) return pollMs;
    const now = new Date(clock.now());
    // A poll that followed one without jobs is most often a sweep of an idle process.
    if (this.#foundNone && !(await hasDueJobs(db, kind, now))) return pollMs;
    const maxAttempts = retryAfterMs.length + 1;
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const which = { kind, now, leaseUntil, maxAttempts };
    const given = await jobsToGiveUp(db, { ...which, limit: GIVE_UP_BATCH });
    for (const job of given) {
      await this.#options.handler.gaveUp(job);
      await finishJob(db, job, { state: 'dead', dueAt: now, error: 'interrupted' });
    }
    const { taken, lost } = await takeJobs(db, {
      ...which,
      places: { free, parts, shares: this.#shares.list() },
    });
    this.#foundNone = given.length + taken.length + lost === 0;
    for (const job of taken) this.#poller.track(this.#counted(job));
    return lost > 0 ? LOST_MS : pollMs;
  }

  /** Attempts a job, which meanwhile counts in its workspace's share. */
  async #counted(job: DueJob): Promise<void> {
    const release = this.#shares.enter(job.workspaceId);
    await this.#attempt(job);
    release();
  }

  async #attempt(job: DueJob): Promise<void> {
    const { db, clock, log, handler, retryAfterMs } = this.#options;
    const end = (state: 'due' | 'done' | 'dead', waitMs: number, error: string | null): Promise<void> =>
      finishJob(db, job, { state, dueAt: new Date(clock.now() + waitMs), error });
    try {
      await handler.run(job);
      await end('done', 0, null);
    } catch (error) {
      const { id: jobId, kind, attempt, workspaceId, payload } = job;
      const callId = payload['call_id'];
      log.warn({ err: error, jobId, kind, attempt, workspaceId, callId }, 'a job failed');
      const name = error instanceof Error ? error.name : 'failed';
      const waitMs = retryAfterMs[job.attempt - 1];
      try {
        if (waitMs === undefined) await handler.gaveUp(job);
        await end(waitMs === undefined ? 'dead' : 'due', waitMs ?? 0, name);
      } catch (failure) {
        // The job is due again when its lease expires.
        log.error({ err: failure, jobId: job.id }, 'a job outcome could not be stored');
      }
    }
  }
}
