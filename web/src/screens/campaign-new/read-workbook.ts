import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/web-worker';
import type { ListHead } from './list-head.ts';
import { quoted } from './split-records.ts';
import { t } from '../../words/words.ts';

/** Bytes of the file, as for the service, and of its parts. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_UNPACKED = 48 * 1024 * 1024;
const ROWS = 10;

/** Header and first rows of the first sheet. Rejects with what is wrong with the file. */
export async function readWorkbookHead(file: File): Promise<ListHead> {
  const [header = [], ...data] = (await rowsOf(file)).filter((cells) =>
    cells.some((cell) => cell.trim() !== ''),
  );
  return {
    header: header.map((cell) => cell.trim()),
    rows: data.slice(0, ROWS),
    text: null,
  };
}

/** The first sheet as CSV, row for row as the service reads it. Rejects with what is wrong with the file. */
export const readWorkbookText = async (file: File): Promise<string> =>
  (await rowsOf(file)).map((cells) => `${cells.map((cell) => quoted(cell, ',')).join(',')}\n`).join('');

async function rowsOf(file: File): Promise<string[][]> {
  if (file.size > MOST_BYTES) throw new Error(t('is a workbook of more than 10 MB'));
  let left = MOST_UNPACKED;
  const parts = unzipSync(new Uint8Array(await file.arrayBuffer()), {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:xml|rels)$/.test(name)) return false;
      left -= originalSize;
      if (left < 0) throw new Error(t('unpacks to more than is allowed'));
      return true;
    },
  });
  if (parts['xl/workbook.xml'] === undefined) throw new Error(t('is no Excel workbook'));
  // Stored without compression, the library unpacks it without a worker, which the page's policy forbids.
  const rows = await readSheet(zipSync(parts, { level: 0 }).buffer);
  return rows.map((row) => row.map(cellText));
}

/** A cell as the service reads it. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number')
    return cell.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 10 });
  if (!(cell instanceof Date)) return typeof cell === 'string' ? cell : JSON.stringify(cell);
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}
