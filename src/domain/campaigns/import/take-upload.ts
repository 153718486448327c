import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { insertCampaign } from '../../../store/campaign-uploads.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { IdempotencyClaim } from '../../../store/idempotency.ts';
import { insertJob } from '../../../store/jobs.ts';
import type { ChangeEntry } from '../../audit/change-entry.ts';
import type { RecordingLink } from '../../calls/call-record.ts';
import type { Importer } from './importer.ts';
import type { ImportPlan } from './import-plan.ts';
import type { IncomingFile } from './incoming-file.ts';
import { rejectsUrlOf, rowReport, savedAnswer } from './row-report.ts';
import { newCampaign } from './run-import.ts';

export const IMPORT_JOB = 'import_contacts';

export interface TakeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly link: RecordingLink;
  readonly importer: Importer;
}

/**
 * POST /campaign/save: the list is read before the answer, and the campaign exists only with all of its contacts.
 * Throws 422 with the row report, having stored only the refused rows, for a day.
 */
export async function saveList(
  deps: TakeDeps,
  file: IncomingFile,
  plan: ImportPlan,
  claim: IdempotencyClaim | null,
  entry: ChangeEntry | null = null,
): Promise<ReturnType<typeof savedAnswer>> {
  const { ref } = file;
  // The list is no change before it is a campaign: that is committed by the thread that reads it.
  entry?.tell({ list_id: ref.uploadId });
  const row = entry?.handOver() ?? null;
  await deps.db.transaction().execute((tx) => file.close(tx, plan));
  const rejectsUrl = rejectsUrlOf(deps.link, ref.workspaceId, ref.uploadId);
  const result = await deps.importer.run({
    ...ref,
    at: deps.clock.now(),
    request: { claim, rejectsUrl, entry: row },
  });
  if (result.kind === 'refused') throw errors.validationFailed(result.problems);
  if (result.kind === 'not_ours') throw errors.requestInProgress();
  const { outcome } = result;
  if (outcome.failure !== null) throw errors.contactsInvalid(outcome.failure, rowReport(outcome, rejectsUrl));
  entry?.written();
  return savedAnswer(ref.uploadId, outcome, rejectsUrl);
}

/** The answer of POST /campaign/upload-csv. */
export const uploadingAnswer = (campaignId: string, name: string) => ({
  bulk_list_id: campaignId,
  list_id: campaignId,
  status: 'verifying' as const,
  campaign_name: name,
  total_callees: 0,
  invalidated_rows_count: 0,
  invalidated_rows_csv_url: null,
});

/**
 * POST /campaign/upload-csv: file, campaign and the job that reads it are one transaction, in which `onStored` runs;
 * from then on the list is read whatever becomes of this process.
 */
export async function takeList(
  deps: { db: Db; clock: Clock },
  file: IncomingFile,
  plan: ImportPlan,
  onStored: (tx: Tx, answer: ReturnType<typeof uploadingAnswer>) => Promise<void>,
): Promise<ReturnType<typeof uploadingAnswer>> {
  const { ref } = file;
  const at = new Date(deps.clock.now());
  const answer = uploadingAnswer(ref.uploadId, plan.campaign.name);
  await deps.db.transaction().execute(async (tx) => {
    await file.close(tx, plan);
    await insertCampaign(tx, ref, newCampaign(plan), 'verifying', at);
    const { workspaceId, uploadId } = ref;
    const payload = { workspaceId, uploadId };
    await insertJob(tx, { workspaceId, kind: IMPORT_JOB, dedup: uploadId, payload }, at);
    await onStored(tx, answer);
  });
  file.keep();
  return answer;
}
