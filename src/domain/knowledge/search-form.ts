import { normalQuestion, questionTerms, termsOf } from '../../shared/knowledge/terms.ts';
import type { NewChunk } from '../../store/knowledge-chunks.ts';
import type { Chunk } from './blocks.ts';

const MAX_POSITION = 16_383;
const MAX_POSITIONS = 200;

/** A chunk as it is stored, with its terms as a tsvector: questions and headings weigh more than the text. */
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

/** A question as a tsquery of any of its terms, longer ones as beginnings; null when it has no words. */
export function toQuery(question: string): { tsquery: string; asked: string } | null {
  const terms = questionTerms(question);
  if (terms.length === 0) return null;
  const tsquery = terms.map((term) => (term.length > 3 ? `'${term}':*` : `'${term}'`)).join(' | ');
  return { tsquery, asked: normalQuestion(question) };
}
