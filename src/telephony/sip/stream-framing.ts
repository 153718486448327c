import { MAX_MESSAGE_BYTES } from './parse-message.ts';

export type Frame =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** A double CRLF, to be answered with one CRLF (RFC 5626 section 4.4.1). */
  | { readonly kind: 'ping' }
  /** The stream can no longer be cut into messages: close it. */
  | { readonly kind: 'fault'; readonly reason: string };

const CONTENT_LENGTH = /\r\n(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*(?=\r\n)/i;

/** Cuts a TCP byte stream into SIP messages by Content-Length (RFC 3261 section 18.3). Holds at most one message. */
export function createFraming(): {
  push(chunk: Buffer): Frame[];
  /** Bytes of a message that is not complete yet. */
  held(): number;
} {
  let pending: Buffer = Buffer.alloc(0);
  let scanned = 0;
  let faulted = false;

  const next = (): Frame | null => {
    let blank = 0;
    while (blank < pending.length && (pending[blank] === 13 || pending[blank] === 10)) blank++;
    const ping = pending.subarray(0, blank).indexOf('\r\n\r\n', 0, 'latin1') !== -1;
    // A lone CRLF may be the first half of a ping: it waits for what follows.
    if (ping || blank < pending.length) pending = pending.subarray(ping ? 4 : blank);
    if (ping) {
      scanned = 0;
      return { kind: 'ping' };
    }
    if (blank > 0 && blank === pending.length) {
      // A pong, or half a ping; nothing longer than two CRLFs is kept.
      if (pending.length > 4) pending = pending.subarray(-2);
      return null;
    }
    const end = pending.indexOf('\r\n\r\n', Math.max(0, scanned - 3), 'latin1');
    scanned = end === -1 ? pending.length : end;
    if (end === -1)
      return pending.length > MAX_MESSAGE_BYTES ? { kind: 'fault', reason: 'head too large' } : null;
    const head = pending.toString('latin1', 0, end + 2);
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (length === undefined) return { kind: 'fault', reason: 'no Content-Length' };
    const total = end + 4 + Number(length);
    if (total > MAX_MESSAGE_BYTES) return { kind: 'fault', reason: 'message too large' };
    if (pending.length < total) return null;
    const bytes = pending.subarray(0, total);
    pending = pending.subarray(total);
    scanned = 0;
    return { kind: 'message', bytes };
  };

  return {
    held: () => pending.length,
    push(chunk) {
      if (faulted) return [];
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const frames: Frame[] = [];
      for (let frame = next(); frame !== null; frame = next()) {
        frames.push(frame);
        if (frame.kind === 'fault') {
          faulted = true;
          pending = Buffer.alloc(0);
          break;
        }
      }
      return frames;
    },
  };
}
