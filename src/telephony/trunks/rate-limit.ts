export interface RateLimit {
  /** False when `source` has used up what it may ask for. */
  take(source: string): boolean;
}

/** A token bucket per source, for at most `maxSources` of them; the longest silent one is forgotten first. */
export function createRateLimit(options: {
  perSecond: number;
  burst: number;
  maxSources: number;
  now: () => number;
}): RateLimit {
  const { perSecond, burst, maxSources, now } = options;
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(source) {
      const at = now();
      const bucket = buckets.get(source) ?? { tokens: burst, at };
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond);
      buckets.delete(source);
      if (buckets.size >= maxSources) {
        const oldest = buckets.keys().next().value;
        if (oldest !== undefined) buckets.delete(oldest);
      }
      buckets.set(source, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
      return tokens >= 1;
    },
  };
}
