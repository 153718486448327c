export interface WebCallRules {
  /** Calls and chats that pages may begin in a minute, per address and per public key; 0: no limit. */
  readonly perAddress: number;
  readonly perKey: number;
  /** Longest duration of such a call. */
  readonly maxMs: number;
  /** False: no call worker is in this process. */
  readonly areHere: boolean;
}
