/** A difference with its 95 % interval. */
export interface Interval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

const Z95 = 1.96;

/**
 * The difference of two shares that were measured on the same calls: `lost` calls had it before alone, `won` after alone. Interval
 * of Agresti and Min (2005).
 */
export function shareDifference(lost: number, won: number, calls: number): Interval {
  const adjusted = calls + 2;
  const centre = (won - lost) / adjusted;
  const width = (Z95 * Math.sqrt(Math.max(0, won + lost + 1 - (won - lost) ** 2 / adjusted))) / adjusted;
  return {
    difference: calls === 0 ? 0 : (won - lost) / calls,
    low: Math.max(-1, centre - width),
    high: Math.min(1, centre + width),
  };
}

/** The chance of at least as many losses if calls were lost and won alike (exact sign test, one-sided). */
export function lossChance(lost: number, won: number): number {
  const all = lost + won;
  let term = 0.5 ** all;
  let sum = 0;
  for (let k = 0; k <= all; k++) {
    if (k >= lost) sum += term;
    term = (term * (all - k)) / (k + 1);
  }
  return Math.min(1, sum);
}

/** The mean of differences of pairs, with an interval of `z` standard errors. */
export function meanDifference(differences: readonly number[], z = Z95): Interval {
  const { length } = differences;
  if (length === 0) return { difference: 0, low: 0, high: 0 };
  const mean = differences.reduce((sum, each) => sum + each, 0) / length;
  const square = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const width = length < 2 ? 0 : (z * Math.sqrt(square / (length - 1))) / Math.sqrt(length);
  return { difference: mean, low: mean - width, high: mean + width };
}
