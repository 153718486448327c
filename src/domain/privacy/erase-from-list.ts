import type { Tx } from '../../store/database.ts';
import {
  dropReportedRows,
  readRejects,
  replaceRejects,
  type ListToErase,
} from '../../store/privacy/erasure-lists.ts';
import { packPiece, unpackPiece } from '../campaigns/import/piece.ts';
import { numberMentions } from './mentions-number.ts';
import { cellsOf, columnsOf, rowsOf } from './refused-rows.ts';

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
    const content = await readRejects(tx, list, seq, 'lock');
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
