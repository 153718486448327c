import { findColumns, type ColumnRules } from './contact-columns.ts';
import { BrokenCsv, CsvReader } from './csv-reader.ts';
import { listedHeader } from './rejects-csv.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** `sep=;`, the line in which spreadsheets declare the delimiter. */
const DECLARED = /^sep=([,;\t|])(?:\r\n|\r|\n|$)/;

export interface Dialect {
  readonly delimiter: string;
  /** Characters before the header: the length of a `sep=` line. */
  readonly skip: number;
}

/**
 * Detects the delimiter from the first row: the one that yields the required columns, otherwise the one that yields
 * most cells. `text` is the beginning of the file.
 */
export function findDialect(text: string, rules: ColumnRules): Dialect {
  const declared = DECLARED.exec(text);
  if (declared !== null) return { delimiter: declared[1] ?? ',', skip: declared[0].length };
  const tried = DELIMITERS.map((delimiter) => {
    const cells = headerOf(text, delimiter);
    return { delimiter, cells: cells.length, fits: findColumns(listedHeader(cells), rules).ok };
  });
  const best = tried.reduce((a, b) =>
    Number(b.fits) > Number(a.fits) || (b.fits === a.fits && b.cells > a.cells) ? b : a,
  );
  return { delimiter: best.delimiter, skip: 0 };
}

/** Cells of the first row that is not blank; empty when it cannot be parsed. */
function headerOf(text: string, delimiter: string): readonly string[] {
  try {
    const reader = new CsvReader(delimiter);
    for (const record of reader.push(text)) {
      if (record.cells.some((cell) => cell.trim() !== '')) return record.cells;
    }
    for (const record of reader.end()) return record.cells;
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
  }
  return [];
}
