import type { NumberRest } from '../domain/workspaces/limits.ts';

/** How a caller number's last attempts went. */
export interface NumberRate {
  readonly id: string;
  readonly attempts: number;
  readonly answered: number;
  readonly isResting: boolean;
}

/** How often a number in use is looked at. */
export const RATE_EVERY_MS = 60_000;

/**
 * Which of the numbers that take turns are tired: answered far less often than they are on average, which is how
 * callees' phones treat a number they take for spam. At most half of them rest at once, the worst first, and one
 * alone never does. Attempts from before a rest do not count after it. Pure.
 */
export function tiredNumbers(numbers: readonly NumberRate[], rule: NumberRest): string[] {
  const rated = numbers
    .filter((n) => !n.isResting && n.attempts * 2 >= rule.attempts)
    .map((n) => ({ id: n.id, rate: n.answered / n.attempts }));
  const mean = rated.reduce((sum, n) => sum + n.rate, 0) / Math.max(1, rated.length);
  const resting = numbers.filter((n) => n.isResting).length;
  const mayRest = Math.max(0, Math.floor(numbers.length / 2) - resting);
  return rated
    .filter((n) => n.rate < mean * rule.share)
    .sort((a, b) => a.rate - b.rate)
    .slice(0, mayRest)
    .map((n) => n.id);
}
