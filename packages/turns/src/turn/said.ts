import type { DictationSoFar } from '@callwright/language';
import type { PhraseScan, PhraseSet } from './phrase-set.ts';
import { squeezed, wordsOf } from './words.ts';

/** A letter of a script without spaces, which no mark or case of its neighbours changes. */
const UNSPACED_LETTER =
  /^(?=\p{Lo})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Myanmar}\p{Script=Thai}]/u;

/** Where the analysis of a longer text goes on, and how many words of the shorter one stand before. */
interface Cut {
  readonly at: number;
  readonly words: number;
  /** The last of these words goes on. */
  readonly isInWord: boolean;
}

/**
 * A text in words. A text that begins with an analysed one goes on from there, so that a turn of many lines costs as much
 * as its lines do one by one.
 */
export class Said {
  readonly text: string;
  readonly words: readonly string[];
  /** The words with repeated letters counted once. */
  readonly squeezed: readonly string[];
  /** Its marks after the last letter or number. */
  readonly marks: { readonly asks: boolean; readonly stops: boolean };
  /** How far each set of phrases was compared with the words. */
  readonly scans: Map<PhraseSet, PhraseScan>;
  /** What its last words dictate, or the words of a text that it begins with. */
  dictation: DictationSoFar | null;

  private constructor(text: string, before: Said | null, cut: Cut) {
    this.text = text;
    const rest = text.slice(cut.at);
    const more = wordsOf(rest);
    this.words = joined(before?.words ?? [], more, cut, (a, b) => a + b);
    this.squeezed = joined(before?.squeezed ?? [], more.map(squeezed), cut, joinSqueezed);
    this.marks = cut.at === before?.text.length ? marksOf(rest, before.marks) : marksOf(text, NO_MARKS);
    this.scans = new Map();
    for (const [set, scan] of before?.scans ?? []) this.scans.set(set, goOn(scan, cut));
    this.dictation = before?.dictation ?? null;
  }

  /** Analyses a text, from the end of `before` if it begins with it. */
  static of(text: string, before: Said | null = null): Said {
    const cut = before === null || !text.startsWith(before.text) ? null : cutOf(before, text);
    return new Said(text, cut === null ? null : before, cut ?? WHOLE);
  }

  /** The last three characters that are no blanks. */
  get end(): string {
    return this.text.trimEnd().slice(-3);
  }

  hasSameWords(other: Said): boolean {
    const { words } = other;
    return this.words.length === words.length && this.words.every((word, i) => word === words[i]);
  }
}

const WHOLE: Cut = { at: 0, words: 0, isInWord: false };

/** Null: the whole text has to be analysed. */
function cutOf(before: Said, text: string): Cut | null {
  const at = before.text.length;
  const words = before.words.length;
  if (text[at] === ' ') return { at, words, isInWord: false };
  if (UNSPACED_LETTER.test(text.slice(at, at + 2))) return { at, words, isInWord: endsInWord(before.text) };
  const blank = before.text.lastIndexOf(' ');
  if (blank <= 0) return null;
  return { at: blank, words: words - wordsOf(before.text.slice(blank)).length, isInWord: false };
}

/** Apostrophes are no part of words, and end none. */
function endsInWord(text: string): boolean {
  let end = text.length;
  while (end > 0 && "'’".includes(text[end - 1] ?? '')) end -= 1;
  return /[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, end - 2), end));
}

function joined(
  before: readonly string[],
  more: readonly string[],
  { words, isInWord }: Cut,
  join: (begun: string, rest: string) => string,
): readonly string[] {
  const known = before.slice(0, words);
  const [first, ...others] = more;
  const last = known.at(-1);
  if (!isInWord || first === undefined || last === undefined) return known.concat(more);
  return known.slice(0, -1).concat(join(last, first), others);
}

/** The first letter of `rest` is dropped if it repeats the last one before it. */
function joinSqueezed(begun: string, rest: string): string {
  const [letter = ''] = /^\p{L}\p{M}*/u.exec(rest) ?? [];
  return letter !== '' && begun.endsWith(letter) ? begun + rest.slice(letter.length) : begun + rest;
}

const NO_MARKS: Said['marks'] = { asks: false, stops: false };

function marksOf(text: string, before: Said['marks']): Said['marks'] {
  let at = text.length;
  let { asks, stops } = { asks: false, stops: false };
  while (at > 0) {
    const low = text.charCodeAt(at - 1);
    const isPair = low >= 0xdc00 && low <= 0xdfff && at > 1;
    const sign = text.slice(isPair ? at - 2 : at - 1, at);
    if (/[\p{L}\p{N}]/u.test(sign)) return { asks, stops };
    asks ||= '?？؟'.includes(sign);
    stops ||= '.?!।॥。！？؟۔။'.includes(sign);
    at -= sign.length;
  }
  return { asks: asks || before.asks, stops: stops || before.stops };
}

/** What is known of a scan holds for a longer text, unless its last words change. */
const goOn = (scan: PhraseScan, { words }: Cut): PhraseScan => ({
  ...scan,
  result: scan.hasFailed ? false : null,
  run: scan.run !== null && scan.run.word < words ? scan.run : null,
});

/** Texts of one conversation that were analysed last: the turn's, the recogniser's open words, both, and some before. */
const MOST_RECENT = 6;
const recent = new WeakMap<object, Said[]>();

/** The text in words, analysed once in its conversation. `of` is an object of that conversation: its settings. */
export function saidIn(of: object, text: string): Said {
  const known = recent.get(of) ?? [];
  if (known.length === 0) recent.set(of, known);
  const at = known.findIndex((one) => one.text === text);
  const found = at < 0 ? undefined : known[at];
  if (found !== undefined) {
    known.splice(at, 1);
    known.unshift(found);
    return found;
  }
  let before: Said | null = null;
  for (const one of known) {
    if (one.text.length > (before?.text.length ?? 0) && text.startsWith(one.text)) before = one;
  }
  const made = Said.of(text, before);
  known.unshift(made);
  if (known.length > MOST_RECENT) known.pop();
  return made;
}
