import { forgetUploads } from '../../domain/campaigns/import/upload-status.ts';
import type { Importer } from '../../domain/campaigns/import/run-import.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { failUpload, findUpload, type UploadRef } from '../../store/campaigns/uploads.ts';
import { extendJob } from '../../store/jobs.ts';
import type { DueJob, JobHandler } from '../job-runner.ts';

/** After a crash, another process takes the list over when this lease expires. */
export const IMPORT_LEASE_MS = 20_000;
const EXTEND_MS = 5000;
/** A crash counts as an attempt although the list may not have caused it, so the retry budget is large. */
export const IMPORT_RETRY_MS: readonly number[] = [
  1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000,
];

/** Fails the attempt, so that the job is retried, while another process may still be reading the list. */
async function expectFinished(db: Db, ref: UploadRef): Promise<void> {
  const upload = await findUpload(db, ref);
  if (upload?.state === 'received') throw new Error('another process may still be reading the list');
}

/** Job that reads a contact list uploaded with `POST /campaign/upload-csv`. */
export function importList(deps: { db: Db; clock: Clock; importer: Importer }): JobHandler {
  const refOf = ({ payload }: DueJob): UploadRef => ({
    workspaceId: String(payload['workspaceId']),
    uploadId: String(payload['uploadId']),
  });
  return {
    async run(job) {
      const now = deps.clock.now();
      await forgetUploads(deps.db, now);
      let extended: Promise<void> = Promise.resolve();
      const extend = setInterval(() => {
        const until = new Date(deps.clock.now() + IMPORT_LEASE_MS);
        // If renewals fail the lease expires; an advisory lock still admits only one reader.
        extended = extended.then(() => extendJob(deps.db, job, until)).catch(() => undefined);
      }, EXTEND_MS);
      try {
        const { kind } = await deps.importer.run({ ...refOf(job), at: now, request: null });
        if (kind === 'not_ours') await expectFinished(deps.db, refOf(job));
      } finally {
        clearInterval(extend);
        // Written after the end of the job, an extension would replace the time of its next try.
        await extended;
      }
    },
    async gaveUp(job) {
      const at = new Date(deps.clock.now());
      const message = 'The contact list could not be read; please upload it again';
      await deps.db.transaction().execute((tx) => failUpload(tx, refOf(job), message, at));
    },
  };
}
