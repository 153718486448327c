import { squeezed, UNSPACED, wordsOf } from './words.ts';

/** Phrases of one or several lists. */
export class PhraseSet {
  readonly phrases: ReadonlySet<string>;
  /** The first words of longer phrases. */
  readonly beginnings: ReadonlySet<string>;
  /** Words of the longest phrase, and its characters. */
  readonly longest: number;
  readonly longestChars: number;
  /** Phrases of scripts without spaces by their last character. */
  readonly byEnd: ReadonlyMap<string, readonly string[]>;

  constructor(phrases: ReadonlySet<string>) {
    this.phrases = phrases;
    const beginnings = new Set<string>();
    const byEnd = new Map<string, string[]>();
    let longest = 0;
    for (const phrase of phrases) {
      const words = phrase.split(' ');
      longest = Math.max(longest, words.length);
      for (let n = 1; n < words.length; n++) beginnings.add(words.slice(0, n).join(' '));
      byEnd.set(phrase.slice(-1), [...(byEnd.get(phrase.slice(-1)) ?? []), phrase]);
    }
    this.beginnings = beginnings;
    this.byEnd = byEnd;
    this.longest = longest;
    this.longestChars = Math.max(0, ...[...phrases].map(({ length }) => length));
  }
}

/** A comparison of a text's words with a set of phrases. */
export interface PhraseScan {
  /** The text consists of phrases; null: not compared to its end. */
  readonly result: boolean | null;
  /** The word before which every longer text is divided in the same way; `hasFailed`: no phrase begins there. */
  readonly at: number;
  readonly hasFailed: boolean;
  /** The comparison within the last word, in a script without spaces. */
  readonly run: PhraseRun | null;
}

/** Up to which of its last `length` characters the word is a concatenation of phrases, the last one first. */
interface PhraseRun {
  readonly word: number;
  readonly length: number;
  readonly ends: readonly boolean[];
}

export const NOT_COMPARED: PhraseScan = { result: null, at: 0, hasFailed: false, run: null };

/** Lists live as long as their call or the process, and are searched on every event. */
interface Known {
  readonly set: PhraseSet;
  readonly with: WeakMap<readonly string[], Known>;
}
const known = new WeakMap<readonly string[], Known>();

/** The phrases of all the lists. */
export function phrasesOf(lists: readonly (readonly string[])[]): PhraseSet {
  let at = known;
  let found: Known | undefined;
  for (const list of lists) {
    const before = found?.set.phrases ?? [];
    found = at.get(list);
    if (found === undefined) {
      const phrases = new Set([...before, ...list.map((phrase) => wordsOf(phrase).map(squeezed).join(' '))]);
      phrases.delete('');
      found = { set: new PhraseSet(phrases), with: new WeakMap() };
      at.set(list, found);
    }
    at = found.with;
  }
  return found?.set ?? NO_PHRASES;
}

const NO_PHRASES = new PhraseSet(new Set());

/** A list without phrases: lists are compared by identity. */
export const NO_LIST: readonly string[] = [];

/** Divides the first `count` words into phrases, the longest first. */
export function compare(
  words: readonly string[],
  count: number,
  set: PhraseSet,
  scan: PhraseScan,
): PhraseScan {
  if (scan.hasFailed) return { ...scan, result: false };
  const longest = Math.max(1, set.longest);
  let from = scan.at;
  let { at, run } = scan;
  while (from < count) {
    // A longer text, and the beginning of one that lacks its last phrase, is divided in the same way up to here.
    const isFixed = from + 2 * longest < words.length;
    let taken = phraseAt(words, from, count, set);
    if (taken === 0 && UNSPACED.test(words[from] ?? '')) {
      const made = runTo(words[from] ?? '', from, set, run);
      if (from === words.length - 1) run = made;
      taken = made.ends[0] === true ? 1 : 0;
    }
    if (taken === 0) return { result: false, at, hasFailed: isFixed, run };
    from += taken;
    if (isFixed) at = from;
  }
  return { result: true, at, hasFailed: false, run };
}

/** Words of the longest phrase at `from`; 0: none begins there. */
function phraseAt(words: readonly string[], from: number, count: number, set: PhraseSet): number {
  for (let n = Math.min(set.longest, count - from); n > 0; n--) {
    if (set.phrases.has(n === 1 ? (words[from] ?? '') : words.slice(from, from + n).join(' '))) return n;
  }
  return 0;
}

/** For scripts without word separators: the run must be a concatenation of phrases. */
function runTo(text: string, word: number, set: PhraseSet, before: PhraseRun | null): PhraseRun {
  const isBegun = before !== null && before.word === word && before.length <= text.length;
  let ends: readonly boolean[] = isBegun ? before.ends : [true];
  for (let end = (isBegun ? before.length : 0) + 1; end <= text.length; end++) {
    const parts = set.byEnd.get(text[end - 1] ?? '');
    const isEnd = parts?.some((part) => ends[part.length - 1] === true && text.endsWith(part, end)) ?? false;
    ends = [isEnd, ...ends.slice(0, set.longestChars - 1)];
  }
  return { word, length: text.length, ends };
}
