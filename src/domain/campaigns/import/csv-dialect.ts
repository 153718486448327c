import { findColumns, type ColumnRules } from './contact-columns.ts';
import { BrokenCsv, CsvReader } from './csv-reader.ts';
import { listedHeader } from './rejects-csv.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** A first line that spreadsheets write and read: which delimiter the file has. */
const DECLARED = /^sep=([,;\t|])(?:\r\n|\r|\n|$)/;

export interface Dialect {
  readonly delimiter: string;
  /** Characters before the header: a line that declares the delimiter. */
  readonly skip: number;
}

/**
 * The delimiter of a file by its first row: the one under which the row has the columns asked for, or else most
 * cells. `text` is the beginning of the file.
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

/** The first row that is not blank; empty when it cannot be read. */
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
