/**
 * Histograms of milliseconds in the buckets of the SQL function `reaction_bucket`: each bucket is 5 % wide, so that a percentile is known
 * to 2.5 %, and those of many days or agents are summed without their turns.
 */
const FIRST_MS = 20;
const STEP = 1.05;

/** Turns by bucket. */
export type Histogram = readonly number[];
/** In ms; null without any turn. */
export interface Percentiles {
  readonly turns: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** The geometric middle of a bucket, which is at most 2.5 % from each of its values; half of the first. */
const middleOf = (bucket: number): number =>
  bucket === 0 ? FIRST_MS / 2 : FIRST_MS * STEP ** (bucket - 1) * Math.sqrt(STEP);

/** The percentiles of the sum of histograms (nearest rank). */
export function percentilesOf(histograms: readonly Histogram[]): Percentiles {
  const counts: number[] = [];
  for (const histogram of histograms) {
    for (const [bucket, turns] of histogram.entries()) counts[bucket] = (counts[bucket] ?? 0) + turns;
  }
  const turns = counts.reduce((sum, each) => sum + each, 0);
  const at = (share: number): number | null => {
    if (turns === 0) return null;
    const rank = Math.ceil(share * turns);
    let passed = 0;
    return Math.round(middleOf(counts.findIndex((each) => (passed += each) >= rank)));
  };
  return { turns, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
