import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';

export type RowReport = Pick<
  Answer<'saveCampaign'>,
  | 'total_rows'
  | 'successful_rows'
  | 'failed_rows'
  | 'refused_rows'
  | 'invalid_rows'
  | 'invalidated_rows_csv_url'
>;
type Row = RowReport['invalid_rows'][number];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Row', cell: (row) => formatNumber(row.row), isNumber: true },
  { title: 'Column', cell: (row) => row.column },
  { title: 'Value', cell: (row) => <code className="font-mono wrap-anywhere">{row.value}</code> },
  { title: 'Problem', cell: (row) => row.reason },
  {
    title: 'Probably meant',
    cell: (row) => (row.suggestion === undefined ? '–' : <code className="font-mono">{row.suggestion}</code>),
  },
];

/** What the check of a list counted. */
function RowCounts({ report }: { report: RowReport }): ReactNode {
  const { refused_rows: refused } = report;
  if (refused === null) return null;
  return (
    <Stats>
      <Stat name="Good rows" value={formatNumber(report.successful_rows)} />
      <Stat name="Invalid" value={formatNumber(refused.invalid)} />
      <Stat name="Duplicates" value={formatNumber(refused.duplicate)} />
      <Stat name="Do not call" value={formatNumber(refused.do_not_call)} />
    </Stats>
  );
}

/** The invalid rows of a list, and the file to correct them in; `action` says what to do with the file. */
export function RefusedRows({
  report,
  action = 'correct it, and choose it here again.',
  leaveOut,
}: {
  report: RowReport;
  action?: string;
  /** The button that imports the good rows alone. */
  leaveOut?: ReactNode;
}): ReactNode {
  if (report.invalid_rows.length === 0) return null;
  return (
    <section aria-label="Rows to correct" className="flex flex-col gap-3 rounded-lg border border-warn p-5">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">
            {report.failed_rows === 1 ? '1 invalid row' : `${formatNumber(report.failed_rows)} invalid rows`}
          </h2>
          <p className="text-muted">
            Of {formatNumber(report.total_rows)} rows. The file has them with the problems beside: {action}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {leaveOut}
          {report.invalidated_rows_csv_url === null ? null : (
            <a href={pathOf(report.invalidated_rows_csv_url)} download className={buttonClass()}>
              Download the invalid rows
            </a>
          )}
        </div>
      </div>
      <RowCounts report={report} />
      <Table
        caption="Invalid rows"
        columns={COLUMNS}
        rows={report.invalid_rows}
        keyOf={(row) => `${row.row} ${row.column} ${row.reason}`}
      />
    </section>
  );
}

/** The link on this host: PUBLIC_URL may name another one than the address of the page. */
export const pathOf = (url: string): string => new URL(url, location.origin).pathname;
