import { compare, NOT_COMPARED, phrasesOf } from './phrase-set.ts';
import type { Said } from './said.ts';
import { UNSPACED } from './words.ts';

/** True when `said` has words and consists of phrases of the lists alone. */
export function consistsOf(said: Said, ...lists: readonly (readonly string[])[]): boolean {
  if (said.squeezed.length === 0) return false;
  const set = phrasesOf(lists);
  const scan = said.scans.get(set) ?? NOT_COMPARED;
  if (scan.result !== null) return scan.result;
  const compared = compare(said.squeezed, said.squeezed.length, set, scan);
  said.scans.set(set, compared);
  return compared.result === true;
}

/** True when `said` is, after whole phrases of the lists, the beginning of a longer one: "theek" of "theek hai". */
export function beginsPhrase(said: Said, ...lists: readonly (readonly string[])[]): boolean {
  const { squeezed: words } = said;
  const set = phrasesOf(lists);
  for (let i = Math.max(0, words.length - set.longest); i < words.length; i++) {
    if (!set.beginnings.has(words.slice(i).join(' '))) continue;
    const scan = said.scans.get(set) ?? NOT_COMPARED;
    if (i === 0 || compare(words, i, set, scan).result === true) return true;
  }
  return false;
}

/** True when `said` ends with a phrase of the list that has at least `least` words; a hum ("um") may stand alone. */
export function endsWith({ squeezed: words }: Said, list: readonly string[], least: number): boolean {
  const { phrases, longest } = phrasesOf([list]);
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

/** Whether the text has at least so many words; two characters of a script without spaces count as one. */
export function hasWords({ words }: Said, least: number): boolean {
  let missing = least;
  for (const word of words) {
    if (missing <= 0) break;
    // Twice as many UTF-16 units as characters suffice.
    missing -= UNSPACED.test(word) ? Math.ceil(Array.from(word.slice(0, 4 * missing)).length / 2) : 1;
  }
  return missing <= 0;
}
