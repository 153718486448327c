import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import {
  type CipherOptions,
  ENCRYPTED,
  type PacketCipher,
  type PacketPosition,
  RTCP_CLEAR_BYTES,
  writeIv,
} from './packet-cipher.ts';

const CIPHER = 'aes-128-gcm';
const TAG_BYTES = 16;
const INDEX_BYTES = 4;

/** AES-128 in Galois/counter mode (RFC 7714): the tag covers the header, too. */
export class GaloisMode implements PacketCipher {
  readonly #key: KeyObject;
  readonly #salt: Uint8Array;
  readonly #mkiBytes: number;
  readonly #iv = new Uint8Array(12);
  /** What the tag of an SRTCP packet covers in clear: its header and index. */
  readonly #rtcpClear = Buffer.alloc(RTCP_CLEAR_BYTES + INDEX_BYTES);

  constructor({ keys, mkiBytes }: CipherOptions) {
    this.#key = createSecretKey(keys.encryption);
    this.#salt = keys.salt;
    this.#mkiBytes = mkiBytes;
  }

  sealRtp(bytes: Buffer, start: number, end: number, { ssrc, rollover, sequence }: PacketPosition): number {
    writeIv(this.#iv, this.#salt, 2, ssrc, rollover, sequence);
    return this.#seal(bytes, start, end, bytes.subarray(0, start));
  }

  openRtp(bytes: Buffer, start: number, { ssrc, rollover, sequence }: PacketPosition): number {
    const end = bytes.length - TAG_BYTES - this.#mkiBytes;
    if (end < start) return -1;
    writeIv(this.#iv, this.#salt, 2, ssrc, rollover, sequence);
    return this.#open(bytes, start, end, bytes.subarray(0, start));
  }

  sealRtcp(bytes: Buffer, end: number, ssrc: number, index: number): number {
    const word = (index | ENCRYPTED) >>> 0;
    writeIv(this.#iv, this.#salt, 2, ssrc, index >>> 16, index & 0xffff);
    const sealed = this.#seal(bytes, RTCP_CLEAR_BYTES, end, this.#clear(bytes, RTCP_CLEAR_BYTES, word));
    bytes.writeUInt32BE(word, sealed);
    return sealed + INDEX_BYTES;
  }

  rtcpIndex(bytes: Buffer): number {
    const end = bytes.length - this.#mkiBytes - INDEX_BYTES;
    return end - TAG_BYTES < RTCP_CLEAR_BYTES ? -1 : bytes.readUInt32BE(end);
  }

  openRtcp(bytes: Buffer, ssrc: number): number {
    const end = bytes.length - this.#mkiBytes - INDEX_BYTES - TAG_BYTES;
    const word = bytes.readUInt32BE(end + TAG_BYTES);
    writeIv(this.#iv, this.#salt, 2, ssrc, (word >>> 16) & 0x7fff, word & 0xffff);
    if (word >= ENCRYPTED)
      return this.#open(bytes, RTCP_CLEAR_BYTES, end, this.#clear(bytes, RTCP_CLEAR_BYTES, word));
    return this.#open(bytes, end, end, this.#clear(bytes, end, word));
  }

  /** The first `clear` bytes and the SRTCP index. */
  #clear(bytes: Buffer, clear: number, word: number): Buffer {
    const covered = clear === RTCP_CLEAR_BYTES ? this.#rtcpClear : Buffer.alloc(clear + INDEX_BYTES);
    covered.set(bytes.subarray(0, clear));
    covered.writeUInt32BE(word, clear);
    return covered;
  }

  #seal(bytes: Buffer, start: number, end: number, covered: Uint8Array): number {
    const cipher = createCipheriv(CIPHER, this.#key, this.#iv).setAAD(covered);
    bytes.set(cipher.update(bytes.subarray(start, end)), start);
    cipher.final();
    bytes.set(cipher.getAuthTag(), end);
    return end + TAG_BYTES;
  }

  #open(bytes: Buffer, start: number, end: number, covered: Uint8Array): number {
    const decipher = createDecipheriv(CIPHER, this.#key, this.#iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(covered).setAuthTag(bytes.subarray(end, end + TAG_BYTES));
    const plain = decipher.update(bytes.subarray(start, end));
    try {
      decipher.final();
    } catch {
      return -1;
    }
    bytes.set(plain, start);
    return end;
  }
}
