/** What one try came to. */
export type Attempt =
  | {
      readonly kind: 'answer';
      readonly response: Response;
      /** A 409 because an earlier try under the same Idempotency-Key is still at work. */
      readonly isRunning: boolean;
    }
  | { readonly kind: 'none'; readonly cause: unknown };

const FIRST_MS = 500;
const LONGEST_MS = 8000;
const LONGEST_ASKED_MS = 60_000;

/**
 * A 429 was not acted upon: it may always be sent again. A 5xx or a broken connection says nothing about what was
 * done, so there only what can be repeated without harm is; the same for a first try that still runs (409).
 */
export function isWorthRetrying(attempt: Attempt, isRepeatable: boolean): boolean {
  if (attempt.kind === 'none') return isRepeatable;
  const { status } = attempt.response;
  if (status === 429) return true;
  return isRepeatable && (status >= 500 || attempt.isRunning);
}

/** How long to wait before the next try: what the service asked for, else twice as long each time, with jitter. */
export function waitBefore(tries: number, retryAfter: string | null, random: number): number {
  const asked = retryAfter === null ? Number.NaN : Number(retryAfter) * 1000;
  if (asked >= 0) return Math.min(asked, LONGEST_ASKED_MS);
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(most / 2 + (most / 2) * random);
}
