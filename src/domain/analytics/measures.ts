import type { Sums } from '../../store/analytics.ts';
import { toCredits } from '../credits/price.ts';

/** Sums as the API shows them: lengths in seconds, money in credits, rates from 0 to 1 and 0 where there is nothing. */
export interface Measures {
  readonly total_calls: number;
  readonly answered_calls: number;
  readonly completed_calls: number;
  readonly answer_rate: number;
  readonly total_attempts: number;
  readonly total_duration: number;
  readonly average_duration: number;
  readonly total_cost: number;
}

const DIGITS = 10_000;
/** `part` of `whole` to four digits; 0 of nothing. */
export const ratio = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * DIGITS) / DIGITS;

export const toMeasures = (sums: Sums): Measures => ({
  total_calls: sums.calls,
  answered_calls: sums.answered,
  completed_calls: sums.completed,
  answer_rate: ratio(sums.answered, sums.calls),
  total_attempts: sums.attempts,
  total_duration: sums.durationMs / 1000,
  average_duration: sums.answered === 0 ? 0 : Math.round(sums.durationMs / sums.answered) / 1000,
  total_cost: toCredits(sums.cost),
});

export const addSums = (a: Sums, b: Sums): Sums => ({
  calls: a.calls + b.calls,
  answered: a.answered + b.answered,
  completed: a.completed + b.completed,
  attempts: a.attempts + b.attempts,
  durationMs: a.durationMs + b.durationMs,
  cost: a.cost + b.cost,
});

export const NO_SUMS: Sums = { calls: 0, answered: 0, completed: 0, attempts: 0, durationMs: 0, cost: 0 };
