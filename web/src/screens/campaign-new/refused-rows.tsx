import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Table, type Column } from '../../ui/table.tsx';

export type RowReport = Pick<
  Answer<'saveCampaign'>,
  'total_rows' | 'successful_rows' | 'failed_rows' | 'invalid_rows' | 'invalidated_rows_csv_url'
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

/** The invalid rows of a list, and the file to correct them in. */
export function RefusedRows({ report }: { report: RowReport }): ReactNode {
  if (report.invalid_rows.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">
            {report.failed_rows === 1 ? '1 invalid row' : `${formatNumber(report.failed_rows)} invalid rows`}
          </h2>
          <p className="text-muted">
            Of {formatNumber(report.total_rows)} rows. The file has them with the problems beside: correct it,
            and choose it here again.
          </p>
        </div>
        {report.invalidated_rows_csv_url === null ? null : (
          <a href={pathOf(report.invalidated_rows_csv_url)} download className={buttonClass()}>
            Download the invalid rows
          </a>
        )}
      </div>
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
