import { MAX_MESSAGE_BYTES } from './parse-message.ts';

export type Frame =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** Keepalive: a double CRLF, answered with one CRLF (RFC 5626 section 4.4.1). */
  | { readonly kind: 'ping' }
  /** The stream has lost its framing: close it. */
  | { readonly kind: 'fault'; readonly reason: string };

const CR = 13;
const LF = 10;
/** A double CRLF. */
const PING_BYTES = 4;

const CONTENT_LENGTH = /\r\n(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*(?=\r\n)/i;

/** Splits a TCP byte stream into SIP messages by Content-Length (RFC 3261 section 18.3). Buffers one message at most. */
export function createFraming(): {
  push(chunk: Buffer): Frame[];
  /** Bytes of an incomplete message. */
  held(): number;
} {
  let pending: Buffer = Buffer.alloc(0);
  let scanned = 0;
  let faulted = false;

  const next = (): Frame | null => {
    // Each byte of a run of line ends is looked at once, however many keepalives it holds.
    let at = 0;
    let matched = 0;
    for (; pending[at] === CR || pending[at] === LF; at += 1) {
      if (pending[at] === (matched % 2 === 0 ? CR : LF)) matched += 1;
      else matched = pending[at] === CR ? 1 : 0;
      if (matched === PING_BYTES) {
        pending = pending.subarray(at + 1);
        return { kind: 'ping' };
      }
    }
    if (at === pending.length) {
      // A pong, or the first part of a keepalive, which stays in the buffer.
      pending = pending.subarray(at - matched);
      return null;
    }
    pending = pending.subarray(at);
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
