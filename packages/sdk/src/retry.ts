import type { CallwrightError } from './error.ts';

/** The outcome of one attempt. */
export type Attempt =
  | {
      readonly kind: 'answer';
      readonly response: Response;
      /** The JSON of a success; null for a stream or file, which the caller reads. */
      readonly body: unknown;
      readonly error: CallwrightError | null;
      /** A 409 because an earlier attempt under the same Idempotency-Key is still running. */
      readonly isRunning: boolean;
    }
  | { readonly kind: 'none'; readonly cause: unknown };

const FIRST_MS = 500;
const LONGEST_MS = 8000;

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

/** The wait that the header Retry-After asks for in seconds, in ms; null without one. */
export function retryAfterMs(retryAfter: string | null): number | null {
  const ms = retryAfter === null ? Number.NaN : Number(retryAfter) * 1000;
  return ms >= 0 ? ms : null;
}

/** The delay after `tries` attempts in ms: exponential backoff with jitter. */
export function waitBefore(tries: number, random: number): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(most / 2 + (most / 2) * random);
}
