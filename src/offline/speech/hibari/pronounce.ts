import { before, END, type Following, type Lexicon } from './lexicon.ts';
import { PRIMARY, stressed, weightOf, type Stress } from './phonemes.ts';
import { specialSound } from './special-words.ts';
import { isNumber, numberSound } from './spoken-digits.ts';
import type { Tagger } from './tagger.ts';
import { tokenize, type Exceptions } from './tokenizer.ts';
import { merged, textOf, tokenOf, type Token } from './tokens.ts';

export interface Speller {
  readonly lexicon: Lexicon;
  readonly tagger: Tagger;
  readonly exceptions: Exceptions;
}

/** The sound of a word that no dictionary has. */
export type ReadUnknown = (word: string) => string;

const MARKS: ReadonlySet<string> = new Set(';:,.!?—…"“”'.split(''));
const ENDS: ReadonlySet<string> = new Set(';:,.!?—…'.split(''));
const SILENT: ReadonlySet<string> = new Set("',-._‘’/".split(''));
const MARK_TAGS: ReadonlySet<string> = new Set([
  '.',
  ',',
  '-LRB-',
  '-RRB-',
  '``',
  '""',
  "''",
  ':',
  '$',
  '#',
  'NFP',
]);
const MARK_SOUNDS: ReadonlyMap<string, string> = new Map([
  ['-LRB-', '('],
  ['-RRB-', ')'],
  ['``', '“'],
  ['""', '”'],
  ["''", '”'],
]);
const SIGN_SOUNDS: ReadonlyMap<string, string> = new Map([
  ['/', 'slˈæʃ'],
  ['=', 'ˈikwᵊlz'],
  ['+', 'plˈʌs'],
  ['&', 'ænd'],
  ['@', 'æt'],
  ['%', 'pəɹsˈɛnt'],
  ['#', 'hˈæʃ'],
  ['—', '—'],
]);

/**
 * The phonemes of a sentence in the alphabet of Kokoro: the rules of misaki 0.9.4 (Apache-2.0, hexgrad) for American English.
 * Pure.
 */
export function pronounce(text: string, speller: Speller, readUnknown: ReadUnknown): string {
  const pieces = tokenize(text, speller.exceptions);
  const tags = speller.tagger(pieces.map((piece) => piece.text));
  const tokens = pieces.map(({ text: word, space }, i) => {
    const isName = isLetterName(word, pieces[i - 1]?.text, pieces[i + 1]?.text);
    return tokenOf(word, isName ? 'NN' : (tags[i] ?? 'NN'), space);
  });
  const words = wordsOf(tokens);
  let following = END;
  for (const word of words.toReversed()) following = speak(word, following, speller, readUnknown);
  return words
    .map((word) => {
      const { phonemes, space } = merged(word, true);
      // The nets know a tapped t as T, and no glottal stop.
      return `${(phonemes ?? '').replaceAll('ɾ', 'T').replaceAll('ʔ', 't')}${space ? ' ' : ''}`;
    })
    .join('')
    .trim();
}

/** Whether an A is the letter and no article: at an end ("plan A."), beside another letter ("A B"), or "A as in apple". */
function isLetterName(word: string, last: string | undefined, next: string | undefined): boolean {
  if (word !== 'A') return false;
  return (
    next === undefined ||
    next === 'as' ||
    /^(?:[A-Z]|[^\p{L}\d]+)$/u.test(next) ||
    /^[B-HJ-Z]$/.test(last ?? '')
  );
}

/** The parts of one written word, which are read together. */
type Word = [Token, ...Token[]];

function wordsOf(tokens: readonly Token[]): Word[] {
  const words: Word[] = [];
  let isOpen = false;
  for (const token of tokens) {
    const parts = partsOf(token);
    for (const [i, part] of parts.entries()) {
      const known = readMark(part, i > 0 && i + 1 < parts.length ? [parts[i - 1], parts[i + 1]] : []);
      const last = words.at(-1);
      if (known.phonemes === null && known.alias === null && isOpen && last !== undefined) {
        known.isHead = false;
        last.push(known);
      } else words.push([known]);
      isOpen = known.phonemes === null && known.alias === null && !known.space;
    }
  }
  return words;
}

