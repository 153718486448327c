import type { Block } from '../../domain/knowledge/blocks.ts';
import { trimEndOf } from '../../shared/trim.ts';

/** Decodes bytes by their byte order mark, else as UTF-8, else as Windows-1252 (the web's fallback). */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return clean(new TextDecoder('utf-16le').decode(bytes));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return clean(new TextDecoder('utf-16be').decode(bytes));
  try {
    return clean(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return clean(new TextDecoder('windows-1252').decode(bytes));
  }
}

/** Replaces characters that PostgreSQL cannot store (NUL, unpaired surrogates) and normalises line ends to `\n`. */
export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff\ufffd]/g, ' ');

/** Paragraphs of plain text, separated by empty lines. */
export const readPlain = (text: string): Block[] =>
  text
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph): Block => ({ type: 'text', text: paragraph }));

/** Headings and paragraphs of Markdown, without the markup. */
export function readMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let isFenced = false;
  const close = (): void => {
    const text = open.join('\n').trim();
    if (text !== '') blocks.push({ type: 'text', text });
    open = [];
  };
  const heading = (level: number, text: string): void => void blocks.push({ type: 'heading', level, text });
  for (const line of source.replace(/^---\n[\s\S]{0,5000}?\n---\n/, '').split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isFenced = !isFenced;
      continue;
    }
    const title = isFenced ? null : /^(#{1,6})\s+(\S.*)$/.exec(line);
    const underline = isFenced ? null : /^(=|-){3,}\s*$/.exec(line);
    if (title !== null) {
      close();
      heading(title[1]?.length ?? 1, plainOf(withoutClosing(title[2] ?? '')));
    } else if (underline !== null && open.length === 1) {
      const [text = ''] = open;
      open = [];
      heading(underline[1] === '=' ? 1 : 2, text);
    } else if (line.trim() === '' || underline !== null) close();
    else open.push(isFenced ? line : plainOf(line));
  }
  close();
  return blocks;
}

/** A heading without its closing number signs; a heading of number signs keeps the first. */
const withoutClosing = (title: string): string =>
  title.charAt(0) + trimEndOf(title.slice(1).trimEnd(), '#').trimEnd();

const plainOf = (line: string): string =>
  line
    .replace(/^\s{0,12}(?:>\s?)+/, '')
    .replaceAll(/!?\[([^[\]]{0,500})\]\([^)[]{0,2000}\)/g, '$1')
    .replaceAll(/<[^<>]{1,500}>/g, ' ')
    .replaceAll(/\*\*|__|`/g, '')
    .replace(/^(\s*)[-*+]\s+/, '$1')
    .replace(/^\s*\|(.*)\|\s*$/, (_row, cells: string) =>
      /^[\s:|-]+$/.test(cells)
        ? ''
        : cells
            .split('|')
            .map((cell) => cell.trim())
            .join('; '),
    )
    .trim();
