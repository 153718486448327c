import { isArchive, readText } from './list-head.ts';
import { quoted, splitRecords, type Cell } from './split-records.ts';

/** Another value for one cell of a list. */
export interface Correction {
  /** As the report counts it: the header is row 0, and blank lines count. */
  readonly row: number;
  readonly column: string;
  /** What the report says stands there. */
  readonly from: string;
  readonly to: string;
}

/**
 * The list with other values in these cells, every other character as it was. Null: one of the cells does not hold what the
 * report says, such as in a list whose quotes are damaged.
 */
export function correctedText(
  text: string,
  delimiter: string,
  corrections: readonly Correction[],
): string | null {
  const records = splitRecords(text, delimiter);
  const header = (records[0] ?? []).map((cell) => cell.text.trim());
  const places: { readonly cell: Cell; readonly to: string }[] = [];
  for (const { row, column, from, to } of corrections) {
    const cell = records[row]?.[header.indexOf(column)];
    if (cell === undefined || cell.text.trim() !== from.trim()) return null;
    places.push({ cell, to });
  }
  let result = text;
  for (const { cell, to } of places.toSorted((a, b) => b.cell.from - a.cell.from)) {
    result = result.slice(0, cell.from) + quoted(to, delimiter) + result.slice(cell.to);
  }
  return result;
}

/** The corrected file as UTF-8, of a workbook its first sheet as CSV; null as above, and for a damaged workbook. */
export async function correctedFile(file: File, corrections: readonly Correction[]): Promise<File | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = isArchive(bytes) ? await readSheet(file) : readText(bytes);
  const text = read === null ? null : correctedText(read.text, read.delimiter, corrections);
  return text === null ? null : new File([text], file.name.replace(/\.xlsx$/i, '.csv'), { type: 'text/csv' });
}

const readSheet = (file: File): Promise<{ text: string; delimiter: string } | null> =>
  import('./read-workbook.ts')
    .then(async ({ readWorkbookText }) => ({ text: await readWorkbookText(file), delimiter: ',' }))
    .catch(() => null);
