import { words, type PhraseTable } from '@callwright/language';

/** English words that take back what was said before; they count in every language. */
const ENGLISH = [
  'no wait',
  'wait no',
  'no sorry',
  'no actually',
  'i mean',
  'make that',
  'or rather',
  'no',
  'nope',
  'sorry',
  'actually',
];
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;

/** A line of two parts, of which the caller takes the first back: "Monday, no, Tuesday". Null: it has no such words inside. */
export function correctionIn(
  text: string,
  table: PhraseTable,
): { readonly before: string; readonly after: string } | null {
  const plain = text.slice(0, 300);
  const found = [...plain.matchAll(WORD)].map((match) => ({
    word: words(match[0]).join(' '),
    from: match.index,
    to: match.index + match[0].length,
  }));
  // A Bengali no is also nine.
  const own = table.no.filter((phrase) => table.numbers.every(([number]) => number !== phrase));
  const phrases = [...ENGLISH, ...(table.locale === 'en' ? [] : own)].map(words);
  for (let at = found.length - 2; at > 0; at -= 1) {
    const length = longestAt(found, at, phrases);
    if (length === 0 || at + length >= found.length) continue;
    return { before: plain.slice(0, found[at]!.from), after: plain.slice(found[at + length]!.from) };
  }
  return null;
}

/** Words of the longest phrase that begins at a word; 0: none. */
function longestAt(
  found: readonly { readonly word: string }[],
  at: number,
  phrases: readonly (readonly string[])[],
): number {
  const fits = phrases.filter(
    (phrase) => phrase.length > 0 && phrase.every((word, offset) => found[at + offset]?.word === word),
  );
  return Math.max(0, ...fits.map((phrase) => phrase.length));
}
