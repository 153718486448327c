import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { extendJob } from '../store/jobs.ts';
import type { DueJob } from './job-runner.ts';

/** The lease of a job that lasts long, which its process extends: after a crash another one goes on soon. */
export const SHORT_LEASE_MS = 20_000;
const EXTEND_EVERY_MS = 7_000;

/** Each process that dies under such a job takes one of its tries. */
const MOST_RETRIES = 20;
const RETRY_MS = 1_000;
export const MANY_RETRIES: readonly number[] = Array.from({ length: MOST_RETRIES }, () => RETRY_MS);

/** Extends the lease of the job while `work` runs. */
export async function leased(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log },
  job: DueJob,
  work: () => Promise<void>,
): Promise<void> {
  let extended: Promise<void> = Promise.resolve();
  const extending = setInterval(() => {
    const until = new Date(clock.now() + SHORT_LEASE_MS);
    extended = extended
      .then(() => extendJob(db, job, until))
      .catch((error: unknown) => {
        log.warn({ err: error, jobId: job.id, kind: job.kind }, 'the lease of a job could not be extended');
      });
  }, EXTEND_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(extending);
    // Written after the end of the job, an extension would replace the time of its next try.
    await extended;
  }
}
