import { errors } from '../../../errors.ts';
import { findColumns, type ColumnRules } from './contact-columns.ts';
import { findDialect } from './csv-dialect.ts';
import { BrokenCsv, CsvReader } from './csv-reader.ts';
import { listedHeader } from './rejects-csv.ts';
import { EncodingFinder } from './text-encoding.ts';

/**
 * Checks the header row in the first piece of a file, so that the upload request itself fails on missing columns.
 * The rows are checked later, when the whole file is read. Throws 422.
 */
export function checkHead(head: Buffer, rules: ColumnRules): void {
  const finder = new EncodingFinder();
  finder.push(head);
  const text = new TextDecoder(finder.end().name).decode(head);
  const { delimiter, skip } = findDialect(text, rules);
  try {
    for (const record of new CsvReader(delimiter).push(`${text.slice(skip)}\n`)) {
      if (record.cells.every((cell) => cell.trim() === '')) continue;
      const found = findColumns(listedHeader(record.cells), rules);
      if (found.ok) return;
      throw errors.validationFailed(found.problems);
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    throw errors.invalid(
      'file',
      `cannot be divided into rows: cell ${error.cell + 1} in the header ${error.message}`,
    );
  }
  throw errors.invalid('file', 'is empty: its first row must be the header');
}
