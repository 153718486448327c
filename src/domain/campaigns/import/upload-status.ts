import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid } from '../../../shared/ids.ts';
import {
  findUpload,
  findUploadOfCampaign,
  deleteAbandonedUploads,
  deleteRefusedUploads,
} from '../../../store/campaigns/uploads.ts';
import type { Db } from '../../../store/database.ts';
import type { SignedLinks } from '../../links/signed-links.ts';
import type { Caller } from '../../workspaces/authenticate-key.ts';
import type { UploadProgress } from '../../../wire/campaigns/list-answers.ts';
import { rejectsUrlOf } from './rejects-url.ts';
import { piecesOf } from './run-import.ts';

/** Throws 403 where the workspace has the large-campaign flow switched off. */
export function checkLargeCampaigns(caller: Pick<Caller, 'largeCampaigns'>): void {
  if (!caller.largeCampaigns) throw errors.largeCampaignsOff();
}

/** Progress of an import. Throws 404. */
export async function uploadStatus(
  deps: { db: Db; link: SignedLinks },
  workspaceId: string,
  campaignId: string,
): Promise<UploadProgress> {
  const ref = { workspaceId, uploadId: campaignId };
  const row = isUuid(campaignId) ? await findUploadOfCampaign(deps.db, ref) : undefined;
  if (row === undefined) throw errors.campaignNotFound();
  // A campaign terminated during its import never gets contacts.
  const isGivenUp = row.state !== 'completed' && row.campaignState === 'terminated';
  const read = row.state === 'completed' || row.state === 'failed' ? row.state : ('verifying' as const);
  const status = isGivenUp ? ('failed' as const) : read;
  const isOver = status !== 'verifying';
  const share = row.fileBytes === 0 ? 0 : Math.min(0.99, row.readBytes / row.fileBytes);
  return {
    campaignId,
    name: row.name,
    status,
    message: status === 'failed' ? row.message : null,
    progress: isOver ? 1 : Math.round(share * 1000) / 1000,
    totalRows: row.totalRows,
    processedRows: row.processedRows,
    successfulRows: row.successfulRows,
    failedRows: row.failedRows,
    callees: status === 'completed' ? row.successfulRows : 0,
    rejectsUrl: row.hasRejects ? rejectsUrlOf(deps.link, workspaceId, campaignId) : null,
    report: row.report,
  };
}

/** Opens the CSV of refused rows by its signed name. Throws 404. */
export async function openRejects(
  deps: { db: Db; clock: Clock; link: SignedLinks },
  token: string,
): Promise<AsyncGenerator<Buffer, void, undefined>> {
  const named = await deps.link.read('rejects', token);
  if (named === null) throw errors.rejectsNotFound();
  const ref = { workspaceId: named.workspaceId, uploadId: named.id };
  const upload = await findUpload(deps.db, ref);
  if (upload?.hasRejects !== true) throw errors.rejectsNotFound();
  const isRefused = upload.flow === 'save' && upload.state === 'failed';
  if (isRefused && upload.beatAt.getTime() <= deps.clock.now() - REFUSED_MS) throw errors.rejectsNotFound();
  return piecesOf(deps.db, ref, 'rejects');
}

/** An upload without a heartbeat for this long is abandoned: the process that received it died. */
const ABANDONED_MS = 600_000;
/** How long the refused rows of a failed upload stay downloadable. */
export const REFUSED_MS = 86_400_000;

/** Deletes abandoned uploads, and failed ones after their download period, with their stored pieces. */
export async function forgetUploads(db: Db, now: number): Promise<void> {
  await deleteAbandonedUploads(db, new Date(now - ABANDONED_MS));
  await deleteRefusedUploads(db, new Date(now - REFUSED_MS));
}
