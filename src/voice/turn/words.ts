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

/** True when `text` holds words and all of them belong to `phrases` (each one or several words). */
export function consistsOf(text: string, phrases: readonly string[]): boolean {
  const words = wordsOf(text).map(squeezed);
  if (words.length === 0 || phrases.length === 0) return false;
  const known = new Set(phrases.map((phrase) => wordsOf(phrase).map(squeezed).join(' ')));
  known.delete('');
  const longest = Math.max(0, ...[...known].map((phrase) => phrase.split(' ').length));
  for (let i = 0; i < words.length;) {
    let taken = 0;
    for (let n = Math.min(longest, words.length - i); n > 0 && taken === 0; n--) {
      if (known.has(words.slice(i, i + n).join(' '))) taken = n;
    }
    if (taken === 0 && madeOf(words[i] ?? '', known)) taken = 1;
    if (taken === 0) return false;
    i += taken;
  }
  return true;
}

/** Scripts that do not part words: the run must be parts of the list laid end to end. */
function madeOf(word: string, known: ReadonlySet<string>): boolean {
  if (!UNSPACED.test(word)) return false;
  const reachable = new Set([0]);
  for (let i = 0; i < word.length; i++) {
    if (!reachable.has(i)) continue;
    for (const part of known) if (part !== '' && word.startsWith(part, i)) reachable.add(i + part.length);
  }
  return reachable.has(word.length);
}
