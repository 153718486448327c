import { IMPORT_JOB } from '../domain/campaigns/import/take-upload.ts';
import { ContactImporter } from '../jobs/import/contact-importer.ts';
import { IMPORT_LEASE_MS, IMPORT_RETRY_MS, importList } from '../jobs/import/import-list.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { QueueWatch } from '../jobs/queue-watch.ts';
import { SWEEP_MS } from '../jobs/sweep-rule.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';

/** Reads contact lists: within a request, and in the background on processes with the jobs role. */
export class ContactLists {
  readonly importer: ContactImporter;
  readonly #runner: JobRunner | null;

  /** `queues`: null on processes without the jobs role. */
  constructor(deps: { db: Db; url: string; clock: Clock; log: Log; queues: QueueWatch | null }) {
    this.importer = new ContactImporter(deps);
    // A separate job runner, so that a long list does not delay other jobs (head-of-line blocking).
    this.#runner =
      deps.queues === null
        ? null
        : new JobRunner({
            db: deps.db,
            clock: deps.clock,
            log: deps.log,
            kind: IMPORT_JOB,
            handler: importList({ db: deps.db, clock: deps.clock, importer: this.importer }),
            leaseMs: IMPORT_LEASE_MS,
            retryAfterMs: IMPORT_RETRY_MS,
            parallel: 1,
            pollMs: SWEEP_MS,
          });
    deps.queues?.watch(`job:${IMPORT_JOB}`, () => this.kick());
    this.#runner?.start();
  }

  kick(): void {
    this.#runner?.kick();
  }

  /** Aborts running imports; their jobs are repeated from the start. */
  async stop(): Promise<void> {
    await this.importer.close();
    await this.#runner?.stop();
  }
}
