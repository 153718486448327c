import { guardedToReturn, unguarded } from '../../calls/formula-guard.ts';
import { csvField, quotedField } from '../../calls/history-csv.ts';
import { CELL_COUNT, type RowProblem } from './contact-row.ts';

const OWN_COLUMNS = ['Row', 'Column', 'Value', 'Reason', 'Suggestion'];
const REASON = OWN_COLUMNS.indexOf('Reason');

const ours = (cells: readonly string[]): string[] => cells.map(csvField);
const theirs = (cells: readonly string[]): string[] =>
  cells.map((cell) => quotedField(guardedToReturn(cell.replaceAll('\0', ''))));
const line = (...fields: readonly (readonly string[])[]): string => `${fields.flat().join(',')}\r\n`;

/** First line of the file of refused rows: the list's own columns, then why. */
export const rejectsHeader = (header: readonly string[]): string => line(theirs(header), ours(OWN_COLUMNS));

/**
 * One refused row as it came, with everything that is wrong with it: cells that are missing are blank, those beyond the
 * header stand behind our columns, so that nothing stands under another header.
 */
export function rejectsLine(
  header: readonly string[],
  cells: readonly string[],
  problems: readonly RowProblem[],
): string {
  const own = header.map((_, at) => cells[at] ?? '');
  const each = (pick: (problem: RowProblem) => string): string => problems.map(pick).join('; ');
  const why = [
    String(problems[0]?.row ?? ''),
    each((p) => p.column),
    each((p) => p.value),
    each((p) => p.reason),
    each((p) => p.suggestion ?? '').replace(/^[; ]+$/, ''),
  ];
  return line(theirs(own), ours(why), theirs(cells.slice(header.length)));
}

/**
 * How many columns of its own a list has that is such a file, corrected and uploaded again; null: it is another list.
 * Spreadsheets make every row as long as the longest, the header too.
 */
export function columnsBeforeRefusal(header: readonly string[]): number | null {
  const names = withoutBlankEnd(header).map((name) => name.trim());
  const own = names.length - OWN_COLUMNS.length;
  return own > 0 && OWN_COLUMNS.every((name, at) => names[own + at] === name) ? own : null;
}

/** The list's own part of a header, whether it is of such a file or not. */
export function listedHeader(header: readonly string[]): readonly string[] {
  const columns = columnsBeforeRefusal(header);
  return columns === null ? header : header.slice(0, columns).map(unguarded);
}

/**
 * The cells of a row of such a file as they were in the list, with what was corrected. A row that lacked cells lacks
 * them until one of them is filled in, or our reason is taken away.
 */
export function cellsBeforeRefusal(cells: readonly string[], columns: number): string[] {
  const own = cells.slice(0, columns).map(unguarded);
  const had = Number(CELL_COUNT.exec(cells[columns + REASON] ?? '')?.[1] ?? columns);
  if (had < columns && isBlank(own.slice(had))) return own.slice(0, had);
  return [...own, ...withoutBlankEnd(cells.slice(columns + OWN_COLUMNS.length)).map(unguarded)];
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

const withoutBlankEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
