import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { Button, buttonClass, TextField } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { plainMessage } from '../../ui/plain-message.ts';
import { Stat, Stats } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Correction } from './corrected-list.ts';
import { t } from '../../words/words.ts';

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
  { title: 'Problem', cell: (row) => plainMessage(row.reason) },
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
      <Stat name={t('Good rows')} value={formatNumber(report.successful_rows)} />
      <Stat name={t('Invalid')} value={formatNumber(refused.invalid)} />
      <Stat name={t('Duplicates')} value={formatNumber(refused.duplicate)} />
      <Stat name={t('Do not call')} value={formatNumber(refused.do_not_call)} />
    </Stats>
  );
}

const keyOf = (row: Row): string => `${row.row} ${row.column} ${row.reason}`;

/** The same with the values to write in. */
const editedColumns = (
  values: Readonly<Record<string, string>>,
  change: (row: Row, value: string) => void,
): readonly Column<Row>[] =>
  COLUMNS.map((column) =>
    column.title !== 'Value'
      ? column
      : {
          title: 'Value',
          cell: (row) => (
            <TextField
              label={t('{column}, row {row}', { column: row.column, row: row.row })}
              value={values[keyOf(row)] ?? row.value}
              onChange={(event) => change(row, event.target.value)}
            />
          ),
        },
  );

/** The invalid rows of a list, and the file to correct them in; `action` says what to do with the file. */
export function RefusedRows({
  report,
  action = 'correct it, and choose it here again.',
  leaveOut,
  onCorrect,
}: {
  report: RowReport;
  action?: string;
  /** The button that imports the good rows alone. */
  leaveOut?: ReactNode;
  /** Checks the list again with other values; false: they cannot be written into it. Absent: only in the file. */
  onCorrect?: ((corrections: readonly Correction[]) => Promise<boolean>) | undefined;
}): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isStuck, setIsStuck] = useState(false);
  if (report.invalid_rows.length === 0) return null;
  const suggested = report.invalid_rows.filter(({ suggestion }) => suggestion !== undefined);
  const corrections = report.invalid_rows.flatMap((row): Correction[] => {
    const to = values[keyOf(row)];
    return to === undefined || to === row.value
      ? []
      : [{ row: row.row, column: row.column, from: row.value, to }];
  });
  const correct = async (): Promise<void> => setIsStuck((await onCorrect?.(corrections)) === false);
  return (
    <section
      aria-label={t('Rows to correct')}
      className="flex flex-col gap-3 rounded-lg border border-warn p-4"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">
            {report.failed_rows === 1
              ? t('1 invalid row')
              : t('{failedRows} invalid rows', { failedRows: formatNumber(report.failed_rows) })}
          </h2>
          <p className="text-muted">
            {t(
              'Of {totalRows} rows, counted without the header. The file has them with the problems beside: {action}',
              {
                totalRows: formatNumber(report.total_rows),
                action: t(action),
              },
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {onCorrect === undefined ? null : (
            <>
              {suggested.length === 0 ? null : (
                <Button
                  onClick={() =>
                    setValues({
                      ...values,
                      ...Object.fromEntries(
                        suggested.map((row) => [keyOf(row), row.suggestion ?? row.value]),
                      ),
                    })
                  }
                >
                  {t('Use the suggestions')}
                </Button>
              )}
              <Button look="primary" disabled={corrections.length === 0} onClick={() => void correct()}>
                {t('Check again with these values')}
              </Button>
            </>
          )}
          {leaveOut}
          {report.invalidated_rows_csv_url === null ? null : (
            <a href={pathOf(report.invalidated_rows_csv_url)} download className={buttonClass()}>
              {t('Download the invalid rows')}
            </a>
          )}
        </div>
      </div>
      {isStuck ? (
        <p role="alert" className="text-bad">
          {t('These cells cannot be changed here. Correct them in the file.')}
        </p>
      ) : null}
      <RowCounts report={report} />
      <Table
        caption={t('Invalid rows')}
        columns={
          onCorrect === undefined
            ? COLUMNS
            : editedColumns(values, (row, value) => setValues({ ...values, [keyOf(row)]: value }))
        }
        rows={report.invalid_rows}
        keyOf={keyOf}
      />
    </section>
  );
}

/** The link on this host: PUBLIC_URL may name another one than the address of the page. */
export const pathOf = (url: string): string => new URL(url, location.origin).pathname;
