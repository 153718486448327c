import { guarded } from '../../../src/domain/calls/formula-guard.ts';
import { quotedField } from '../../../src/domain/calls/csv-field.ts';
import { saveFile } from './save-file.ts';

type Cell = string | number | null;
/** The figures of a table, for a spreadsheet: plain numbers, without the formats of the page. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const END = '\r\n';
/** Texts may come from anybody, so that no spreadsheet may calculate them; a number is no text. */
const field = (cell: Cell): string =>
  typeof cell === 'number' ? String(cell) : quotedField(guarded(cell ?? ''));
const line = (cells: readonly Cell[]): string => cells.map(field).join(',') + END;

/** One sheet as CSV; several with their names above them and an empty line between. */
export function csvOf(sheets: readonly Sheet[]): string {
  if (sheets.length === 1) {
    return sheets.map(({ columns, rows }) => [columns, ...rows].map(line).join('')).join('');
  }
  return sheets
    .map(({ name, columns, rows }) => line([name]) + [columns, ...rows].map(line).join(''))
    .join(END);
}

/** Hands sheets to the browser's downloads. The mark at the start has Excel read UTF-8. */
export function saveSheets(sheets: readonly Sheet[], file: string): void {
  saveFile(new Blob([`\uFEFF${csvOf(sheets)}`], { type: 'text/csv;charset=utf-8' }), file);
}
