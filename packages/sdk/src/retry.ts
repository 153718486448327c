/** The outcome of one attempt. */
export type Attempt =
  | {
      readonly kind: 'answer';
      readonly response: Response;
      /** A 409 because an earlier attempt under the same Idempotency-Key is still running. */
      readonly isRunning: boolean;
    }
  | { readonly kind: 'none'; readonly cause: unknown };

const FIRST_MS = 500;
const LONGEST_MS = 8000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Whether to retry. A 429 was not executed, so a retry is always safe. After a 5xx or a broken connection the effect
 * is unknown, so only idempotent requests are retried; the same holds for a 409 of a running attempt.
 */
export function isWorthRetrying(attempt: Attempt, isRepeatable: boolean): boolean {
  if (attempt.kind === 'none') return isRepeatable;
  const { status } = attempt.response;
  if (status === 429) return true;
  return isRepeatable && (status >= 500 || attempt.isRunning);
}

/** The delay before the next attempt: Retry-After, else exponential backoff with jitter. */
export function waitBefore(tries: number, retryAfter: string | null, random: number): number {
  const retryAfterMs = retryAfter === null ? Number.NaN : Number(retryAfter) * 1000;
  if (retryAfterMs >= 0) return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(most / 2 + (most / 2) * random);
}
