import { readFileSync, writeSync } from 'node:fs';
import type { DocumentFormat } from '../../domain/knowledge/document-format.ts';
import type { Block } from '../../domain/knowledge/blocks.ts';
import { decodeText } from './decode-text.ts';
import { readPlain, readMarkdown } from './read-markdown.ts';
import { UnreadableDocument } from './zip-entries.ts';

/**
 * A program of its own: one document on standard input, its blocks as JSON on standard output. It runs with bounded
 * memory and time, an empty environment and no rights to files, processes or threads.
 */
async function read(format: DocumentFormat, bytes: Buffer): Promise<Block[]> {
  switch (format) {
    case 'pdf':
      return (await import('./read-pdf.ts')).readPdf(bytes);
    case 'docx':
      return (await import('./read-docx.ts')).readDocx(bytes);
    case 'html':
      return (await import('./read-html.ts')).readHtml(decodeText(bytes));
    case 'csv':
      return (await import('./read-csv.ts')).readCsv(decodeText(bytes));
    case 'md':
      return readMarkdown(decodeText(bytes));
    case 'txt':
      return readPlain(decodeText(bytes));
    default:
      return format satisfies never;
  }
}

function write(answer: { blocks: readonly Block[] } | { unreadable: string }): void {
  let bytes = Buffer.from(JSON.stringify(answer));
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
}

try {
  write({ blocks: await read(process.argv[2] as DocumentFormat, readFileSync(0)) });
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  write({ unreadable: error.message });
}
