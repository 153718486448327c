import { IMPORT_JOB } from '../domain/campaigns/import/take-upload.ts';
import { ContactImporter } from '../jobs/import/contact-importer.ts';
import { IMPORT_LEASE_MS, IMPORT_RETRY_MS, importList } from '../jobs/import/import-list.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';

/** What reads contact lists in this process: while a request waits, and in the background where it has the role. */
export class ContactLists {
  readonly importer: ContactImporter;
  readonly #runner: JobRunner | null;

  constructor(deps: { db: Db; url: string; clock: Clock; log: Log; hasJobs: boolean }) {
    this.importer = new ContactImporter(deps);
    // A runner of its own: a long list must not hold back what else waits.
    this.#runner = deps.hasJobs
      ? new JobRunner({
          db: deps.db,
          clock: deps.clock,
          log: deps.log,
          handlers: { [IMPORT_JOB]: importList({ db: deps.db, clock: deps.clock, importer: this.importer }) },
          leaseMs: IMPORT_LEASE_MS,
          retryAfterMs: IMPORT_RETRY_MS,
          parallel: 1,
        })
      : null;
    this.#runner?.start();
  }

  kick(): void {
    this.#runner?.kick();
  }

  /** Cuts off what is being read; the lists are read again by whoever comes next. */
  async stop(): Promise<void> {
    await this.importer.close();
    await this.#runner?.stop();
  }
}
