import { CsvReader } from '../campaigns/import/csv-reader.ts';
import { columnsBeforeRefusal } from '../campaigns/import/rejects-csv.ts';

/** Rows with their line ends; a line end inside quotes is part of the cell. */
export function rowsOf(text: string): string[] {
  const rows: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\n' && !isQuoted) {
      rows.push(text.slice(from, at + 1));
      from = at + 1;
    }
  }
  if (from < text.length) rows.push(text.slice(from));
  return rows;
}

/** The column count of the list that the rejected rows come from. */
export function columnsOf(text: string): number {
  const header = cellsOf(rowsOf(text)[0] ?? '');
  const columns = columnsBeforeRefusal(header);
  if (columns === null) throw new Error('a file of rejected rows has no header');
  return columns;
}

export function cellsOf(row: string): readonly string[] {
  const reader = new CsvReader(',', { maxRecordChars: Number.MAX_SAFE_INTEGER, maxCells: 10_000 });
  const [record] = [...reader.push(row), ...reader.end()];
  return record?.cells ?? [];
}
