/** Waits after the first, second and third failed attempt; after the fourth there is no other (interface, Events 5). */
const RETRY_AFTER_MS = [10_000, 60_000, 120_000] as const;
export const MAX_ATTEMPTS = RETRY_AFTER_MS.length + 1;

/** Only this status is success (interface, Events 4). */
export const SUCCESS_STATUS = 200;

export type AfterAttempt =
  | { readonly state: 'delivered' }
  | { readonly state: 'due'; readonly dueAt: number }
  | { readonly state: 'dead' };

/** What becomes of a delivery after attempt number `attempt` (1 to 4) ended at `endedAt` with `status`. */
export function afterAttempt(attempt: number, status: number | null, endedAt: number): AfterAttempt {
  if (status === SUCCESS_STATUS) return { state: 'delivered' };
  const wait = RETRY_AFTER_MS[attempt - 1];
  return wait === undefined ? { state: 'dead' } : { state: 'due', dueAt: endedAt + wait };
}

/** Header names a receiver's subscription can never set: they belong to the connection and its framing. */
const NOT_THEIRS = new Set([
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

export const mayBeSet = (header: string): boolean => !NOT_THEIRS.has(header.toLowerCase());
