/** The tagger of hibari's files: an averaged perceptron with the tags of the Penn Treebank. */
export interface TaggerData {
  readonly tags: readonly string[];
  /** Words that have one tag. */
  readonly tagdict: Readonly<Record<string, string>>;
  /** Words with weights; others are judged by their shape. */
  readonly vocab: readonly string[];
  /** Feature → tag → weight. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The parts of speech of the words of a sentence. */
export type Tagger = (words: readonly string[]) => string[];

const START = ['-START2-', '-START-'] as const;
const END = ['-END-', '-END2-'] as const;

const isDigits = (word: string): boolean => /^\d+$/.test(word);
const isLetters = (word: string): boolean => /^\p{L}+$/u.test(word);

/** The word as the weights know it. */
function normal(word: string): string {
  if (word.includes('-') && !word.startsWith('-')) return '!HYPHEN';
  if (isDigits(word)) return word.length === 4 ? '!YEAR' : '!DIGITS';
  return /^\d/.test(word) ? '!DIGITS' : word.toLowerCase();
}

/** Capitals, small letters and digits. */
function shapeOf(word: string): string {
  if (isLetters(word)) {
    if (word === word.toLowerCase()) return 'x';
    if (word === word.toUpperCase()) return word.length > 1 ? 'XX' : 'X1';
    const [first, rest] = [word.slice(0, 1), word.slice(1)];
    return first === first.toUpperCase() && rest === rest.toLowerCase() ? 'Xx' : 'xX';
  }
  if (isDigits(word)) return 'd';
  return word.slice(0, 4).replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'x').replaceAll('0', 'd');
}

export function taggerOf({ tags, tagdict, vocab, weights }: TaggerData): Tagger {
  const words = new Set(vocab);
  const known = new Map(Object.entries(tagdict));
  const weightOf = new Map(Object.entries(weights));
  const seen = (word: string): string => {
    const form = normal(word);
    return words.has(form) ? form : `<${shapeOf(word)}>`;
  };
  /** The tag of most weight; of equal ones the last by name. */
  const best = (features: readonly string[]): string => {
    const scores = new Map<string, number>();
    for (const feature of features) {
      for (const [tag, weight] of Object.entries(weightOf.get(feature) ?? {})) {
        scores.set(tag, (scores.get(tag) ?? 0) + weight);
      }
    }
    if (scores.size === 0) return 'NN';
    const score = (tag: string): number => scores.get(tag) ?? 0;
    return tags.reduce((top, tag) =>
      score(tag) > score(top) || (score(tag) === score(top) && tag > top) ? tag : top,
    );
  };
  return (sentence) => {
    const context = [...START, ...sentence.map(seen), ...END];
    const found: string[] = [];
    let [before, last]: [string, string] = [...START];
    for (const [i, word] of sentence.entries()) {
      const at = (offset: number): string => context[i + 2 + offset] ?? '';
      const tag =
        known.get(word) ??
        best([
          'b',
          `s3=${word.slice(-3)}`,
          `p1=${word.slice(0, 1)}`,
          `w=${at(0)}`,
          `sh=${shapeOf(word)}`,
          i === 0 ? 'i0' : 'i+',
          `t-1=${last}`,
          `t-2=${before}`,
          `t-12=${last},${before}`,
          `w-1=${at(-1)}`,
          `s3-1=${at(-1).slice(-3)}`,
          `w-2=${at(-2)}`,
          `w+1=${at(1)}`,
          `s3+1=${at(1).slice(-3)}`,
          `w+2=${at(2)}`,
        ]);
      found.push(tag);
      [before, last] = [last, tag];
    }
    return found;
  };
}
