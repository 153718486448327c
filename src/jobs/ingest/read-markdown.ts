import type { Block } from '../../domain/knowledge/blocks.ts';

/** Paragraphs of plain text, parted by empty lines. */
export const readPlain = (text: string): Block[] =>
  text
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph): Block => ({ type: 'text', text: paragraph }));

/** Headings and paragraphs of Markdown, without its marks. */
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
    const title = isFenced ? null : /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    const underline = isFenced ? null : /^(=|-){3,}\s*$/.exec(line);
    if (title !== null) {
      close();
      heading(title[1]?.length ?? 1, plainOf(title[2] ?? ''));
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

const plainOf = (line: string): string =>
  line
    .replace(/^\s{0,12}(?:>\s?)+/, '')
    .replaceAll(/!?\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')
    .replaceAll(/<[^>]{1,500}>/g, ' ')
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
