import { useRef, type MouseEvent, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { useRowWindow } from './row-window.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** A phone leaves it out: the page that the row opens has it. */
  readonly isMinor?: boolean;
}

/** On a phone, the line of a cell: the title of its column, then what it says. */
const LINE =
  'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:px-4 max-sm:py-1 max-sm:text-right max-sm:before:shrink-0 max-sm:before:text-muted max-sm:before:content-[attr(data-title)] max-sm:has-[>div:empty]:hidden';

/**
 * A table; on a phone each row is a list of its cells. `caption` names it for screen readers. A long one draws the rows
 * near the screen only.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isBare = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** In a card, which has the frame. */
  isBare?: boolean;
}): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const window = useRowWindow(rows.length, body);
  const from = window?.from ?? 0;
  const shown = window === null ? rows : rows.slice(from, window.to);
  const align = (column: Column<Row>): string =>
    column.isNumber === true ? 'text-right whitespace-nowrap tabular-nums' : 'text-left';
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      className={`overflow-x-auto bg-surface ${isBare ? 'border-t border-line' : 'rounded-lg border border-line'}`}
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table
        className="w-full border-collapse text-sm max-sm:block"
        aria-rowcount={window === null ? undefined : rows.length + 1}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-muted">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`px-3 py-1.5 first:pl-4 last:pr-4 font-medium whitespace-nowrap ${align(column)}`}
              >
                {t(column.title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} className="max-sm:block">
          <Gap heightPx={window?.beforePx ?? 0} />
          {shown.map((row, index) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={window === null ? undefined : from + index + 2}
              onClick={openRow}
              className="border-b border-line last:border-0 hover:bg-raised has-[>td:first-child_a]:cursor-pointer max-sm:block max-sm:py-2"
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  data-title={t(column.title)}
                  className={`px-3 py-cell first:pl-4 last:pr-4 align-middle ${align(column)} ${column.isMinor === true ? 'max-sm:hidden' : LINE}`}
                >
                  <div className="min-w-0">{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
          <Gap heightPx={window?.afterPx ?? 0} />
        </tbody>
      </table>
    </div>
  );
}

/**
 * A press anywhere in a row that begins with a link opens it; text that was just marked, and controls of the row, keep
 * the press. The keyboard uses the link.
 */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget: row } = event;
  if (!(target instanceof Element) || target.closest('a, button, input, select, label, summary') !== null)
    return;
  if (getSelection()?.toString() !== '') return;
  row.querySelector<HTMLAnchorElement>('td:first-child a')?.click();
}

/** The height of rows that are not drawn. */
const Gap = ({ heightPx }: { heightPx: number }): ReactNode =>
  heightPx === 0 ? null : (
    <tr aria-hidden="true" className="max-sm:block" style={{ height: heightPx }}>
      <td />
    </tr>
  );
