import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid } from '../../../shared/ids.ts';
import { findUpload, findUploadOfCampaign } from '../../../store/campaign-uploads.ts';
import type { Db } from '../../../store/database.ts';
import type { RecordingLink } from '../../calls/call-record.ts';
import { readSignedName } from '../../signed-name.ts';
import type { Caller } from '../../workspaces/authenticate-key.ts';
import { REFUSED_MS } from './forget-uploads.ts';
import type { ImportReport } from './import-plan.ts';
import { rejectsUrlOf, shownRows } from './row-report.ts';
import { piecesOf } from './run-import.ts';

/** Throws 403 where the workspace has the large-campaign flow switched off. */
export function checkLargeCampaigns(caller: Pick<Caller, 'largeCampaigns'>): void {
  if (!caller.largeCampaigns) throw errors.largeCampaignsOff();
}

/** How far the reading of a campaign's list has come. Throws 404. */
export async function uploadStatus(
  deps: { db: Db; link: RecordingLink },
  workspaceId: string,
  campaignId: string,
) {
  const ref = { workspaceId, uploadId: campaignId };
  const row = isUuid(campaignId) ? await findUploadOfCampaign(deps.db, ref) : undefined;
  if (row === undefined) throw errors.campaignNotFound();
  const report = row.report as unknown as ImportReport | null;
  // A campaign that was terminated while its list came in never gets its contacts.
  const isGivenUp = row.state !== 'completed' && row.campaign_state === 'terminated';
  const read = row.state === 'completed' || row.state === 'failed' ? row.state : ('verifying' as const);
  const status = isGivenUp ? ('failed' as const) : read;
  const isOver = status !== 'verifying';
  const share = row.file_bytes === 0 ? 0 : Math.min(0.99, row.read_bytes / row.file_bytes);
  return {
    bulk_list_id: campaignId,
    list_id: campaignId,
    status,
    ...(status === 'failed' && row.message !== null ? { message: row.message } : {}),
    progress: isOver ? 1 : Math.round(share * 1000) / 1000,
    campaign_name: row.name,
    total_rows: row.total_rows,
    processed_rows: row.processed_rows,
    successful_rows: row.successful_rows,
    failed_rows: row.failed_rows,
    total_callees: status === 'completed' ? row.successful_rows : 0,
    invalidated_rows_count: row.failed_rows,
    invalidated_rows_csv_url: row.has_rejects ? rejectsUrlOf(deps.link, workspaceId, campaignId) : null,
    invalid_rows: shownRows(report?.invalidRows ?? []),
    encoding: report?.encoding ?? null,
    delimiter: report?.delimiter ?? null,
  };
}

/** The CSV of a list's refused rows, by its signed name. Throws 404. */
export async function openRejects(
  deps: { db: Db; clock: Clock; secret: string },
  name: string,
): Promise<AsyncGenerator<Buffer, void, undefined>> {
  const named = readSignedName(deps.secret, 'rejects', name);
  if (named === null) throw errors.rejectsNotFound();
  const ref = { workspaceId: named.workspaceId, uploadId: named.id };
  const upload = await findUpload(deps.db, ref);
  if (upload?.has_rejects !== true) throw errors.rejectsNotFound();
  const isRefused = upload.flow === 'save' && upload.state === 'failed';
  if (isRefused && upload.beat_at.getTime() <= deps.clock.now() - REFUSED_MS) throw errors.rejectsNotFound();
  return piecesOf(deps.db, ref, 'rejects');
}
