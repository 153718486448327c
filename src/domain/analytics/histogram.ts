/**
 * Histograms of milliseconds in the buckets of migration 0104: each bucket is 5 % wide, so that a percentile is known
 * to 2.5 %, and those of many days or agents are summed without their turns.
 */
const FIRST_MS = 20;
const STEP = 1.05;

/** Turns of one bucket. */
export interface BucketCount {
  readonly bucket: number;
  readonly turns: number;
}
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

/** The percentiles of a histogram (nearest rank). */
export function percentilesOf(counts: readonly BucketCount[]): Percentiles {
  const sorted = counts.filter(({ turns }) => turns > 0).toSorted((a, b) => a.bucket - b.bucket);
  const turns = sorted.reduce((sum, each) => sum + each.turns, 0);
  const at = (share: number): number | null => {
    const rank = Math.ceil(share * turns);
    let passed = 0;
    for (const each of sorted) {
      passed += each.turns;
      if (passed >= rank) return Math.round(middleOf(each.bucket));
    }
    return null;
  };
  return { turns, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
