import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
}

/** On a phone, the line of a cell: the title of its column, then what it says. */
const LINE =
  'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:px-4 max-sm:py-1 max-sm:text-right max-sm:before:shrink-0 max-sm:before:text-muted max-sm:before:content-[attr(data-title)]';

/** A table; on a phone each row is a list of its cells. `caption` names it for screen readers. */
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
      <table className="w-full border-collapse text-sm max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:sr-only">
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
        <tbody className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="border-b border-line last:border-0 hover:bg-raised max-sm:block max-sm:py-2"
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  data-title={column.title}
                  className={`px-3 py-2.5 first:pl-4 last:pr-4 align-middle ${align(column)} ${LINE}`}
                >
                  <div className="min-w-0">{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
