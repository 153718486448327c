import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { insertCampaign } from '../../../store/campaigns/uploads.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { HeldClaim } from '../../../store/idempotency.ts';
import { insertJob } from '../../../store/jobs.ts';
import { commitChange, type ChangeEntry } from '../../audit/change-entry.ts';
import type { SignedLinks } from '../../links/signed-links.ts';
import type { Warning } from '../../warnings.ts';
import type { Importer } from './run-import.ts';
import type { ImportPlan } from './import-plan.ts';
import type { IncomingFile } from './incoming-file.ts';
import { rejectsUrlOf } from './rejects-url.ts';
import { rowReport, savedAnswer, uploadingAnswer } from '../../../wire/campaigns/list-answers.ts';
import { newCampaign } from './run-import.ts';

export const IMPORT_JOB = 'import_contacts';

export interface TakeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly link: SignedLinks;
  readonly importer: Importer;
}

/**
 * POST /campaign/save: imports the list before it answers; the campaign is committed together with all its contacts.
 * Throws 422 with the row report; then only the refused rows are stored, for a day.
 */
export async function saveList(
  deps: TakeDeps,
  file: IncomingFile,
  plan: ImportPlan,
  claim: HeldClaim | null,
  change: ChangeEntry | null,
): Promise<ReturnType<typeof savedAnswer<Warning>>> {
  const { ref } = file;
  // The import thread commits the campaign, and the audit entry with it.
  change?.setSubject({ listId: ref.uploadId });
  const entry = change?.handOver() ?? null;
  await deps.db.transaction().execute((tx) => file.close(tx, plan));
  const rejectsUrl = rejectsUrlOf(deps.link, ref.workspaceId, ref.uploadId);
  const result = await deps.importer.run({
    ...ref,
    at: deps.clock.now(),
    request: { claim, rejectsUrl, entry },
  });
  if (result.kind === 'refused') throw errors.validationFailed(result.problems);
  if (result.kind === 'not_ours') throw errors.requestInProgress();
  const { outcome } = result;
  if (outcome.failure !== null) throw errors.contactsInvalid(outcome.failure, rowReport(outcome, rejectsUrl));
  change?.markWritten();
  return savedAnswer(ref.uploadId, plan, outcome, rejectsUrl);
}

/**
 * POST /campaign/upload-csv: commits file, campaign and import job in one transaction, in which `onStored` runs. From
 * then on any process imports the list, even if this one dies.
 */
export async function takeList(
  deps: { db: Db; clock: Clock },
  file: IncomingFile,
  plan: ImportPlan,
  change: ChangeEntry | null,
  onStored: (tx: Tx, answer: ReturnType<typeof uploadingAnswer<Warning>>) => Promise<void>,
): Promise<ReturnType<typeof uploadingAnswer<Warning>>> {
  const { ref } = file;
  const at = new Date(deps.clock.now());
  const answer = uploadingAnswer(ref.uploadId, plan);
  await commitChange(deps.db, change, async (tx) => {
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
