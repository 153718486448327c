import { signedName } from '../../signed-name.ts';
import type { RowProblem } from './contact-row.ts';
import type { ImportOutcome } from './import-plan.ts';

/** Refused rows as answers show them. */
export const shownRows = (problems: readonly RowProblem[]) =>
  problems.map(({ row, column, value, reason, suggestion }) => ({
    row,
    column,
    value,
    reason,
    ...(suggestion === null ? {} : { suggestion }),
  }));

/** Counts and refused rows, as a list that was read and one that was refused both report them. */
export const rowReport = (outcome: ImportOutcome, rejectsUrl: string) => ({
  total_rows: outcome.totalRows,
  successful_rows: outcome.successfulRows,
  failed_rows: outcome.failedRows,
  invalid_rows: shownRows(outcome.report.invalidRows),
  invalidated_rows_csv_url: outcome.hasRejects ? rejectsUrl : null,
  encoding: outcome.report.encoding,
  delimiter: outcome.report.delimiter,
});

/** The answer of POST /campaign/save. */
export function savedAnswer(campaignId: string, outcome: ImportOutcome, rejectsUrl: string) {
  const { successfulRows, failedRows } = outcome;
  const skipped = failedRows === 0 ? '' : `, ${failedRows} invalid rows skipped`;
  const encoding =
    outcome.report.encoding === 'windows-1252' ? '; the file is no UTF-8 and was read as Windows-1252' : '';
  return {
    message: `Contact list saved: ${successfulRows} contacts${skipped}${encoding}`,
    list_id: campaignId,
    bulk_list_id: campaignId,
    ...rowReport(outcome, rejectsUrl),
  };
}

/** Address of the CSV of a list's refused rows: no key is needed. */
export const rejectsUrlOf = (
  link: { publicUrl: string; secret: string },
  workspaceId: string,
  campaignId: string,
): string =>
  `${link.publicUrl}/campaign-rejects/${signedName(link.secret, 'rejects', workspaceId, campaignId)}.csv`;
