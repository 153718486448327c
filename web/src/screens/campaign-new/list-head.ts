import { splitRecords } from './split-records.ts';
import { t } from '../../words/words.ts';

/** The first rows of a contact list, as far as a preview needs them; the service reads the file itself. */
export interface ListHead {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How its bytes were read; null: it is a sheet of a workbook. */
  readonly text: { readonly encoding: string; readonly delimiter: string } | null;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tabulator', '|': 'vertical bar' } as const;
const PREVIEW_ROWS = 10;
/** Bytes of the file that the preview reads. */
export const HEAD_BYTES = 65_536;

/** A ZIP archive, as which spreadsheets store workbooks. */
export const isArchive = (bytes: Uint8Array): boolean =>
  [0x50, 0x4b, 0x03, 0x04].every((byte, at) => bytes[at] === byte);

/** What a file is that is no text, by its first bytes; null: it may be a list. */
export function foreignKind(bytes: Uint8Array): string | null {
  const starts = (...wanted: number[]): boolean => wanted.every((byte, at) => bytes[at] === byte);
  // Both are how spreadsheets store files: a ZIP archive, and the format before 2007.
  if (isArchive(bytes)) return t('a workbook of a spreadsheet, such as .xlsx or .ods');
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) return t('an old workbook, such as .xls');
  if (starts(0x25, 0x50, 0x44, 0x46)) return t('a PDF');
  return null;
}

/** Reads header and first rows. `isWhole` is false when the file goes on after `bytes`. */
export function readListHead(bytes: Uint8Array, isWhole: boolean): ListHead {
  const { text, encoding } = decode(bytes);
  const delimiter = delimiterOf(text);
  const records = splitRecords(text, delimiter).map((cells) => cells.map((cell) => cell.text));
  // The last record of a part may be cut off.
  if (!isWhole) records.pop();
  const [header = [], ...rows] = records.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  return {
    header: header.map((cell) => cell.trim()),
    rows: rows.slice(0, PREVIEW_ROWS),
    text: { encoding, delimiter: DELIMITER_NAMES[delimiter] },
  };
}

/** The delimiter that the first line has most of. */
function delimiterOf(text: string): (typeof DELIMITERS)[number] {
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  const counts = DELIMITERS.map((each) => firstLine.split(each).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The text of a list and its delimiter; null: it is no text. */
export function readText(bytes: Uint8Array): { readonly text: string; readonly delimiter: string } | null {
  if (foreignKind(bytes) !== null) return null;
  const { text } = decode(bytes);
  return { text, delimiter: delimiterOf(text) };
}

function decode(bytes: Uint8Array): { text: string; encoding: string } {
  const [first, second] = bytes;
  const as = (label: string): string => new TextDecoder(label).decode(bytes);
  if (first === 0xff && second === 0xfe) return { text: as('utf-16le'), encoding: 'UTF-16' };
  if (first === 0xfe && second === 0xff) return { text: as('utf-16be'), encoding: 'UTF-16' };
  try {
    // With `stream` a character that the part cuts in two is no error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return { text, encoding: 'UTF-8' };
  } catch {
    return { text: as('windows-1252'), encoding: 'Windows-1252' };
  }
}
