import { useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { PhoneRows, type PhoneRow } from './phone-rows.tsx';
import { useRowWindow } from './row-window.ts';
import { useFits } from './use-fits.ts';
import { useIsPhone } from './use-is-phone.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** A phone leaves it out, and a list where there is little room: the page that the row opens has it. */
  readonly isMinor?: boolean;
  /** In a wide list: its words are as long as they like. It takes the room that others leave, and ends in an ellipsis. */
  readonly isLong?: boolean;
}

/** On a phone, the line of a cell: the title of its column, then what it says; below the title if it needs the width. */
const LINE =
  'max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-4 max-sm:px-4 max-sm:py-1 max-sm:text-left max-sm:before:shrink-0 max-sm:before:text-muted max-sm:before:content-[attr(data-title)] max-sm:has-[>div:empty]:hidden';
/**
 * On a tablet, where a line has no room for all columns: titles, names and times take a second line before anything is cut
 * or the table scrolls.
 */
const NARROW =
  '@max-3xl:[&_:is(th,time)]:whitespace-normal @max-3xl:[&_.truncate]:overflow-visible @max-3xl:[&_.truncate]:whitespace-normal';
/** The content of a cell of a list: one line where there is room, else as many as a name needs; texts without end have three. */
const inList = (isLong: boolean): string =>
  `@max-3xl:*:flex-wrap! @3xl:*:flex-nowrap! ${isLong ? '@3xl:truncate @max-3xl:line-clamp-3 @max-3xl:wrap-break-word' : ''}`;
/** The widths of long columns, by how many there are. */
const SHARES = ['', '@3xl:w-full', '@3xl:w-1/2', '@3xl:w-1/3', '@3xl:w-1/4'];

/**
 * A table; on a phone each row is a list of its cells, or two lines. `caption` names it for screen readers. Its header
 * stays at the top of the window, unless the table is wider than its box. A long one draws the rows near the screen only.
 */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const isPhone = useIsPhone();
  const { caption, rows, keyOf, phone, isBare = false } = props;
  return phone !== undefined && isPhone ? (
    <PhoneRows caption={caption} rows={rows} keyOf={keyOf} show={phone} isBare={isBare} />
  ) : (
    <Grid {...props} />
  );
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** In a card, which has the frame. */
  isBare?: boolean;
  /** On a phone, the two lines of a row. */
  phone?: (row: Row) => PhoneRow;
  /** Every row is one line where the list has room; a table with `phone` is a list unless it says otherwise. */
  isList?: boolean;
}

function Grid<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isBare = false,
  phone,
  isList = phone !== undefined,
}: TableProps<Row>): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const window = useRowWindow(rows.length, body);
  const fits = useFits(box);
  const isWindow = window !== null;
  const from = window?.from ?? 0;
  const to = window?.to ?? rows.length;
  // Once for all rows: a long list would build the same texts for every cell.
  const looks = useMemo(() => looksOf(columns, isList), [columns, isList]);
  // A list whose rows and columns are the same is not drawn again when its page is.
  const lines = useMemo(
    () =>
      rows.slice(from, to).map((row, index) => (
        <tr
          key={keyOf(row)}
          aria-rowindex={isWindow ? from + index + 2 : undefined}
          onClick={openRow}
          className="border-line hover:bg-raised has-[>td:first-child_a]:cursor-pointer max-sm:block max-sm:border-b max-sm:py-2 max-sm:last:border-b-0"
        >
          {looks.map(({ key, title, cell, box, show }) => (
            <td key={key} data-title={title} className={cell}>
              <div className={box}>{show(row)}</div>
            </td>
          ))}
        </tr>
      )),
    [rows, from, to, isWindow, keyOf, looks],
  );
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      ref={box}
      className={`@container bg-surface ${fits ? 'overflow-clip' : 'overflow-x-auto'} ${isBare ? 'border-t border-line' : 'rounded-lg border border-line'}`}
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table
        className={`w-full border-separate border-spacing-0 text-sm max-sm:block ${NARROW}`}
        aria-rowcount={isWindow ? rows.length + 1 : undefined}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:sr-only">
          <tr className="text-muted">
            {looks.map(({ key, title, edge }) => (
              <th
                key={key}
                scope="col"
                className={`${fits ? 'sticky top-(--bar) z-10' : ''} bg-surface py-1.5 align-bottom font-medium whitespace-nowrap ${edge}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          className={`max-sm:block ${isList ? 'sm:[--control:1.5rem]' : ''} sm:[&>tr:last-child>td]:border-b-0`}
        >
          <Gap heightPx={window?.beforePx ?? 0} />
          {lines}
          <Gap heightPx={window?.afterPx ?? 0} />
        </tbody>
      </table>
    </div>
  );
}

/** The title, the classes and the content of a column's cells. */
interface Look<Row> {
  readonly key: string;
  readonly title: string;
  readonly edge: string;
  readonly cell: string;
  readonly box: string;
  readonly show: (row: Row) => ReactNode;
}

function looksOf<Row>(columns: readonly Column<Row>[], isList: boolean): readonly Look<Row>[] {
  const share = SHARES[columns.filter(({ isLong }) => isLong === true).length] ?? '';
  return columns.map(({ title: key, isNumber = false, isMinor = false, isLong = false, cell: show }) => {
    const edge = [
      'border-b border-line px-3 first:pl-4 last:pr-4 max-sm:border-b-0',
      isNumber ? 'text-right whitespace-nowrap tabular-nums' : 'text-left',
      isList ? '@3xl:whitespace-nowrap' : '',
      isList && isMinor ? '@max-4xl:hidden' : '',
      isList && isLong ? `min-w-32 ${share} @3xl:max-w-0` : '',
    ].join(' ');
    return {
      key,
      title: t(key),
      edge,
      cell: `py-cell align-middle ${edge} ${isMinor ? 'max-sm:hidden' : LINE}`,
      box: isList ? inList(isLong) : 'min-w-0',
      show,
    };
  });
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
