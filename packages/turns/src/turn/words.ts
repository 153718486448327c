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
export const squeezed = (word: string): string =>
  (word.match(SIGN) ?? [])
    .filter((sign, i, signs) => sign !== signs[i - 1] || !/^\p{L}/u.test(sign))
    .join('');

/** Scripts without spaces between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** A word; in scripts without word separators, a character. */
const WORD = /\p{Script=Han}|\p{Script=Myanmar}\p{M}*|[\p{L}\p{M}\p{N}'’]+/gu;

/** The rest of `text` after the words that it begins with in common with `known`. */
export function textAfter(text: string, known: string): string {
  return text.slice(endOfKnown(text, known)).replace(/^[^\p{L}\p{M}\p{N}]+/u, '');
}

function endOfKnown(text: string, known: string): number {
  // Most recognisers repeat their earlier words letter for letter.
  if (text.startsWith(known) && (text.length === known.length || text[known.length] === ' '))
    return known.length;
  const before = [...known.matchAll(WORD)].map(([word]) => normalised(word));
  let end = 0;
  let same = 0;
  for (const match of text.matchAll(WORD)) {
    if (same === before.length || normalised(match[0]) !== before[same]) break;
    same++;
    end = match.index + match[0].length;
  }
  return end;
}
