import { type Params, unquote } from './grammar.ts';

/** One header line. `name` is the long form in lower case. */
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
  /** The remaining headers in order. Content-Length is computed on writing, never stored. */
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
export function headerLines(message: { readonly headers: readonly Header[] }, name: string): string[] {
  const lines: string[] = [];
  for (const h of message.headers) if (h.name === name) lines.push(h.value);
  return lines;
}

/** Non-empty items of a comma-separated list over all lines of a header, trimmed. */
export function headerTokens(message: { readonly headers: readonly Header[] }, name: string): string[] {
  const tokens: string[] = [];
  for (const h of message.headers) {
    if (h.name !== name) continue;
    for (const item of h.value.split(',')) {
      const token = item.trim();
      if (token !== '') tokens.push(token);
    }
  }
  return tokens;
}

export const tagOf = (address: NameAddr): string | null => address.params.get('tag') ?? null;

/** The branch of the topmost Via, or the empty string. */
export const branchOf = (message: SipMessage): string => message.via[0]?.params.get('branch') ?? '';

interface Bodied {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

const MAX_PARTS = 16;

/** `type/subtype` of Content-Type in lower case, without parameters; null without Content-Type. */
export const mediaType = (message: { readonly headers: readonly Header[] }): string | null =>
  header(message, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;

/**
 * Text as a body in its own allocation. Transactions hold messages for up to 32 s, and a slice of Node's shared
 * buffer pool would keep the whole 64 KiB slab alive.
 */
export function textBody(text: string): Buffer {
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return body;
}

/** The SDP of a message: its body, or the first SDP part of a multipart body; null without SDP. */
export function sdpOf(message: Bodied): string | null {
  const type = mediaType(message);
  if (message.body.length === 0 || type === null) return null;
  if (type === 'application/sdp') return message.body.toString('utf8');
  return type.startsWith('multipart/') ? sdpPart(message) : null;
}

/** Whether a message has SDP, without its text. */
export const hasSdp = (message: Bodied): boolean =>
  (message.body.length > 0 && mediaType(message) === 'application/sdp') || sdpOf(message) !== null;

function sdpPart(message: Bodied): string | null {
  const boundary = /;\s*boundary\s*=\s*("[^"]{1,70}"|[^\s;"]{1,70})/i.exec(
    header(message, 'content-type') ?? '',
  )?.[1];
  if (boundary === undefined) return null;
  const parts = message.body.toString('utf8').split(`--${unquote(boundary)}`, MAX_PARTS);
  for (const part of parts.slice(1)) {
    const cut = part.indexOf('\r\n\r\n');
    if (cut !== -1 && /\r\ncontent-type[ \t]*:[ \t]*application\/sdp/i.test(part.slice(0, cut + 2))) {
      return part.slice(cut + 4).replace(/\r\n$/, '');
    }
  }
  return null;
}
