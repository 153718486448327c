import { isAscii, isUtf8 } from 'node:buffer';
import { Utf16Check } from './utf16-check.ts';

/** How much of the beginning tells UTF-16. */
const HEAD_BYTES = 1024;

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

type Mark = 'utf-8' | 'utf-16le' | 'utf-16be' | null;

export interface FileEncoding {
  readonly name: TextEncodingName;
  /** UTF-8 or UTF-16 with bytes here and there that are none: cells with them are refused. */
  readonly hasBadBytes: boolean;
}

/**
 * Finds the encoding of a file whose bytes come piece by piece: a byte order mark tells it, or the NULs that UTF-16 has
 * in a header; otherwise it is UTF-8, or Windows-1252 (which Latin-1 is part of) when more of it is no UTF-8 than is
 * UTF-8 beyond ASCII.
 */
export class EncodingFinder {
  #marked: Mark = null;
  #head: Buffer | null = Buffer.alloc(0);
  #units: Utf16Check | null = null;
  #rest = Buffer.alloc(0);
  #good = 0;
  #bad = 0;

  push(bytes: Buffer): void {
    if (this.#head === null) return this.#read(bytes);
    this.#head = Buffer.concat([this.#head, bytes]);
    if (this.#head.length >= HEAD_BYTES) this.#begin(this.#head);
  }

  end(): FileEncoding {
    if (this.#head !== null) this.#begin(this.#head);
    if (this.#units !== null) return { name: this.#units.name, hasBadBytes: !this.#units.isWhole() };
    this.#count(this.#rest);
    if (this.#bad === 0) return { name: 'utf-8', hasBadBytes: false };
    const isUtf8 = this.#marked === 'utf-8' || this.#good > this.#bad;
    return isUtf8 ? { name: 'utf-8', hasBadBytes: true } : { name: 'windows-1252', hasBadBytes: false };
  }

  #begin(head: Buffer): void {
    this.#marked = byteOrderMark(head) ?? utf16OfHeader(head);
    if (this.#marked === 'utf-16le' || this.#marked === 'utf-16be') {
      this.#units = new Utf16Check(this.#marked);
    }
    this.#head = null;
    this.#read(head);
  }

  #read(bytes: Buffer): void {
    if (this.#units !== null) return this.#units.push(bytes);
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = text.subarray(0, text.length - cutCharacter(text));
    this.#rest = Buffer.from(text.subarray(whole.length));
    this.#count(whole);
  }

  #count(bytes: Buffer): void {
    if (isAscii(bytes)) return;
    if (isUtf8(bytes)) {
      // Every character beyond ASCII takes more bytes than it has UTF-16 units.
      this.#good += bytes.length - bytes.toString().length;
      return;
    }
    for (let at = 0; at < bytes.length;) {
      const length = characterAt(bytes, at);
      if (length > 1) this.#good += 1;
      else if (length === 0) this.#bad += 1;
      at += Math.max(1, length);
    }
  }
}

function byteOrderMark(head: Buffer): Mark {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/**
 * The UTF-16 whose ASCII a header is written in: NULs at one place of its units only, in a quarter of them or more. NULs
 * after the first line say nothing, for a cell of any encoding may hold some.
 */
function utf16OfHeader(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const isLineEnd = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
  const start = head.findIndex((byte) => byte !== 0 && !isLineEnd(byte));
  const next = head.findIndex((byte, at) => at > start && isLineEnd(byte));
  const line = head.subarray(0, next === -1 ? HEAD_BYTES : next);
  const nuls = [0, 0];
  for (const [at, byte] of line.entries()) {
    if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  }
  const [first = 0, second = 0] = nuls;
  const most = Math.max(first, second);
  if (Math.min(first, second) > 0 || most === 0 || most < line.length / 8) return null;
  return second > first ? 'utf-16le' : 'utf-16be';
}

const lengthOf = (lead: number): number =>
  lead < 0x80 ? 1 : lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0;

/** Bytes of the UTF-8 character at `at`; 0 when there is none. */
function characterAt(bytes: Buffer, at: number): number {
  const length = lengthOf(bytes[at] ?? 0);
  if (length <= 1) return length;
  return isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length ? length : 0;
}

/** Bytes at the end that may be the beginning of a character: at most three. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}
