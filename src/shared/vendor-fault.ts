/**
 * `key`: the key is refused. `credit`: nothing left to spend. `limit`: too many requests or connections. `rejected`: the
 * vendor refuses what was asked. `timeout`: it does not answer. `lost`: the connection or the vendor failed. `account`: the
 * vendor has no account here any more.
 */
export const FAULT_KINDS = ['key', 'credit', 'limit', 'rejected', 'timeout', 'lost', 'account'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Parts of a call that a vendor may do: recognition, speech, the language model. */
export type VendorPart = 'stt' | 'tts' | 'llm';

/** What went wrong at a vendor, and whether the same request may succeed at once on a new connection. */
export interface VendorFault {
  /** As in the settings: `deepgram`, `openai-compatible`. */
  readonly vendor: string;
  readonly kind: FaultKind;
  /** HTTP status; null: the fault is none of HTTP. */
  readonly status: number | null;
  /** Names the vendor and the cause, never a key. */
  readonly message: string;
  readonly retryable: boolean;
}

/** What operators read of a fault. */
export const FAULT_WORDS: Record<FaultKind, string> = {
  key: 'the API key is refused',
  credit: 'no credit is left',
  limit: 'too many requests or connections',
  rejected: 'the request is rejected',
  timeout: 'no answer in time',
  lost: 'the connection failed',
  account: 'no account is configured',
};
