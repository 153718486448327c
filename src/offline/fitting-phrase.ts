/** A phrase of the grammar that fits a sound, and how well. */
export interface Opinion {
  readonly text: string;
  readonly confidence: number;
}

/** From this confidence on a phrase is right more often than words that differ from it. */
const SURE = 0.7;
/** Words are kept at this confidence if they are more or fewer than those of the phrase. */
const SURE_WORDS = 0.9;

const count = (text: string): number => text.split(' ').length;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}' ]/gu, '');

/** The phrase, where it fits better than the words; null: the words stay. */
export function moreFitting(
  words: { readonly text: string; readonly confidence: number | null },
  phrase: Opinion,
): Opinion | null {
  if (phrase.confidence < SURE || plain(phrase.text) === plain(words.text)) return null;
  const more = count(words.text) - count(phrase.text);
  // Much more was said than the phrase.
  if (more > 1) return null;
  return more !== 0 && (words.confidence ?? 0) >= SURE_WORDS ? null : phrase;
}
