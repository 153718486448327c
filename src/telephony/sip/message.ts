import type { Params } from './grammar.ts';

/** A header line as received or to be sent. `name` is the long form in lower case. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** One Via value (RFC 3261 section 20.42). */
export interface Via {
  readonly transport: string;
  readonly host: string;
  readonly port: number | null;
  readonly params: Params;
}

/** From, To, Contact, Route: a display name, a URI and header parameters. */
export interface NameAddr {
  readonly displayName: string | null;
  readonly uri: string;
  readonly params: Params;
}

export interface CSeq {
  readonly sequence: number;
  readonly method: string;
}

interface Common {
  readonly via: readonly Via[];
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
  /** Every header that has no field of its own here, in order. Content-Length is written, never stored. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

export interface SipRequest extends Common {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
}

export interface SipResponse extends Common {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
}

export type SipMessage = SipRequest | SipResponse;

export const EMPTY_BODY = Buffer.alloc(0);

/** The first value of a header, or null. `name` in lower case. */
export function header(message: { readonly headers: readonly Header[] }, name: string): string | null {
  for (const h of message.headers) if (h.name === name) return h.value;
  return null;
}

/** Every line of a header, in order. */
export const headerLines = (message: { readonly headers: readonly Header[] }, name: string): string[] =>
  message.headers.filter((h) => h.name === name).map((h) => h.value);

/** Items of a comma-separated list of tokens over all its lines, trimmed, empty ones left out. */
export const headerTokens = (message: { readonly headers: readonly Header[] }, name: string): string[] =>
  headerLines(message, name)
    .flatMap((line) => line.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const tagOf = (address: NameAddr): string | null => address.params.get('tag') ?? null;

/** The branch of the topmost Via, or the empty string. */
export const branchOf = (message: SipMessage): string => message.via[0]?.params.get('branch') ?? '';
