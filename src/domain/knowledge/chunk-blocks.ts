import type { Block, Chunk } from './blocks.ts';

const MIN_WORDS = 80;
const MAX_WORDS = 150;
/** Chunks per document; the rest of a longer document is dropped. */
export const MAX_CHUNKS = 2000;
const MAX_HEADING = 300;
const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Length in words; in scripts without spaces two characters count as one word. */
export function countWords(text: string): number {
  const unspaced = count(text, UNSPACED);
  const spaced = unspaced === 0 ? text : text.replaceAll(UNSPACED, ' ');
  return Math.ceil(unspaced / 2) + count(spaced, /\S+/g);
}

/** Counts matches one by one: an array of the words of a 10 MB text takes hundreds of megabytes. */
function count(text: string, pattern: RegExp): number {
  let matches = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) matches += 1;
  return matches;
}

/**
 * Cuts a document into chunks of 80 to 150 words: headings end a chunk, paragraphs stay whole if they fit, long
 * paragraphs are cut between sentences, long sentences between words.
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
        if (chunks.length >= MAX_CHUNKS) break;
      }
    }
  }
  close();
  return chunks.slice(0, MAX_CHUNKS);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Pieces of at most 150 words of a paragraph, cut on demand: a caller that stops early leaves the rest uncut. */
function* piecesOf(paragraph: string): Generator<string> {
  const text = paragraph.replace(/[^\S\n]+/g, ' ').trim();
  if (text === '') return;
  if (countWords(text) <= MAX_WORDS) {
    yield text;
    return;
  }
  let open = '';
  let words = 0;
  for (const sentence of sentencesOf(text)) {
    const length = countWords(sentence);
    if (words > 0 && words + length > MAX_WORDS) {
      yield open.trim();
      open = '';
      words = 0;
    }
    open += sentence;
    words += length;
  }
  if (open.trim() !== '') yield open.trim();
}

function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)) {
    if (countWords(segment) <= MAX_WORDS) yield segment;
    else yield* cut(segment);
  }
}

/** Cuts a long sentence between words, or anywhere if it has no spaces. */
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