/** Marks have their sound, and a 2 between words is read "to" ("b2b"). */
function readMark(part: Token, neighbours: readonly (Token | undefined)[]): Token {
  const { text, tag } = part;
  if (tag === ':' && (text === '-' || text === '–')) return { ...part, phonemes: '—' };
  if (MARK_TAGS.has(tag) && !/^[a-z]+$/i.test(text)) {
    const marks = text
      .split('')
      .filter((one) => MARKS.has(one))
      .join('');
    return { ...part, phonemes: MARK_SOUNDS.get(tag) ?? marks };
  }
  const [left, right] = neighbours;
  const isTo = text === '2' && /\p{L}$/u.test(left?.text ?? '') && /^\p{L}/u.test(right?.text ?? '');
  return isTo ? { ...part, alias: 'to' } : part;
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /^\p{L}$/u.test(char);
const isCapital = (char: string | undefined): boolean => char !== undefined && /^[A-ZÀ-ÖØ-Þ]$/.test(char);
const isSmall = (char: string | undefined): boolean => char !== undefined && /^[a-zß-öø-ÿ]$/.test(char);
const isQuote = (char: string | undefined): boolean => char !== undefined && "'‘’".includes(char);
const NUMBER = /-?[\d,.]*\d/y;
const DASHES = /[-_]+/y;

/** Letters, numbers and marks of a token apart; letters also where a capital follows a small one ("iPhone"). */
function partsOf(token: Token): Token[] {
  const chars = token.text;
  const parts: string[] = [];
  let at = 0;
  const take = (length: number): void => {
    parts.push(chars.slice(at, at + length));
    at += length;
  };
  while (at < chars.length) {
    const quotes = quotesAt(chars, at);
    if (quotes > 0 && (at === 0 || quotes > 1 || at + quotes === chars.length)) take(quotes);
    else if (quotes > 0) at += quotes;
    else if (isCapital(chars[at]) && isCapital(chars[at + 1]) && isSmall(chars[at + 2])) take(1);
    else take(numberAt(chars, at) || dashesAt(chars, at) || lettersAt(chars, at) || 1);
  }
  return parts.map((text, i) => tokenOf(text, token.tag, i + 1 === parts.length && token.space));
}

function quotesAt(chars: string, at: number): number {
  let end = at;
  while (isQuote(chars[end])) end++;
  return end - at;
}

function numberAt(chars: string, at: number): number {
  NUMBER.lastIndex = at;
  const found = NUMBER.exec(chars)?.[0] ?? '';
  // A sign stands at the beginning alone, and no two separators follow each other.
  if (found === '' || (found.startsWith('-') && at > 0)) return 0;
  return /[,.]{2}/.test(found) ? (/^\d*/.exec(found)?.[0].length ?? 0) : found.length;
}

function dashesAt(chars: string, at: number): number {
  DASHES.lastIndex = at;
  return DASHES.exec(chars)?.[0].length ?? 0;
}

/** Letters with single quotes between them, at most up to a capital after a small letter. */
function lettersAt(chars: string, at: number): number {
  let end = at;
  while (isLetter(chars[end]) || (end > at && isQuote(chars[end]) && isLetter(chars[end + 1]))) {
    end += 1;
    if (isSmall(chars[end - 1]) && isCapital(chars[end])) break;
  }
  return end - at;
}

/** Gives a word its phonemes, and returns what it is for the word before it. */
function speak(word: Word, following: Following, speller: Speller, readUnknown: ReadUnknown): Following {
  const { lexicon } = speller;
  const [only] = word;
  if (word.length === 1) {
    only.phonemes ??= soundOf(only, following, lexicon) ?? fallback(only.text, lexicon, readUnknown);
    return before(only.phonemes, only, following);
  }
  let next = following;
  let [left, right] = [0, word.length];
  // The longest run of parts that ends at `right` and is known, then what stands before it.
  while (left < right) {
    const run = word.slice(left, right) as Word;
    const whole = run.some(({ alias, phonemes }) => alias !== null || phonemes !== null) ? null : merged(run);
    const sound = whole === null ? null : soundOf(whole, next, lexicon);
    if (whole !== null && sound !== null) {
      for (const [i, part] of run.entries()) part.phonemes = i === 0 ? sound : '';
      next = before(sound, whole, next);
      [left, right] = [0, left];
    } else if (left + 1 < right) left += 1;
    else {
      right -= 1;
      left = 0;
      const part = word[right];
      if (part === undefined || part.phonemes !== null) continue;
      if (part.text.split('').every((char) => SILENT.has(char))) part.phonemes = '';
      else {
        const text = fallback(textOf(word), lexicon, readUnknown);
        for (const [i, one] of word.entries()) one.phonemes = i === 0 ? text : '';
        return next;
      }
    }
  }
  balance(word);
  return next;
}

/** The sound of a token by rules and dictionaries; null: it is unknown. */
function soundOf(token: Token, following: Following, lexicon: Lexicon): string | null {
  const word = (token.alias ?? token.text).replaceAll(/[‘’]/g, "'").normalize('NFKC');
  const isLower = word === word.toLowerCase();
  const stress: Stress = isLower ? null : word === word.toUpperCase() ? 2 : 0.5;
  const special = specialSound(lexicon, word, { tag: token.tag, stress, following });
  if (special !== undefined && special !== null) return special;
  const sound = lexicon.word(word, token.tag, stress, following);
  if (sound !== null) return sound;
  return isNumber(word, token.isHead) ? numberSound(lexicon, word, token.isHead) : null;
}

/** Pieces of an unknown word: letters by the net, digits, and the names of signs. */
function fallback(text: string, lexicon: Lexicon, readUnknown: ReadUnknown): string {
  const pieces = text.match(/\p{L}[\p{L}'’]*|\d[\d,.]*|[^\p{L}\d\s]/gu) ?? [];
  return pieces
    .map((piece) => {
      if (/^\d/.test(piece)) return numberSound(lexicon, piece.replace(/(?<![,.])[,.]+$/, ''), false) ?? '';
      return /^\p{L}/u.test(piece) ? readUnknown(piece) : (SIGN_SOUNDS.get(piece) ?? '');
    })
    .filter((sound) => sound !== '')
    .join(' ');
}

/** Blanks between parts of different kinds; in a compound of letters only half of the parts keep their main stress. */
function balance(word: Word): void {
  const text = textOf(word);
  const kinds = new Set(
    text
      .split('')
      .flatMap((char) =>
        SILENT.has(char) ? [] : [/\p{L}/u.test(char) ? 'letter' : /\d/.test(char) ? 'digit' : 'sign'],
      ),
  );
  const isApart = /[ /]/.test(text) || kinds.size > 1;
  for (const [i, part] of word.entries()) {
    if (part.phonemes === null) part.phonemes = i + 1 === word.length && ENDS.has(part.text) ? part.text : '';
    else if (i > 0) part.isApart = isApart;
  }
  if (isApart) return;
  const spoken = word.filter(({ phonemes }) => phonemes !== null && phonemes !== '');
  const weaken = (part: Token): void => {
    part.phonemes = stressed(part.phonemes ?? '', -0.5);
  };
  const [first, second] = spoken;
  if (spoken.length === 2 && first?.text.length === 1 && second !== undefined) return weaken(second);
  const isMain = ({ phonemes }: Token): boolean => phonemes?.includes(PRIMARY) ?? false;
  if (spoken.length < 2 || spoken.filter(isMain).length <= Math.floor((spoken.length + 1) / 2)) return;
  const order = spoken
    .map((part, i) => ({ part, i, isMain: Number(isMain(part)), weight: weightOf(part.phonemes ?? '') }))
    .toSorted((a, b) => a.isMain - b.isMain || a.weight - b.weight || a.i - b.i);
  for (const { part } of order.slice(0, Math.floor(spoken.length / 2))) weaken(part);
}
