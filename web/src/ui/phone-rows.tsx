import type { ReactNode } from 'react';

/** What a phone shows of a row: two lines, each with something at its right. */
export interface PhoneRow {
  /** What the row is about. Its link, if it has one, opens from everywhere in the row. */
  readonly title: ReactNode;
  /** At the right of the title. */
  readonly state?: ReactNode;
  readonly detail?: ReactNode;
  /** At the right of the detail. */
  readonly time?: ReactNode;
  /** Below, on as many lines as it needs. */
  readonly note?: ReactNode;
  /** Buttons and choices of the row, below. */
  readonly actions?: ReactNode;
}

/**
 * The rows of a list on a phone. `isBare`: in a card, which has the frame. Long texts are cut, so they have no part in the
 * width of what holds the list.
 */
export function PhoneRows<Row>({
  caption,
  rows,
  keyOf,
  show,
  isBare = false,
}: {
  caption: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  show: (row: Row) => PhoneRow;
  isBare?: boolean;
}): ReactNode {
  return (
    <ul
      aria-label={caption}
      className={`w-full bg-surface contain-inline-size ${isBare ? 'border-t border-line' : 'rounded-lg border border-line'}`}
    >
      {rows.map((row) => {
        const { title, state, detail, time, note, actions } = show(row);
        return (
          <li
            key={keyOf(row)}
            className="relative flex flex-col gap-0.5 border-b border-line px-3 py-2.5 last:border-b-0 active:bg-raised"
          >
            <div className="flex min-h-6 items-center justify-between gap-3">
              <span className="min-w-0 truncate font-medium [&_a]:after:absolute [&_a]:after:inset-0">
                {title}
              </span>
              <span className="max-w-3/5 shrink-0 truncate">{state}</span>
            </div>
            <div className="flex items-center justify-between gap-3 text-xs text-muted">
              <span className="min-w-0 truncate">{detail}</span>
              <span className="shrink-0 tabular-nums">{time}</span>
            </div>
            {note === undefined ? null : <p className="text-xs text-muted">{note}</p>}
            {actions === undefined || actions === null ? null : (
              <div className="relative z-1 pt-1">{actions}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
