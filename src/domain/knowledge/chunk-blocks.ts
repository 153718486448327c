import type { Block, Chunk } from './blocks.ts';

const MIN_WORDS = 80;
const MAX_WORDS = 150;
/** What one document may become; the rest of a longer one is not kept. */
export const MAX_CHUNKS = 2000;
const MAX_HEADING = 300;
const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Length in words; where a script has no spaces two characters count as one. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = unspaced === 0 ? text : text.replaceAll(UNSPACED, ' ');
  return Math.ceil(unspaced / 2) + (spaced.match(/\S+/g)?.length ?? 0);
}

/**
 * Cuts a document into pieces of 80 to 150 words that belong together: headings close a piece, paragraphs stay whole
 * where they can, long ones are cut between sentences, a sentence without end between words.
 */
export function chunkBlocks(blocks: readonly Block[]): Chunk[] {
  const chunks: Chunk[] = [];
  const path: { level: number; text: string }[] = [];
  let open: string[] = [];
  let words = 0;
  const heading = (): string =>
    path
      .map(({ text }) => text)
      .join(' › ')
      .slice(0, MAX_HEADING);
  const close = (): void => {
    const body = open.join('\n').trim();
    if (body !== '') chunks.push({ heading: heading(), question: null, body });
    open = [];
    words = 0;
  };
  for (const block of blocks) {
    if (chunks.length >= MAX_CHUNKS) break;
    if (block.type === 'heading') {
      close();
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      if (block.text.trim() !== '')
        path.push({ level: block.level, text: oneLine(block.text).slice(0, 200) });
    } else if (block.type === 'faq') {
      close();
      chunks.push({ heading: heading(), question: oneLine(block.question), body: block.answer.trim() });
    } else {
      for (const piece of piecesOf(block.text)) {
        const length = countWords(piece);
        if (words > 0 && words + length > MAX_WORDS) close();
        open.push(piece);
        words += length;
        if (words >= MIN_WORDS) close();
      }
    }
  }
  close();
  return chunks.slice(0, MAX_CHUNKS);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A paragraph in pieces of at most 150 words. */
function piecesOf(paragraph: string): string[] {
  const text = paragraph.replace(/[^\S\n]+/g, ' ').trim();
  if (text === '') return [];
  if (countWords(text) <= MAX_WORDS) return [text];
  const pieces: string[] = [];
  let open = '';
  let words = 0;
  for (const sentence of sentencesOf(text)) {
    const length = countWords(sentence);
    if (words > 0 && words + length > MAX_WORDS) {
      pieces.push(open.trim());
      open = '';
      words = 0;
    }
    open += sentence;
    words += length;
  }
  if (open.trim() !== '') pieces.push(open.trim());
  return pieces;
}

function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)) {
    if (countWords(segment) <= MAX_WORDS) yield segment;
    else yield* cut(segment);
  }
}

/** A sentence longer than a chunk, cut between words, or anywhere where it has no spaces. */
function* cut(sentence: string): Generator<string> {
  const parts = sentence.match(/\S{1,200}\s*/g) ?? [];
  for (let at = 0; at < parts.length;) {
    let piece = '';
    let words = 0;
    while (at < parts.length) {
      const length = countWords(parts[at] ?? '');
      if (words > 0 && words + length > MAX_WORDS) break;
      piece += parts[at];
      words += length;
      at += 1;
    }
    yield piece;
  }
}
