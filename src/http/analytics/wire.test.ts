import { describe, expect, it } from 'vitest';
import { addSums } from '../../domain/analytics/read-analytics.ts';
import { toDurationDistribution, toMeasures } from './wire.ts';

const sums = {
  calls: 3,
  answered: 2,
  completed: 2,
  attempts: 5,
  answeredAttempts: 3,
  durationMs: 61_001,
  talkMs: 50_000,
  cost: 2_500_000,
};
const none = {
  calls: 0,
  answered: 0,
  completed: 0,
  attempts: 0,
  answeredAttempts: 0,
  durationMs: 0,
  talkMs: 0,
  cost: 0,
};

describe('analytics measures', () => {
  it('are in seconds, credits and rates', () => {
    expect(toMeasures(sums)).toEqual({
      total_calls: 3,
      answered_calls: 2,
      completed_calls: 2,
      answer_rate: 0.6,
      total_attempts: 5,
      answered_attempts: 3,
      total_duration: 61.001,
      average_duration: 25,
      total_cost: 2.5,
    });
  });

  it('are 0 where the divisor is 0', () => {
    expect(toMeasures(none)).toMatchObject({ answer_rate: 0, average_duration: 0 });
    const empty = {
      answered: 0,
      durationMs: 0,
      buckets: [{ fromSeconds: 0, toSeconds: null, calls: 1 }],
    };
    const { buckets } = toDurationDistribution({ firstDay: null, lastDay: null }, empty);
    expect(buckets.map(({ share }) => share)).toEqual([0]);
  });

  it('add up', () => {
    expect(addSums(sums, addSums(sums, none))).toEqual({
      calls: 6,
      answered: 4,
      completed: 4,
      attempts: 10,
      answeredAttempts: 6,
      durationMs: 122_002,
      talkMs: 100_000,
      cost: 5_000_000,
    });
  });
});
