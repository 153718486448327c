import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
}

/** A table that scrolls sideways on narrow screens. `caption` names it for screen readers. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}): ReactNode {
  const align = (column: Column<Row>): string =>
    column.isNumber === true ? 'text-right whitespace-nowrap tabular-nums' : 'text-left';
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      className="overflow-x-auto rounded-lg border border-line bg-surface"
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-muted">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`px-3 py-2.5 first:pl-4 last:pr-4 font-medium whitespace-nowrap ${align(column)}`}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-raised">
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={`px-3 py-2.5 first:pl-4 last:pr-4 align-top ${align(column)}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
