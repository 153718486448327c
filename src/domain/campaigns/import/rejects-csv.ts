import type { RowProblem } from '../../../store/json/contact-import.ts';
import { guardedToReturn, unguarded } from '../../calls/formula-guard.ts';
import { csvField, quotedField } from '../../calls/csv-field.ts';
import { CELL_COUNT } from './contact-row.ts';

const OWN_COLUMNS = ['Row', 'Column', 'Value', 'Reason', 'Suggestion'];
const REASON = OWN_COLUMNS.indexOf('Reason');

const ours = (cells: readonly string[]): string[] => cells.map(csvField);
const theirs = (cells: readonly string[]): string[] =>
  cells.map((cell) => quotedField(guardedToReturn(cell.replaceAll('\0', ''))));
const line = (...fields: readonly (readonly string[])[]): string => `${fields.flat().join(',')}\r\n`;

/** Header of the CSV of refused rows: the list's columns, then the columns with the reason. */
export const rejectsHeader = (header: readonly string[]): string => line(theirs(header), ours(OWN_COLUMNS));

/**
 * One refused row with its reasons. Missing cells are blank, surplus cells follow the reason columns, so every cell
 * stays under its own header.
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
 * Recognises a CSV of refused rows that was corrected and uploaded again: the number of the list's own columns, null
 * for any other list. Spreadsheets pad every row, the header included, to the longest one.
 */
export function columnsBeforeRefusal(header: readonly string[]): number | null {
  const names = withoutBlankEnd(header).map((name) => name.trim());
  const own = names.length - OWN_COLUMNS.length;
  return own > 0 && OWN_COLUMNS.every((name, at) => names[own + at] === name) ? own : null;
}

/** The header without the reason columns, if it has them. */
export function listedHeader(header: readonly string[]): readonly string[] {
  const columns = columnsBeforeRefusal(header);
  return columns === null ? header : header.slice(0, columns).map(unguarded);
}

/**
 * Restores the list's own cells of a re-uploaded row, corrections included. A row refused for missing cells stays
 * short until the user fills one of them in or deletes the reason.
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
