import { isAscii, isUtf8 } from 'node:buffer';

/** Bytes at the start of the file that decide whether it is UTF-16. */
const HEAD_BYTES = 1024;

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

type Mark = 'utf-8' | 'utf-16le' | 'utf-16be' | null;

export interface FileEncoding {
  readonly name: TextEncodingName;
  /** UTF-8 or UTF-16 with some invalid bytes: cells with them are refused. */
  readonly hasBadBytes: boolean;
}

/**
 * Detects the encoding of a file fed piece by piece: from a byte order mark, or from the NULs that UTF-16 has in an
 * ASCII header. Otherwise it is UTF-8, unless invalid sequences outnumber valid non-ASCII characters: then it is
 * Windows-1252, a superset of Latin-1.
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
      // A non-ASCII character takes more UTF-8 bytes than UTF-16 units, so the difference grows with each one.
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
 * Recognises UTF-16 without a byte order mark by the NULs of an ASCII header: only at even or only at odd offsets, in
 * at least a quarter of the units. NULs after the first line prove nothing, because cells of any encoding may hold some.
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

/** Length in bytes of the UTF-8 character at `at`; 0 when the bytes are invalid. */
function characterAt(bytes: Buffer, at: number): number {
  const length = lengthOf(bytes[at] ?? 0);
  if (length <= 1) return length;
  return isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length ? length : 0;
}

/** Number of trailing bytes that may be an incomplete character: at most three. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

/** Incrementally checks that bytes are well-formed UTF-16: an even count, and surrogates only in pairs. */
export class Utf16Check {
  readonly name: 'utf-16le' | 'utf-16be';
  /** Offset of the high byte within a code unit. */
  readonly #highAt: 0 | 1;
  #bytes = 0;
  #isWithinPair = false;
  #isBroken = false;

  constructor(name: 'utf-16le' | 'utf-16be') {
    this.name = name;
    this.#highAt = name === 'utf-16le' ? 1 : 0;
  }

  push(bytes: Buffer): void {
    // The high byte identifies surrogates: D8 to DB begin a pair, DC to DF end one.
    for (let at = (this.#bytes + this.#highAt) % 2; at < bytes.length; at += 2) {
      const kind = (bytes[at] ?? 0) & 0xfc;
      if (this.#isWithinPair !== (kind === 0xdc)) this.#isBroken = true;
      this.#isWithinPair = kind === 0xd8;
    }
    this.#bytes += bytes.length;
  }

  isWhole(): boolean {
    return !this.#isBroken && !this.#isWithinPair && this.#bytes % 2 === 0;
  }
}
