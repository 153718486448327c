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

/** The weights of a feature lie in a row: 80,000 objects would take four times the memory. */
class Weights {
  readonly #from = new Map<string, number>();
  readonly #tags: Uint8Array;
  readonly #values: Float64Array;
  /** A score for each tag. */
  readonly scores: Float64Array;

  constructor(weights: TaggerData['weights'], tags: readonly string[]) {
    const places = new Map(tags.map((tag, i) => [tag, i]));
    const rows = Object.entries(weights).map(([feature, row]) => [feature, Object.entries(row)] as const);
    const count = rows.reduce((sum, [, row]) => sum + row.length + 1, 0);
    this.scores = new Float64Array(tags.length);
    this.#tags = new Uint8Array(count);
    this.#values = new Float64Array(count);
    let at = 0;
    for (const [feature, row] of rows) {
      this.#from.set(feature, at);
      // The first of a row is its length.
      this.#tags[at++] = row.length;
      for (const [tag, weight] of row) {
        this.#tags[at] = places.get(tag) ?? 0;
        this.#values[at++] = weight;
      }
    }
  }

  /** Adds the weights of a feature to the scores; false: it has none. */
  add(feature: string): boolean {
    const from = this.#from.get(feature);
    if (from === undefined) return false;
    const end = from + (this.#tags[from] ?? 0);
    for (let at = from + 1; at <= end; at++) {
      const tag = this.#tags[at] ?? 0;
      this.scores[tag] = (this.scores[tag] ?? 0) + (this.#values[at] ?? 0);
    }
    return end > from;
  }
}

export function taggerOf({ tags, tagdict, vocab, weights }: TaggerData): Tagger {
  const words = new Set(vocab);
  const known = new Map(Object.entries(tagdict));
  const weighed = new Weights(weights, tags);
  const seen = (word: string): string => {
    const form = normal(word);
    return words.has(form) ? form : `<${shapeOf(word)}>`;
  };
  /** The tag of most weight; of equal ones the last by name. */
  const best = (features: readonly string[]): string => {
    const { scores } = weighed;
    scores.fill(0);
    if (features.filter((feature) => weighed.add(feature)).length === 0) return 'NN';
    let top = 0;
    for (let tag = 1; tag < tags.length; tag++) {
      const [score, highest] = [scores[tag] ?? 0, scores[top] ?? 0];
      if (score > highest || (score === highest && (tags[tag] ?? '') > (tags[top] ?? ''))) top = tag;
    }
    return tags[top] ?? 'NN';
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
