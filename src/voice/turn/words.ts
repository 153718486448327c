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

/** "hmmmm" and "hmm" are one word: repeated Latin letters count once. */
const squeezed = (word: string): string => word.replaceAll(/([a-z])\1+/gu, '$1');

const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]/u;

interface PhraseSet {
  readonly phrases: ReadonlySet<string>;
  /** Words of the longest phrase. */
  readonly longest: number;
}

/** Lists live as long as their call and are looked up on every event: each is prepared once. */
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

/** True when `text` holds words and all of them belong to phrases (of one or several words) of the lists. */
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

/** Scripts that do not part words: the run must be phrases laid end to end. */
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
