import { questionTerms, termsOf } from '../../shared/knowledge/terms.ts';

const SHORTEST = 3;
const LONGEST = 5;
/** What a word that says nothing weighs beside others. */
const LITTLE = 0.1;

/**
 * A vector of a text out of its words and the pieces of its words, hashed: texts are near each other as far as they
 * share roots, compounds or misspelt words. It knows nothing of what words mean. The same text has the same vector.
 */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = Array.from<number>({ length: dimensions }).fill(0);
  // A text without words has a direction too.
  vector[0] = 0.01;
  const telling = new Set(questionTerms(text));
  for (const word of termsOf(text)) {
    const weight = telling.has(word) ? 1 : LITTLE;
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

/** Half of the features count against: what shares none has a likeness about 0. */
function add(vector: number[], feature: string, weight: number): void {
  const hash = hashOf(feature);
  const place = (hash >>> 1) % vector.length;
  vector[place] = (vector[place] ?? 0) + ((hash & 1) === 1 ? weight : -weight);
}

/** FNV-1a over the text's code units, mixed once more so that its low bits are as good as the others. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
