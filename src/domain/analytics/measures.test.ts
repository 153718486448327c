import { describe, expect, it } from 'vitest';
import { addSums, NO_SUMS, ratio, toMeasures } from './measures.ts';

const sums = { calls: 3, answered: 2, completed: 2, attempts: 5, durationMs: 61_001, cost: 2_500_000 };

describe('measures', () => {
  it('are seconds, credits and rates', () => {
    expect(toMeasures(sums)).toEqual({
      total_calls: 3,
      answered_calls: 2,
      completed_calls: 2,
      answer_rate: 0.6667,
      total_attempts: 5,
      total_duration: 61.001,
      average_duration: 30.501,
      total_cost: 2.5,
    });
  });

  it('divide by nothing without harm', () => {
    expect(toMeasures(NO_SUMS)).toMatchObject({ answer_rate: 0, average_duration: 0 });
    expect(ratio(1, 0)).toBe(0);
  });

  it('add up', () => {
    expect(addSums(sums, addSums(sums, NO_SUMS))).toEqual({
      calls: 6,
      answered: 4,
      completed: 4,
      attempts: 10,
      durationMs: 122_002,
      cost: 5_000_000,
    });
  });
});
