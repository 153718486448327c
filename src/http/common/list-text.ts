import { errors } from '../../errors.ts';

/** The first sheet of an Excel workbook as CSV. Throws 422 for `file`. */
export type ReadWorkbook = (bytes: Buffer) => Promise<Buffer>;

/** Bytes of a workbook, which is unpacked as a whole. */
const WORKBOOK_BYTES = 10 * 1024 * 1024;
const MARK_BYTES = 4;
const WORKBOOK = 'PK\x03\x04';
const SAVE_AS_CSV = 'save the list as CSV and send that file';

/** Files that are no lists, by their first bytes. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['\xd0\xcf\x11\xe0', `is an old Excel workbook (.xls): ${SAVE_AS_CSV}`],
  ['%PDF', `is a PDF: ${SAVE_AS_CSV}`],
];

/** The text of a contact list as it arrives; that of an Excel workbook once it is whole. Throws 422 for other files. */
export async function* listText(
  file: AsyncIterable<Buffer>,
  readWorkbook: ReadWorkbook,
): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isKnown = false;
  let isWorkbook = false;
  for await (const bytes of file) {
    held.push(bytes);
    heldBytes += bytes.length;
    if (!isKnown && heldBytes >= MARK_BYTES) {
      isKnown = true;
      isWorkbook = kindOf(Buffer.concat(held)) === WORKBOOK;
    }
    if (!isKnown) continue;
    if (isWorkbook) {
      if (heldBytes > WORKBOOK_BYTES) {
        throw errors.invalid('file', `is an Excel workbook of more than 10 MB: ${SAVE_AS_CSV}`);
      }
      continue;
    }
    yield* held;
    held = [];
  }
  if (isWorkbook) yield await readWorkbook(Buffer.concat(held));
  else yield* held;
}

function kindOf(head: Buffer): string {
  const mark = head.toString('latin1', 0, MARK_BYTES);
  const refusal = FOREIGN.find(([start]) => start === mark)?.[1];
  if (refusal !== undefined) throw errors.invalid('file', refusal);
  return mark;
}
