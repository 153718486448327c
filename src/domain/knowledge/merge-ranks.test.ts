import { describe, expect, it } from 'vitest';
import { mergeRanks } from './merge-ranks.ts';

const word = (key: string, isQuestion = false) => ({ item: key, key, isQuestion });
const near = (key: string) => ({ item: key, key });

describe('mergeRanks', () => {
  it('ranks chunks of both searches before chunks of one, with found_by', () => {
    const merged = mergeRanks([word('a'), word('b'), word('c')], [near('d'), near('b'), near('e')]);
    expect(merged.map(({ item }) => item)).toEqual(['b', 'a', 'd', 'c', 'e']);
    expect(merged[0]).toMatchObject({ foundBy: ['words', 'meaning'] });
    expect(merged[1]).toMatchObject({ foundBy: ['words'] });
    expect(merged[2]).toMatchObject({ foundBy: ['meaning'] });
  });

  it('ranks an identical question first, alone with a score of 1', () => {
    const merged = mergeRanks([word('q', true), word('a')], [near('a'), near('q')]);
    expect(merged.map(({ item, score }) => [item, score])).toEqual([
      ['q', 1],
      ['a', expect.closeTo(0.99, 1)],
    ]);
    expect(merged[0]?.foundBy).toEqual(['question', 'meaning']);
    const [first] = mergeRanks([word('a')], [near('a')]);
    expect(first?.score).toBe(0.9999);
  });

  it('returns descending scores between 0 and 1', () => {
    const many = Array.from({ length: 30 }, (_, at) => `${at}`);
    const scores = mergeRanks(
      many.map((key) => word(key)),
      many.toReversed().map(near),
    ).map((m) => m.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
    expect(mergeRanks([], [])).toEqual([]);
  });
});
