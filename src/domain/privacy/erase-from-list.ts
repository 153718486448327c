import type { Tx } from '../../store/database.ts';
import {
  dropReportedRows,
  lockRejects,
  replaceRejects,
  type ListToErase,
} from '../../store/privacy/erasure-lists.ts';
import { CsvReader } from '../campaigns/import/csv-reader.ts';
import { packPiece, unpackPiece } from '../campaigns/import/piece.ts';
import { columnsBeforeRefusal } from '../campaigns/import/rejects-csv.ts';
import { numberMentions } from './mentions-number.ts';

/**
 * Removes every rejected row that contains one of the numbers from a list: from the file of rejected rows, the report
 * and the stored response of its request. Other rows do not change.
 */
export async function eraseFromList(
  tx: Tx,
  list: ListToErase,
  mobileNumbers: readonly string[],
): Promise<void> {
  const mentions = numberMentions(mobileNumbers);
  const rows: number[] = [];
  let columns = 0;
  for (let seq = 0; ; seq += 1) {
    const content = await lockRejects(tx, list, seq);
    if (content === undefined) break;
    const text = (await unpackPiece(content)).toString();
    if (seq === 0) columns = columnsOf(text);
    if (!mentions(text)) continue;
    const kept = withoutRows(text, columns, (row, isHeader) => !isHeader && mentions(row), seq === 0);
    rows.push(...kept.dropped);
    await replaceRejects(tx, list, seq, await packPiece(kept.text));
  }
  if (rows.length > 0) await dropReportedRows(tx, list, rows);
}

/**
 * The remaining text of a piece, which holds whole rows, and the row numbers of the removed rows. The row number is
 * the cell after the list's own `columns`.
 */
export function withoutRows(
  text: string,
  columns: number,
  isDropped: (row: string, isHeader: boolean) => boolean,
  hasHeader: boolean,
): { text: string; dropped: number[] } {
  const dropped: number[] = [];
  const kept: string[] = [];
  for (const [at, row] of rowsOf(text).entries()) {
    if (isDropped(row, hasHeader && at === 0)) dropped.push(Number(cellsOf(row)[columns]));
    else kept.push(row);
  }
  return { text: kept.join(''), dropped };
}

/** Rows with their line ends; a line end inside quotes is part of the cell. */
function rowsOf(text: string): string[] {
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
function columnsOf(text: string): number {
  const header = cellsOf(rowsOf(text)[0] ?? '');
  const columns = columnsBeforeRefusal(header);
  if (columns === null) throw new Error('a file of rejected rows has no header');
  return columns;
}

function cellsOf(row: string): readonly string[] {
  const reader = new CsvReader(',', { maxRecordChars: Number.MAX_SAFE_INTEGER, maxCells: 10_000 });
  const [record] = [...reader.push(row), ...reader.end()];
  return record?.cells ?? [];
}
