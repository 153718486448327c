/** Ways to find a chunk: the question itself, its words, what it means. */
export type FoundBy = 'question' | 'words' | 'meaning';

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
  readonly foundBy: readonly FoundBy[];
}

/** How much of a lead the first places have: the usual constant of reciprocal rank fusion. */
const K = 60;

/**
 * One order out of two: what is high in either rises, what is in both rises most. Scores are 0 to 1, where 1 is the
 * question itself, which is first whatever else was found, and just below 1 what is first in both.
 */
export function mergeRanks<T>(
  words: readonly { readonly item: T; readonly key: string; readonly isQuestion: boolean }[],
  meaning: readonly { readonly item: T; readonly key: string }[],
): Ranked<T>[] {
  const merged = new Map<string, { item: T; sum: number; foundBy: FoundBy[] }>();
  for (const [rank, { item, key, isQuestion }] of words.entries()) {
    merged.set(key, {
      item,
      sum: isQuestion ? Number.POSITIVE_INFINITY : 1 / (K + rank + 1),
      foundBy: isQuestion ? ['question'] : ['words'],
    });
  }
  for (const [rank, { item, key }] of meaning.entries()) {
    const present = merged.get(key);
    merged.set(key, {
      item,
      sum: (present?.sum ?? 0) + 1 / (K + rank + 1),
      foundBy: [...(present?.foundBy ?? []), 'meaning'],
    });
  }
  const most = 2 / (K + 1);
  return [...merged.values()]
    .toSorted((a, b) => (a.sum === b.sum ? 0 : b.sum - a.sum))
    .map(({ item, sum, foundBy }) => ({
      item,
      score:
        sum === Number.POSITIVE_INFINITY ? 1 : Math.min(0.9999, Math.round((sum / most) * 10_000) / 10_000),
      foundBy,
    }));
}
