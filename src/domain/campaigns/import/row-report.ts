import type { RefusedCounts, RowProblem } from '../../../store/json/contact-import.ts';
import type { SignedLinks } from '../../links/signed-links.ts';
import type { WindowLevels } from '../../call-windows/calling-window.ts';
import type { ImportOutcome, ImportPlan } from './import-plan.ts';

/** Refused rows as they appear in response bodies. */
export const shownRows = (problems: readonly RowProblem[]) =>
  problems.map(({ row, column, value, reason, suggestion }) => ({
    row,
    column,
    value,
    reason,
    ...(suggestion === null ? {} : { suggestion }),
  }));

/** Counts of refused rows by reason; null: an earlier version imported the list and stored no counts. */
export const refusedRows = (counts: RefusedCounts | undefined) =>
  counts === undefined
    ? null
    : { invalid: counts.invalid, duplicate: counts.duplicate, do_not_call: counts.doNotCall };

/** Counts and refused rows, in the response to an accepted and to a refused list alike. */
export const rowReport = (outcome: ImportOutcome, rejectsUrl: string) => ({
  total_rows: outcome.totalRows,
  successful_rows: outcome.successfulRows,
  failed_rows: outcome.failedRows,
  refused_rows: refusedRows(outcome.report.refused),
  invalid_rows: shownRows(outcome.report.invalidRows),
  invalidated_rows_csv_url: outcome.hasRejects ? rejectsUrl : null,
  encoding: outcome.report.encoding,
  delimiter: outcome.report.delimiter,
});

/** When the campaign calls, in the answers to an upload. */
export const timesOf = ({ campaign, calling }: ImportPlan) => ({
  campaign_start_time: campaign.startAt,
  campaign_end_time: campaign.endAt,
  calling_window: calling?.window == null ? null : toWindow(calling.window),
  warnings: [...(calling?.warnings ?? [])],
});

const toWindow = ({ usesCalleeZone, ...window }: WindowLevels) => ({
  ...window,
  slots: window.slots === null ? null : [...window.slots],
  days: window.days === null ? null : [...window.days],
  use_callee_timezone: usesCalleeZone,
});

/** The answer of POST /campaign/save. */
export function savedAnswer(
  campaignId: string,
  plan: ImportPlan,
  outcome: ImportOutcome,
  rejectsUrl: string,
) {
  const { successfulRows, failedRows } = outcome;
  const skipped = failedRows === 0 ? '' : `, ${failedRows} invalid rows skipped`;
  const encoding =
    outcome.report.encoding === 'windows-1252' ? '; the file is no UTF-8 and was read as Windows-1252' : '';
  return {
    message: `Contact list saved: ${successfulRows} contacts${skipped}${encoding}`,
    list_id: campaignId,
    bulk_list_id: campaignId,
    ...timesOf(plan),
    ...rowReport(outcome, rejectsUrl),
  };
}

/** Signed URL of the CSV of refused rows; it needs no API key. */
export const rejectsUrlOf = (links: SignedLinks, workspaceId: string, campaignId: string): string =>
  `${links.publicUrl}/campaign-rejects/${links.issue('rejects', { workspaceId, id: campaignId })}.csv`;
