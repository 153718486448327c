import { readFileSync, writeSync } from 'node:fs';
import type { DocumentFormat } from '../../domain/knowledge/document-format.ts';
import type { Block } from '../../domain/knowledge/blocks.ts';
import { storedChunks } from '../../domain/knowledge/search-form.ts';
import type { NewChunk } from '../../store/knowledge/chunks.ts';
import { decodeText, readMarkdown, readPlain } from './read-text.ts';
import { UnreadableDocument } from './zip-entries.ts';

/**
 * Sandboxed child process: reads one document from standard input and writes its blocks, its table, or each of its stored chunks as a line
 * of JSON to standard output. It runs with bounded memory and time, an empty environment and no permission to use files, processes or threads.
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

type Answer = { blocks: readonly Block[] } | NewChunk | { csv: string } | { unreadable: string };

/** One line of JSON for each. */
function write(answers: readonly Answer[]): void {
  for (const answer of answers) {
    let bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
  }
}

/** `xlsx` is the format of a contact list, the others are those of knowledge. */
async function answer(format: DocumentFormat | 'xlsx', form: string | undefined): Promise<void> {
  const bytes = readFileSync(0);
  if (format === 'xlsx')
    return write([{ csv: await (await import('./read-workbook.ts')).readWorkbook(bytes) }]);
  const blocks = await read(format, bytes);
  write(form === 'chunks' ? storedChunks(blocks) : [{ blocks }]);
}

try {
  await answer(process.argv[2] as DocumentFormat | 'xlsx', process.argv[3]);
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  write([{ unreadable: error.message }]);
}
