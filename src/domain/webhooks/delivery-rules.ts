/** Delays after the first, second and third failed attempt; the fourth is the last (interface, Events 5). */
const RETRY_AFTER_MS = [10_000, 60_000, 120_000] as const;
export const MAX_ATTEMPTS = RETRY_AFTER_MS.length + 1;

/** Which statuses are a success: 200 alone (interface, Events 4), or every one from 200 to 299. */
export const SUCCESS = ['200', '2xx'] as const;
const isSuccess = (status: number | null, isAny2xx: boolean): boolean =>
  status === 200 || (isAny2xx && status !== null && status >= 200 && status < 300);

/** The error of an attempt that was not made, because its receiver is disabled. */
export const RECEIVER_DISABLED = 'receiver_disabled';

export type AfterAttempt =
  | { readonly state: 'delivered' }
  | { readonly state: 'due'; readonly dueAt: number }
  | { readonly state: 'dead' };

/** How an attempt ended, as far as the next step depends on it. */
export interface AttemptEnd {
  /** Null: no response. */
  readonly status: number | null;
  /** The address is an inner one. A retry would meet the same rule, so the delivery is given up at once. */
  readonly isBlocked: boolean;
  /** The receiver is disabled: nothing was sent, and the recovery keeps the delivery or leaves it in the log. */
  readonly isDisabled: boolean;
  readonly isAny2xx: boolean;
}

/** The state of a delivery after attempt `attempt` (1 to 4) ended at `endedAt`. */
export function afterAttempt(
  attempt: number,
  { status, isBlocked, isDisabled, isAny2xx }: AttemptEnd,
  endedAt: number,
): AfterAttempt {
  if (isSuccess(status, isAny2xx)) return { state: 'delivered' };
  const wait = isBlocked || isDisabled ? undefined : RETRY_AFTER_MS[attempt - 1];
  return wait === undefined ? { state: 'dead' } : { state: 'due', dueAt: endedAt + wait };
}

/** Header names that a subscription cannot set: hop-by-hop and framing headers. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const mayBeSet = (header: string): boolean => !RESERVED.has(header.toLowerCase());
