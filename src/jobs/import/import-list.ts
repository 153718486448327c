import { forgetUploads } from '../../domain/campaigns/import/forget-uploads.ts';
import type { Importer } from '../../domain/campaigns/import/importer.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { failUpload, findUpload, type UploadRef } from '../../store/campaign-uploads.ts';
import { extendJob } from '../../store/jobs.ts';
import type { DueJob, JobHandler } from '../job-runner.ts';

/** A process that dies gives its list to others after so long. */
export const IMPORT_LEASE_MS = 20_000;
const EXTEND_MS = 5000;
/** Deaths count as attempts, and a process may die of other things: a list is given up late. */
export const IMPORT_RETRY_MS: readonly number[] = [
  1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000,
];

/** A process taken for dead may still be reading it: then this attempt is not the last. */
async function checkOver(db: Db, ref: UploadRef): Promise<void> {
  const upload = await findUpload(db, ref);
  if (upload?.state === 'received') throw new Error('another process is reading the list');
}

/** Reads the list of a campaign that was uploaded to be read later. */
export function importList(deps: { db: Db; clock: Clock; importer: Importer }): JobHandler {
  const refOf = ({ payload }: DueJob): UploadRef => ({
    workspaceId: String(payload['workspaceId']),
    uploadId: String(payload['uploadId']),
  });
  return {
    async run(job) {
      const now = deps.clock.now();
      await forgetUploads(deps.db, now);
      const extend = setInterval(() => {
        // One that fails lets the lease run out; the list itself can still be read by one process only.
        extendJob(deps.db, job, new Date(deps.clock.now() + IMPORT_LEASE_MS)).catch(() => undefined);
      }, EXTEND_MS);
      try {
        const { kind } = await deps.importer.run({ ...refOf(job), at: now, request: null });
        if (kind === 'not_ours') await checkOver(deps.db, refOf(job));
      } finally {
        clearInterval(extend);
      }
    },
    async gaveUp(job) {
      const at = new Date(deps.clock.now());
      const message = 'The contact list could not be read; please upload it again';
      await deps.db.transaction().execute((tx) => failUpload(tx, refOf(job), message, at));
    },
  };
}
