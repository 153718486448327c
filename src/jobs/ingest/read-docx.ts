import mammoth from 'mammoth';
import type { Block } from '../../domain/knowledge/blocks.ts';
import { readHtml } from './read-html.ts';
import { readZip, storeZip, UnreadableDocument } from './zip-entries.ts';

const PARTS = /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:_rels\/)?[\w.-]+\.(?:xml|xml\.rels))$/;

/** Headings, paragraphs and tables of a Word document. Pictures and embedded files are never unpacked. */
export async function readDocx(bytes: Buffer): Promise<Block[]> {
  const parts = readZip(bytes, (name) => PARTS.test(name));
  if (!parts.has('word/document.xml')) throw new UnreadableDocument('is not a Word document');
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: storeZip(parts) },
      {
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
        externalFileAccess: false,
      },
    );
    return readHtml(`<body>${value}</body>`);
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument('is damaged');
  }
}
