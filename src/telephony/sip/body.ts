import { header } from './message.ts';
import type { Header } from './message.ts';
import { unquote } from './grammar.ts';

interface Bodied {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

const MAX_PARTS = 16;

/** `type/subtype` of Content-Type in lower case, without parameters; null without a body type. */
export const mediaType = (message: { readonly headers: readonly Header[] }): string | null =>
  header(message, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;

/**
 * Text as a body in memory of its own: transactions keep their messages for half a minute, and a slice of Node's
 * shared buffer pool would keep all 64 KiB around it.
 */
export function textBody(text: string): Buffer {
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return body;
}

/** The SDP of a message: its whole body, or the first SDP part of a multipart one. Null when there is none. */
export function sdpOf(message: Bodied): string | null {
  const type = mediaType(message);
  if (message.body.length === 0 || type === null) return null;
  if (type === 'application/sdp') return message.body.toString('utf8');
  return type.startsWith('multipart/') ? sdpPart(message) : null;
}

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
