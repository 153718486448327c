/** The 97.5 % quantile of the normal distribution: two-sided intervals of 95 %. */
const Z = 1.959_964;

/** `count` of `total`. */
export interface Proportion {
  readonly count: number;
  readonly total: number;
}
/** The difference of two shares with its 95 % interval. */
export interface Difference {
  /** Share of b minus share of a. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Whether the interval leaves out zero. */
  readonly isBeyondChance: boolean;
}

/** The 95 % interval of a share (Wilson's score interval). */
function wilson({ count, total }: Proportion): { low: number; high: number } {
  const share = count / total;
  const middle = share + (Z * Z) / (2 * total);
  const reach = Z * Math.sqrt((share * (1 - share)) / total + (Z * Z) / (4 * total * total));
  const scale = 1 + (Z * Z) / total;
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}

/**
 * How the share of b differs from that of a: Newcombe's hybrid score interval, which also holds for few calls and for
 * shares near 0 and 1. Null where one of them has no calls.
 */
export function differenceOf(a: Proportion, b: Proportion): Difference | null {
  if (a.total === 0 || b.total === 0) return null;
  const [shareA, shareB] = [a.count / a.total, b.count / b.total];
  const [ofA, ofB] = [wilson(a), wilson(b)];
  const difference = shareB - shareA;
  const low = difference - Math.hypot(shareB - ofB.low, ofA.high - shareA);
  const high = difference + Math.hypot(ofB.high - shareB, shareA - ofA.low);
  return { difference, low, high, isBeyondChance: low > 0 || high < 0 };
}
