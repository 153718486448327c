/**
 * One torture message. `expect` is the reaction of our user agent: a status, `call` (the application gets an inbound
 * call), `response` (a valid response without a transaction) or `drop` (no response).
 */
export interface TortureCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expect: number | 'call' | 'response' | 'drop';
  /** The reaction over TCP, where Content-Length frames the message; absent: the same as over UDP. */
  readonly overTcp?: StreamReaction;
}

/** What one stream of bytes draws. */
export interface StreamReaction {
  readonly statuses: readonly number[];
  readonly calls: number;
  /** The stream loses its framing and is closed. */
  readonly closes?: true;
}
