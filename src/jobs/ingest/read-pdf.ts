import { extractText, getDocumentProxy } from 'unpdf';
import type { Block } from '../../domain/knowledge/blocks.ts';
import { clean, readPlain } from './read-text.ts';
import { UnreadableDocument } from './zip-entries.ts';

const MAX_PAGES = 1000;

/** The text of a PDF, page by page. Scanned pages contain no text; a document of scanned pages only is refused. */
export async function readPdf(bytes: Buffer): Promise<Block[]> {
  let pages: readonly string[];
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      stopAtErrors: false,
      maxImageSize: 1,
      disableFontFace: true,
      useSystemFonts: false,
    });
    if (document.numPages > MAX_PAGES) throw new UnreadableDocument(`has more than ${MAX_PAGES} pages`);
    pages = (await extractText(document, { mergePages: false })).text;
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableDocument(isLocked ? 'is protected by a password' : 'is damaged');
  }
  // A glyph without a Unicode mapping is extracted as NUL, which `clean` turns into a space.
  return pages.flatMap((page) => readPlain(joinLines(clean(page))));
}

/** Joins words hyphenated at line ends and collapses spaces. */
const joinLines = (page: string): string =>
  page.replaceAll(/(\p{Ll})-\n(\p{Ll})/gu, '$1$2').replaceAll(/[^\S\n]+/g, ' ');
