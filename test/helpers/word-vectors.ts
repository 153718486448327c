import { questionTerms, termsOf } from '../../src/shared/knowledge/terms.ts';

const SHORTEST = 3;
const LONGEST = 5;
/** The weight of a stop word. */
const LITTLE = 0.1;

/**
 * Feature-hashes a text's words and character n-grams into a vector: texts with shared roots, compounds or misspellings
 * are near each other. It does not know meanings. Equal texts have equal vectors.
 */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = Array.from<number>({ length: dimensions }).fill(0);
  // A text without words also needs a non-zero vector.
  vector[0] = 0.01;
  const terms = new Set(questionTerms(text));
  for (const word of termsOf(text)) {
    const weight = terms.has(word) ? 1 : LITTLE;
    add(vector, `word ${word}`, weight);
    const pieces = piecesOf(word);
    for (const piece of pieces) add(vector, piece, (weight * 2) / Math.sqrt(pieces.length));
  }
  return vector;
}

function piecesOf(word: string): string[] {
  const characters = Array.from(`<${word}>`);
  const pieces: string[] = [];
  for (let length = SHORTEST; length <= LONGEST; length += 1) {
    for (let at = 0; at + length <= characters.length; at += 1) {
      pieces.push(characters.slice(at, at + length).join(''));
    }
  }
  return pieces;
}

/** Hashed sign, so that unrelated texts have a similarity near 0. */
function add(vector: number[], feature: string, weight: number): void {
  const hash = hashOf(feature);
  const place = (hash >>> 1) % vector.length;
  vector[place] = (vector[place] ?? 0) + ((hash & 1) === 1 ? weight : -weight);
}

/** FNV-1a over the text's code units with a final mix for well distributed low bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
