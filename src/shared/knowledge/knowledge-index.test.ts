import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnowledgeIndex, KnowledgeIndexes, type KnowledgeItem } from './knowledge-index.ts';
import { normalQuestion, questionTerms, termsOf } from './terms.ts';

describe('terms', () => {
  it('are stems in English and unchanged words in other scripts', () => {
    expect(termsOf("Refunds, refunded; refunding! The clinic's policies")).toEqual([
      'refund',
      'refund',
      'refund',
      'the',
      'clinic',
      'policy',
    ]);
    expect(termsOf('रद्द करने की नीति')).toEqual(['रद्द', 'करने', 'की', 'नीति']);
    expect(termsOf('退款政策2天')).toEqual(['退款', '款政', '政策', '2', '天']);
  });

  it('of a question omit stop words unless it has no other words', () => {
    expect(questionTerms('What is the price of a cleaning?')).toEqual(['pric', 'clean']);
    expect(questionTerms('Where are you?')).toEqual(['where', 'are', 'you']);
    expect(normalQuestion("  What's the PRICE?! ")).toBe('whats the price');
  });

  it('contain letters and digits only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (value) => {
        for (const term of termsOf(value)) expect(term).toMatch(/^[\p{L}\p{M}\p{N}]{1,48}$/u);
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});

const ITEMS: KnowledgeItem[] = [
  { question: 'Where can I park?', text: 'In the garage below the house.', source: 'FAQ' },
  { question: 'Do you take insurance?', text: 'Yes, all large insurers.', source: 'FAQ' },
  { heading: 'Refunds', text: 'Money comes back within five working days.', source: 'terms.pdf' },
  { text: 'The pharmacy closes at eight in the evening.', source: 'hours.html' },
];

describe('KnowledgeIndex', () => {
  const index = new KnowledgeIndex(ITEMS);
  const best = (question: string): string | undefined => {
    const [hit] = index.search(question, 1);
    return hit === undefined ? undefined : ITEMS[hit.at]?.text;
  };

  it.each([
    ['where can I park', ITEMS[0]],
    ['Is there any parking?', ITEMS[0]],
    ['do you accept my insurance', ITEMS[1]],
    ['how do refunds work', ITEMS[2]],
    ['when does the pharmcy close', ITEMS[3]],
  ])('answers "%s"', (question, item) => {
    expect(best(question)).toBe(item?.text);
  });

  it('distinguishes an identical question from a similar one, and finds nothing in an empty index', () => {
    expect(index.search('WHERE can i park?', 1)[0]).toMatchObject({ at: 0, score: 1 });
    expect(index.search('where to park the car', 1)[0]!.score).toBeLessThan(1);
    expect(index.search('submarine volcano', 3)).toEqual([]);
    expect(index.search('', 3)).toEqual([]);
  });

  it('is cached for the same items', () => {
    const indexes = new KnowledgeIndexes();
    expect(indexes.of(ITEMS)).toBe(indexes.of(structuredClone(ITEMS)));
    expect(indexes.of(ITEMS)).not.toBe(indexes.of(ITEMS.slice(1)));
  });
});
