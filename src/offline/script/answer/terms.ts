import { normal } from '@callwright/language';
import { termsOf as wordsAndPairs } from '../../../shared/knowledge/terms.ts';
import type { QuestionData } from './question-data.ts';

/** What a question asks for beside its words, and what a sentence names. */
export type Kind = keyof QuestionData['kinds'];

/** One word of a text, or a phrase that stands for one. */
export interface Term {
  readonly stem: string;
  /** Numbers of the groups of words with the same meaning that hold it. */
  readonly groups: readonly number[];
  /** Such a word says little about what is asked. */
  readonly isLight: boolean;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]/u;
const LATIN = /^[a-z0-9]+$/;
const MOST_TERMS = 60;

/** How one language's questions and sentences are reduced to terms. */
export class Terms {
  readonly #light: ReadonlySet<string>;
  readonly #rows: readonly string[];
  readonly #groups = new Map<string, number[]>();
  /** Phrases of several words, longest first. */
  readonly #phrases: readonly string[];

  constructor({ light, alike }: Pick<QuestionData, 'light' | 'alike'>) {
    this.#rows = alike;
    this.#light = new Set(light.map((word) => normal(word)));
    const phrases = new Set<string>();
    for (const [group, row] of alike.entries()) {
      for (const entry of row.split(/[,،]\s*/)) {
        const word = normal(entry);
        if (word.includes(' ') || UNSPACED.test(word)) phrases.add(word);
        const key = word.includes(' ') ? word : stemOf(word);
        this.#groups.set(key, [...(this.#groups.get(key) ?? []), group]);
      }
    }
    this.#phrases = [...phrases].toSorted((a, b) => b.length - a.length);
  }

  /** Words with the same meaning as those of a text. */
  alikeTo(text: string): string[] {
    const groups = new Set(this.of(text).flatMap(({ groups: own }) => own));
    return [...groups].flatMap((group) => this.#rows[group] ?? []);
  }

  /** The distinct terms of a text: its phrases, then the other words; `whole`: also the words of its phrases. */
  of(text: string, { whole = false } = {}): Term[] {
    let rest = ` ${normal(text)} `;
    const found = new Map<string, Term>();
    for (const phrase of this.#phrases) {
      const at = rest.indexOf(needleOf(phrase));
      if (at < 0) continue;
      if (!whole) rest = without(rest, at, needleOf(phrase));
      found.set(phrase, { stem: phrase, groups: this.#groups.get(phrase) ?? [], isLight: false });
    }
    for (const word of UNSPACED.test(rest) ? wordsAndPairs(this.#bare(rest)) : rest.split(' ')) {
      if (word === '' || found.size >= MOST_TERMS) continue;
      const stem = stemOf(word);
      const groups = this.#groups.get(stem) ?? [];
      const isLight = this.#light.has(word) || (LATIN.test(word) && word.length < 2);
      if (!found.has(stem)) found.set(stem, { stem, groups, isLight });
    }
    return [...found.values()];
  }

  /** A text of a script without spaces, without its light words. */
  #bare(text: string): string {
    return [...this.#light]
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, word) => (UNSPACED.test(word) ? rest.replaceAll(word, ' ') : rest), text);
  }
}

/** How a phrase stands in a text: whole in Latin letters, with any ending in other letters with spaces. */
const needleOf = (phrase: string): string =>
  UNSPACED.test(phrase) ? phrase : /^[a-z0-9 ]+$/.test(phrase) ? ` ${phrase} ` : ` ${phrase}`;

/** The text without the phrase and, behind it, the ending of its last word. */
function without(text: string, at: number, needle: string): string {
  const to = at + needle.length;
  const end = needle.endsWith(' ') || UNSPACED.test(needle) ? to : text.indexOf(' ', to);
  return `${text.slice(0, at)} ${text.slice(end)}`;
}

/** How alike two terms are: 1 the same word, 0.9 the same meaning, 0 neither. */
export function likeness(left: Term, right: Term): number {
  if (sameWord(left.stem, right.stem)) return 1;
  return left.groups.some((group) => right.groups.includes(group)) ? 0.9 : 0;
}

/** Endings of words in scripts without a stemmer: a common beginning of most of both words counts. */
function sameWord(left: string, right: string): boolean {
  if (left === right) return true;
  if (UNSPACED.test(left) || left.includes(' ') || right.includes(' ')) return false;
  const shorter = Math.min(left.length, right.length);
  const longer = Math.max(left.length, right.length);
  const isLatin = LATIN.test(left);
  if (shorter < (isLatin ? 5 : 3) || longer - shorter > 4) return false;
  const common = isLatin ? shorter : Math.max(3, Math.ceil(longer * 0.6));
  return left.slice(0, common) === right.slice(0, common);
}

/** Strips English endings: "cancelling", "cancelled" and "cancels" are "cancel"; other scripts are unchanged. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const single = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<![su])s$/, '');
  const base = single.replace(/(?:ing|ed|ly)$/, '');
  const kept = base.length >= 3 && /[aeiouy]/.test(base) ? base : single;
  const undoubled = kept === single ? kept : kept.replace(/([bdgklmnprt])\1$/, '$1');
  return undoubled.length > 3 ? undoubled.replace(/e$/, '') : undoubled;
}
