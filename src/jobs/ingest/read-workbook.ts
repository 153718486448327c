import { readSheet } from 'read-excel-file/universal';
import { quotedField } from '../../domain/calls/csv-field.ts';
import { readZip, storeZip, UnreadableDocument } from './zip-entries.ts';

const PARTS = /^(?:\[Content_Types\]\.xml|_rels\/.*\.rels|xl\/.*\.(?:xml|rels))$/;

/** The first sheet of an Excel workbook as CSV. Throws UnreadableDocument. */
export async function readWorkbook(bytes: Buffer): Promise<string> {
  const parts = readZip(bytes, (name) => PARTS.test(name));
  if (!parts.has('xl/workbook.xml')) throw new UnreadableDocument('is no Excel workbook');
  // The library unpacks what was counted above, and nothing else.
  const { buffer, byteOffset, byteLength } = storeZip(parts);
  const archive = (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
  const rows = await readSheet(archive).catch(() => {
    throw new UnreadableDocument('is damaged');
  });
  return rows.map((row) => `${row.map((cell) => quotedField(cellText(cell))).join(',')}\n`).join('');
}

/** A cell as the CSV of a spreadsheet has it; dates in ISO form, since the sheet's own form may mean two days. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) {
    const iso = cell.toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
  }
  if (typeof cell === 'number')
    return cell.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 10 });
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
