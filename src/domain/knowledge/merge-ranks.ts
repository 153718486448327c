/** How a chunk was found: identical question, full-text search, semantic search. */
export type FoundBy = 'question' | 'words' | 'meaning';

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
  readonly foundBy: readonly FoundBy[];
}

/** The usual constant of reciprocal rank fusion; it damps the lead of the first ranks. */
const K = 60;

/**
 * Merges two rankings by reciprocal rank fusion. Scores are 0 to 1: 1 is an identical question, which always ranks
 * first; the first of both rankings is just below 1.
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
  const maxSum = 2 / (K + 1);
  return [...merged.values()]
    .toSorted((a, b) => (a.sum === b.sum ? 0 : b.sum - a.sum))
    .map(({ item, sum, foundBy }) => ({
      item,
      score:
        sum === Number.POSITIVE_INFINITY ? 1 : Math.min(0.9999, Math.round((sum / maxSum) * 10_000) / 10_000),
      foundBy,
    }));
}
