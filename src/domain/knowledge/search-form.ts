import { normalQuestion, questionTerms, termsOf } from '../../shared/knowledge/terms.ts';
import type { NewChunk } from '../../store/knowledge/chunks.ts';
import type { Block, Chunk } from './blocks.ts';
import { chunkBlocks } from './chunk-blocks.ts';

const MAX_POSITION = 16_383;
const MAX_POSITIONS = 200;

/**
 * The stored chunks of a document. Takes seconds of processor time for a text of several megabytes, so ingestion calls it
 * in the document reader's process.
 */
export const storedChunks = (blocks: readonly Block[]): NewChunk[] => chunkBlocks(blocks).map(toStored);

/** The stored form of a chunk, with its terms as a tsvector: questions and headings have higher weights. */
export function toStored(chunk: Chunk): NewChunk {
  const positions = new Map<string, string[]>();
  let at = 0;
  const add = (text: string, weight: string): void => {
    for (const term of termsOf(text)) {
      at = Math.min(at + 1, MAX_POSITION);
      const places = positions.get(term) ?? [];
      if (places.length < MAX_POSITIONS) places.push(`${at}${weight}`);
      positions.set(term, places);
    }
  };
  add(chunk.question ?? '', 'A');
  add(chunk.heading, 'B');
  add(chunk.body, '');
  const search = [...positions].map(([term, places]) => `'${term}':${places.join(',')}`).join(' ');
  const asked = chunk.question === null ? null : normalQuestion(chunk.question);
  return { ...chunk, asked: asked === '' ? null : asked, search };
}

/** The tsquery of a question: any of its terms, longer ones as prefixes; null if it has no terms. */
export function toQuery(question: string): { tsquery: string; asked: string } | null {
  const terms = questionTerms(question);
  if (terms.length === 0) return null;
  const tsquery = terms.map((term) => (term.length > 3 ? `'${term}':*` : `'${term}'`)).join(' | ');
  return { tsquery, asked: normalQuestion(question) };
}
