import { CONSONANTS, PRIMARY, SECONDARY, VOWELS, stressed, type Stress } from './phonemes.ts';
import type { Token } from './tokens.ts';

/** The dictionaries of hibari's files, which are misaki's (Apache-2.0, hexgrad): word → phonemes, or by part of speech. */
export type Pronunciation = string | Readonly<Record<string, string | null>>;
export type Entries = ReadonlyMap<string, Pronunciation>;

/** What follows a word in its sentence. */
export interface Following {
  /** Whether it begins with a vowel; null: a pause or the end. */
  readonly vowel: boolean | null;
  readonly isTo: boolean;
}
export const END: Following = { vowel: null, isTo: false };

const PAUSES: ReadonlySet<string> = new Set(';:,.!?—…'.split(''));

/** What comes before a word with these phonemes. */
export function before(phonemes: string, { text, tag }: Token, following: Following): Following {
  const first = phonemes.split('').find((one) => VOWELS.has(one) || CONSONANTS.has(one) || PAUSES.has(one));
  const vowel = first === undefined ? following.vowel : PAUSES.has(first) ? null : VOWELS.has(first);
  const isTo = text === 'to' || text === 'To' || (text === 'TO' && (tag === 'TO' || tag === 'IN'));
  return { vowel, isTo };
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/** A word in small letters also finds its capitalised entry, and the reverse. */
export function entryOf(entries: Entries, word: string): Pronunciation | null {
  const found = entries.get(word);
  if (found !== undefined) return found;
  if (word.length < 2) return null;
  if (word === word.toLowerCase()) return entries.get(capitalised(word)) ?? null;
  return word === capitalised(word) ? (entries.get(word.toLowerCase()) ?? null) : null;
}

/** The part of speech that a tag belongs to. */
export function partOf(tag: string): string {
  if (tag.startsWith('VB')) return 'VERB';
  if (tag.startsWith('NN')) return 'NOUN';
  if (tag.startsWith('ADV') || tag.startsWith('RB')) return 'ADV';
  return tag.startsWith('ADJ') || tag.startsWith('JJ') ? 'ADJ' : tag;
}

export const SIGNS: ReadonlyMap<string, string> = new Map([
  ['%', 'percent'],
  ['&', 'and'],
  ['+', 'plus'],
  ['@', 'at'],
]);
const isWord = (word: string): boolean => /^[A-Za-z'-]+$/.test(word);
const isLetters = (word: string): boolean => /^\p{L}+$/u.test(word);

/** Dictionaries, and the endings that they leave out. */
export class Lexicon {
  readonly #gold: Entries;
  readonly #silver: Entries;

  constructor(gold: Entries, silver: Entries) {
    this.#gold = gold;
    this.#silver = silver;
  }

  /** The entry of a word that people wrote down, not derived. */
  gold(word: string): Pronunciation | null {
    return entryOf(this.#gold, word);
  }

  #has(word: string): boolean {
    return this.gold(word) !== null || entryOf(this.#silver, word) !== null;
  }

  /** Spells the letters of a word; null: it has others than those of the alphabet. */
  spelled(word: string): string | null {
    const letters = word
      .split('')
      .filter(isLetters)
      .map((letter) => this.gold(letter.toUpperCase()));
    if (!letters.every((one) => typeof one === 'string')) return null;
    const sound = stressed(letters.join(''), 0);
    const last = sound.lastIndexOf(SECONDARY);
    return last < 0 ? sound : sound.slice(0, last) + PRIMARY + sound.slice(last + 1);
  }

  #isKnown(word: string): boolean {
    if (this.#has(word) || SIGNS.has(word)) return true;
    if (!isLetters(word) || !isWord(word)) return false;
    if (word.length === 1) return true;
    if (word === word.toUpperCase() && this.gold(word.toLowerCase()) !== null) return true;
    return word.slice(1) === word.slice(1).toUpperCase();
  }

  /** The word as a dictionary has it; null: none has it. */
  lookup(written: string, tag: string | null, stress: Stress, following: Following | null): string | null {
    const isCapital = written === written.toUpperCase() && this.gold(written) === null;
    const word = isCapital ? written.toLowerCase() : written;
    const isName = isCapital && tag === 'NNP';
    const entry = this.gold(word) ?? (isName ? null : entryOf(this.#silver, word));
    const sound = entry === null || typeof entry === 'string' ? entry : variant(entry, tag, following);
    if (sound === null || (isName && !sound.includes(PRIMARY))) {
      const letters = this.spelled(word);
      if (letters !== null) return letters;
    }
    return sound === null ? null : stressed(sound, stress);
  }

  /** The word, also with an ending of plural, past or participle; null: it is unknown. */
  word(written: string, tag: string, stress: Stress, following: Following): string | null {
    const lower = written.toLowerCase();
    const word = this.#readsAsLower(written, lower, tag, stress, following) ? lower : written;
    if (this.#isKnown(word)) return this.lookup(word, tag, stress, following);
    if (word.endsWith("s'") && this.#isKnown(`${word.slice(0, -2)}'s`)) {
      return this.lookup(`${word.slice(0, -2)}'s`, tag, stress, following);
    }
    if (word.endsWith("'") && this.#isKnown(word.slice(0, -1))) {
      return this.lookup(word.slice(0, -1), tag, stress, following);
    }
    return (
      this.#withS(word, tag, stress, following) ??
      this.#withEd(word, tag, stress, following) ??
      this.#withIng(word, tag, stress ?? 0.5, following)
    );
  }

  /** A capitalised word that the dictionaries have in small letters only. */
  #readsAsLower(word: string, lower: string, tag: string, stress: Stress, following: Following): boolean {
    return (
      word.length > 1 &&
      word !== lower &&
      isLetters(word.replaceAll("'", '')) &&
      (tag !== 'NNP' || word.length > 7) &&
      !this.#has(word) &&
      (word === word.toUpperCase() || word.slice(1) === word.slice(1).toLowerCase()) &&
      (this.#has(lower) ||
        (this.#withS(lower, tag, stress, following) ??
          this.#withEd(lower, tag, stress, following) ??
          this.#withIng(lower, tag, stress, following)) !== null)
    );
  }

  /** A plural, a third person or a genitive. */
  #withS(word: string, tag: string, stress: Stress, following: Following): string | null {
    const stem = this.#stemOfS(word);
    const sound = stem === null ? null : this.lookup(stem, tag, stress, following);
    return sound === null ? null : plural(sound);
  }

  #stemOfS(word: string): string | null {
    if (word.length < 3 || !word.endsWith('s')) return null;
    if (!word.endsWith('ss') && this.#isKnown(word.slice(0, -1))) return word.slice(0, -1);
    const isEs = word.length > 4 && word.endsWith('es') && !word.endsWith('ies');
    if ((word.endsWith("'s") || isEs) && this.#isKnown(word.slice(0, -2))) return word.slice(0, -2);
    const singular = `${word.slice(0, -3)}y`;
    return word.length > 4 && word.endsWith('ies') && this.#isKnown(singular) ? singular : null;
  }

  #withEd(word: string, tag: string, stress: Stress, following: Following): string | null {
    const stem = this.#stemOfEd(word);
    const sound = stem === null ? null : this.lookup(stem, tag, stress, following);
    return sound === null ? null : past(sound);
  }

  #stemOfEd(word: string): string | null {
    if (word.length < 4 || !word.endsWith('d')) return null;
    if (!word.endsWith('dd') && this.#isKnown(word.slice(0, -1))) return word.slice(0, -1);
    const isEd = word.length > 4 && word.endsWith('ed') && !word.endsWith('eed');
    return isEd && this.#isKnown(word.slice(0, -2)) ? word.slice(0, -2) : null;
  }

  #withIng(word: string, tag: string, stress: Stress, following: Following): string | null {
    const stem = this.#stemOfIng(word);
    const sound = stem === null ? null : this.lookup(stem, tag, stress, following);
    return sound === null ? null : participle(sound);
  }

  #stemOfIng(word: string): string | null {
    if (word.length < 5 || !word.endsWith('ing')) return null;
    const stem = word.slice(0, -3);
    if (word.length > 5 && this.#isKnown(stem)) return stem;
    if (this.#isKnown(`${stem}e`)) return `${stem}e`;
    const isDoubled = /([bcdgklmnprstvxz])\1$|ck$/.test(stem);
    return word.length > 5 && isDoubled && this.#isKnown(stem.slice(0, -1)) ? stem.slice(0, -1) : null;
  }
}

/** The sound of an entry that depends on the part of speech. */
function variant(
  entry: Exclude<Pronunciation, string>,
  tag: string | null,
  following: Following | null,
): string | null {
  const isLast = following !== null && following.vowel === null && Object.hasOwn(entry, 'None');
  const key = isLast ? 'None' : tag === null || Object.hasOwn(entry, tag) ? tag : partOf(tag);
  const sound = key !== null && Object.hasOwn(entry, key) ? entry[key] : entry['DEFAULT'];
  return sound ?? null;
}

/** A `t` after these is tapped in American English. */
const TAPPED: ReadonlySet<string> = new Set('AIOWYiuæɑəɛɪɹʊʌ'.split(''));
const isTapped = (stem: string): boolean => stem.endsWith('t') && TAPPED.has(stem.at(-2) ?? '');

/** The sound of a word with -s. */
export function plural(stem: string): string {
  const last = stem.at(-1) ?? '';
  if ('ptkfθ'.includes(last)) return `${stem}s`;
  return 'szʃʒʧʤ'.includes(last) ? `${stem}ᵻz` : `${stem}z`;
}

/** The sound of a word with -ed. */
export function past(stem: string): string {
  const last = stem.at(-1) ?? '';
  if ('pkfθʃsʧ'.includes(last)) return `${stem}t`;
  if (last === 'd') return `${stem}ᵻd`;
  if (last !== 't') return `${stem}d`;
  if (stem.length < 2) return `${stem}ɪd`;
  return isTapped(stem) ? `${stem.slice(0, -1)}ɾᵻd` : `${stem}ᵻd`;
}

/** The sound of a word with -ing. */
export const participle = (stem: string): string =>
  isTapped(stem) ? `${stem.slice(0, -1)}ɾɪŋ` : `${stem}ɪŋ`;
