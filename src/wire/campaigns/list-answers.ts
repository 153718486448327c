import type { ImportReport, RefusedCounts, RowProblem } from '../../store/json/contact-import.ts';
import { toWindow } from '../calling-window.ts';

/** What an answer tells of the plan of an import. */
interface Planned<Warning> {
  readonly campaign: {
    readonly name: string;
    /** ISO 8601. */
    readonly startAt: string | null;
    readonly endAt: string | null;
  };
  readonly calling?: {
    readonly window: Parameters<typeof toWindow>[0] | null;
    readonly warnings: readonly Warning[];
  };
}

/** What an answer tells of the result of an import. */
interface Imported {
  readonly totalRows: number;
  readonly successfulRows: number;
  readonly failedRows: number;
  readonly hasRejects: boolean;
  readonly report: ImportReport;
}

/** Progress of an import. */
export interface UploadProgress {
  readonly campaignId: string;
  readonly name: string;
  readonly status: 'verifying' | 'completed' | 'failed';
  /** Why it failed; null: it did not. */
  readonly message: string | null;
  /** From 0 to 1. */
  readonly progress: number;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly successfulRows: number;
  readonly failedRows: number;
  readonly callees: number;
  /** Null: no row was refused. */
  readonly rejectsUrl: string | null;
  /** Null: the list was not read yet. */
  readonly report: ImportReport | null;
}

const shownRows = (problems: readonly RowProblem[]) =>
  problems.map(({ row, column, value, reason, suggestion }) => ({
    row,
    column,
    value,
    reason,
    ...(suggestion === null ? {} : { suggestion }),
  }));

/** Counts of refused rows by reason; null: an earlier version imported the list and stored no counts. */
const refusedRows = (counts: RefusedCounts | undefined) =>
  counts === undefined
    ? null
    : { invalid: counts.invalid, duplicate: counts.duplicate, do_not_call: counts.doNotCall };

/** Counts and refused rows, in the response to an accepted and to a refused list alike. */
export const rowReport = (outcome: Imported, rejectsUrl: string) => ({
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
const timesOf = <Warning>({ campaign, calling }: Planned<Warning>) => ({
  campaign_start_time: campaign.startAt,
  campaign_end_time: campaign.endAt,
  calling_window: calling?.window == null ? null : toWindow(calling.window),
  warnings: [...(calling?.warnings ?? [])],
});

/** The answer of POST /campaign/save. */
export function savedAnswer<Warning>(
  campaignId: string,
  plan: Planned<Warning>,
  outcome: Imported,
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

/** The answer of POST /campaign/upload-csv. */
export const uploadingAnswer = <Warning>(campaignId: string, plan: Planned<Warning>) => ({
  bulk_list_id: campaignId,
  list_id: campaignId,
  status: 'verifying' as const,
  campaign_name: plan.campaign.name,
  total_callees: 0,
  invalidated_rows_count: 0,
  invalidated_rows_csv_url: null,
  ...timesOf(plan),
});

/** The answer of GET /campaign/upload-status/{bulk_list_id}. */
export const progressAnswer = ({ campaignId, status, message, report, ...upload }: UploadProgress) => ({
  bulk_list_id: campaignId,
  list_id: campaignId,
  status,
  ...(message === null ? {} : { message }),
  progress: upload.progress,
  campaign_name: upload.name,
  total_rows: upload.totalRows,
  processed_rows: upload.processedRows,
  successful_rows: upload.successfulRows,
  failed_rows: upload.failedRows,
  refused_rows: refusedRows(report?.refused),
  total_callees: upload.callees,
  invalidated_rows_count: upload.failedRows,
  invalidated_rows_csv_url: upload.rejectsUrl,
  invalid_rows: shownRows(report?.invalidRows ?? []),
  encoding: report?.encoding ?? null,
  delimiter: report?.delimiter ?? null,
});
