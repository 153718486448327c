/** Words of a text without case and punctuation. */
export const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}' ]/gu, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '');

/** Words that were left out, added or written as others: the least number of changes from one text to the other. */
export function wordErrors(said: string, heard: string): number {
  const [from, to] = [plainWords(said), plainWords(heard)];
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (const [i, word] of from.entries()) {
    const next = [i + 1];
    for (const [j, other] of to.entries()) {
      next.push(Math.min(row[j]! + (word === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** The share of wrong words over all texts. */
export function wordErrorRate(pairs: readonly { readonly said: string; readonly heard: string }[]): number {
  const words = pairs.reduce((sum, { said }) => sum + plainWords(said).length, 0);
  return pairs.reduce((sum, { said, heard }) => sum + wordErrors(said, heard), 0) / words;
}
