import { foreignKind, HEAD_BYTES, isArchive, readListHead, type ListHead } from './list-head.ts';
import { t } from '../../words/words.ts';

/** Header and first rows of a contact list; a text: why it is none, and what to do. */
export async function readList(file: File): Promise<ListHead | string> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const kind = foreignKind(bytes);
  if (kind === null) return readListHead(bytes, file.size <= HEAD_BYTES);
  const head = isArchive(bytes) ? await workbookHead(file) : null;
  const why = isArchive(bytes) ? ` ${t('that cannot be read')}` : '';
  return (
    head ??
    t(
      '{name} is {kind}{why}. Open it in the spreadsheet, choose “Save as” or “Download”, then CSV, and choose that file here.',
      { name: file.name, kind, why },
    )
  );
}

/** Null: it is no Excel workbook, or a damaged or very large one. */
const workbookHead = (file: File): Promise<ListHead | null> =>
  import('./read-workbook.ts').then(({ readWorkbookHead }) => readWorkbookHead(file)).catch(() => null);
