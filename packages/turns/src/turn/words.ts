/** Lower-case words of what a recogniser wrote, without punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['’]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

export const normalised = (text: string): string => wordsOf(text).join(' ');

/** A letter with its marks, or another character. */
const SIGN = /\p{L}\p{M}*|./gu;

/** "hmmmm" and "hmm" are one word, and so are "हम्म्म" and "हम्म": letters that are repeated count once. */
const squeezed = (word: string): string =>
  (word.match(SIGN) ?? [])
    .filter((sign, i, signs) => sign !== signs[i - 1] || !/^\p{L}/u.test(sign))
    .join('');

const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]/u;

interface PhraseSet {
  readonly phrases: ReadonlySet<string>;
  /** Words of the longest phrase. */
  readonly longest: number;
}

/** Cache by list: lists live as long as their call and are searched on every event. */
const prepared = new WeakMap<readonly string[], PhraseSet>();

function prepare(list: readonly string[]): PhraseSet {
  const known = prepared.get(list);
  if (known !== undefined) return known;
  const phrases = new Set(list.map((phrase) => wordsOf(phrase).map(squeezed).join(' ')));
  phrases.delete('');
  const longest = Math.max(0, ...[...phrases].map((phrase) => phrase.split(' ').length));
  const made = { phrases, longest };
  prepared.set(list, made);
  return made;
}

/** True when `text` has words and consists of phrases of the lists alone. */
export function consistsOf(text: string, ...lists: readonly (readonly string[])[]): boolean {
  const words = wordsOf(text).map(squeezed);
  if (words.length === 0) return false;
  const sets = lists.map(prepare);
  const longest = Math.max(0, ...sets.map((set) => set.longest));
  for (let i = 0; i < words.length;) {
    let taken = 0;
    for (let n = Math.min(longest, words.length - i); n > 0 && taken === 0; n--) {
      const phrase = words.slice(i, i + n).join(' ');
      if (sets.some((set) => set.phrases.has(phrase))) taken = n;
    }
    if (taken === 0 && madeOf(words[i] ?? '', sets)) taken = 1;
    if (taken === 0) return false;
    i += taken;
  }
  return true;
}

/** True when `text` is, after whole phrases of the lists, the beginning of a longer one: "theek" of "theek hai". */
export function beginsPhrase(text: string, ...lists: readonly (readonly string[])[]): boolean {
  const words = wordsOf(text).map(squeezed);
  const sets = lists.map(prepare);
  return words.some((_, i) => {
    const [before, begun] = [words.slice(0, i).join(' '), `${words.slice(i).join(' ')} `];
    if (before !== '' && !consistsOf(before, ...lists)) return false;
    return sets.some(({ phrases }) => [...phrases].some((phrase) => phrase.startsWith(begun)));
  });
}

/** True when `text` ends with a phrase of the list that has at least `least` words; a hum ("um") may stand alone. */
export function endsWith(text: string, list: readonly string[], least: number): boolean {
  const words = wordsOf(text).map(squeezed);
  const { phrases, longest } = prepare(list);
  for (let n = Math.min(longest, words.length); n > 0; n--) {
    const end = words.slice(-n).join(' ');
    const isLong = n >= least || HUMS.has(end) || UNSPACED.test(end);
    if (isLong && phrases.has(end)) return true;
  }
  const last = words.at(-1) ?? '';
  return UNSPACED.test(last) && [...phrases].some((phrase) => phrase.length > 2 && last.endsWith(phrase));
}

/** Short ones that say the same at the end of a statement. */
const HUMS: ReadonlySet<string> = new Set(['um', 'uhm', 'er', 'hold on', 'hang on', 'उम', 'अम', 'अं']);

/** For scripts without word separators: the run must be a concatenation of phrases. */
function madeOf(word: string, sets: readonly PhraseSet[]): boolean {
  if (!UNSPACED.test(word)) return false;
  const reachable = new Set([0]);
  for (let i = 0; i < word.length; i++) {
    if (!reachable.has(i)) continue;
    for (const { phrases } of sets) {
      for (const part of phrases) if (word.startsWith(part, i)) reachable.add(i + part.length);
    }
  }
  return reachable.has(word.length);
}

/** A word; in scripts without word separators, a character. */
const WORD = /\p{Script=Han}|\p{Script=Myanmar}\p{M}*|[\p{L}\p{M}\p{N}'’]+/gu;

/** The rest of `text` after the words that it begins with in common with `known`. */
export function textAfter(text: string, known: string): string {
  const before = [...known.matchAll(WORD)].map(([word]) => normalised(word));
  let end = 0;
  let same = 0;
  for (const match of text.matchAll(WORD)) {
    if (same === before.length || normalised(match[0]) !== before[same]) break;
    same++;
    end = match.index + match[0].length;
  }
  return text.slice(end).replace(/^[^\p{L}\p{M}\p{N}]+/u, '');
}
