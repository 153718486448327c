import { type Cipheriv, createCipheriv, hash } from 'node:crypto';
import { MAX_RTP_BYTES } from '../packet.ts';
import {
  type CipherOptions,
  ENCRYPTED,
  type PacketCipher,
  type PacketPosition,
  RTCP_CLEAR_BYTES,
  writeIv,
} from './packet-cipher.ts';

const BLOCK = 16;
const MAX_BLOCKS = Math.ceil(MAX_RTP_BYTES / BLOCK);
/** Bytes of the rollover counter or SRTCP index that the tag covers behind the packet. */
const INDEX_BYTES = 4;
/** The block of SHA-1, and what it returns (RFC 2104). */
const HASH_BLOCK = 64;
const HASH_BYTES = 20;

/**
 * AES-128 in counter mode with HMAC-SHA1 (RFC 3711 section 4). The key stream of a packet is one call of a cipher object
 * that lives as long as the key: it encrypts the counter blocks. HMAC is two calls of SHA-1, which cost less than one `Hmac`.
 */
export class CounterMode implements PacketCipher {
  readonly #aes: Cipheriv;
  readonly #salt: Uint8Array;
  readonly #tagBytes: number;
  readonly #mkiBytes: number;
  readonly #iv = new Uint8Array(14);
  /** The counter blocks: the initialisation vector, then the number of the block. */
  readonly #counters = Buffer.alloc(MAX_BLOCKS * BLOCK);
  readonly #covered = new Uint8Array(INDEX_BYTES);
  readonly #received: Buffer;
  /** The padded keys of HMAC, each with room for what is hashed behind it. */
  readonly #inner = Buffer.alloc(HASH_BLOCK + MAX_RTP_BYTES + INDEX_BYTES, 0x36);
  readonly #outer = Buffer.alloc(HASH_BLOCK + HASH_BYTES, 0x5c);

  constructor({ keys, tagBytes, mkiBytes }: CipherOptions) {
    this.#aes = createCipheriv('aes-128-ecb', keys.encryption, null).setAutoPadding(false);
    this.#salt = keys.salt;
    this.#tagBytes = tagBytes;
    this.#mkiBytes = mkiBytes;
    this.#received = Buffer.alloc(tagBytes);
    for (const [i, byte] of keys.authentication.entries()) {
      this.#inner[i] = 0x36 ^ byte;
      this.#outer[i] = 0x5c ^ byte;
    }
    for (let block = 0; block < MAX_BLOCKS; block++) this.#counters.writeUInt16BE(block, block * BLOCK + 14);
  }

  sealRtp(bytes: Buffer, start: number, end: number, position: PacketPosition): number {
    this.#crypt(bytes, start, end, position.ssrc, position.rollover, position.sequence);
    bytes.writeUInt32BE(position.rollover, end);
    bytes.set(this.#tag(bytes, end + INDEX_BYTES), end);
    return end + this.#tagBytes;
  }

  openRtp(bytes: Buffer, start: number, position: PacketPosition): number {
    const end = bytes.length - this.#tagBytes - this.#mkiBytes;
    if (end < start) return -1;
    // The rollover counter is authenticated behind the packet, where the tag or identifier stands.
    const tag = this.#received;
    bytes.copy(tag, 0, bytes.length - this.#tagBytes);
    this.#covered.set(bytes.subarray(end, end + INDEX_BYTES));
    bytes.writeUInt32BE(position.rollover, end);
    const isValid = equal(tag, this.#tag(bytes, end + INDEX_BYTES));
    bytes.set(this.#covered, end);
    if (!isValid) return -1;
    this.#crypt(bytes, start, end, position.ssrc, position.rollover, position.sequence);
    return end;
  }

  sealRtcp(bytes: Buffer, end: number, ssrc: number, index: number): number {
    this.#crypt(bytes, RTCP_CLEAR_BYTES, end, ssrc, index >>> 16, index & 0xffff);
    bytes.writeUInt32BE((index | ENCRYPTED) >>> 0, end);
    bytes.set(this.#tag(bytes, end + INDEX_BYTES), end + INDEX_BYTES);
    return end + INDEX_BYTES + this.#tagBytes;
  }

  rtcpIndex(bytes: Buffer): number {
    const end = this.#rtcpEnd(bytes);
    return end < RTCP_CLEAR_BYTES ? -1 : bytes.readUInt32BE(end);
  }

  openRtcp(bytes: Buffer, ssrc: number): number {
    const end = this.#rtcpEnd(bytes);
    const word = bytes.readUInt32BE(end);
    const tag = bytes.subarray(bytes.length - this.#tagBytes);
    if (!equal(tag, this.#tag(bytes, end + INDEX_BYTES))) return -1;
    if (word < ENCRYPTED) return end;
    const index = word - ENCRYPTED;
    this.#crypt(bytes, RTCP_CLEAR_BYTES, end, ssrc, index >>> 16, index & 0xffff);
    return end;
  }

  #rtcpEnd(bytes: Buffer): number {
    return bytes.length - this.#tagBytes - this.#mkiBytes - INDEX_BYTES;
  }

  #tag(bytes: Buffer, end: number): Buffer {
    bytes.copy(this.#inner, HASH_BLOCK, 0, end);
    hash('sha1', this.#inner.subarray(0, HASH_BLOCK + end), 'buffer').copy(this.#outer, HASH_BLOCK);
    return hash('sha1', this.#outer, 'buffer').subarray(0, this.#tagBytes);
  }

  /** XORs the key stream into `bytes` from `start` to `end`; encrypts and decrypts. */
  #crypt(bytes: Buffer, start: number, end: number, ssrc: number, high: number, low: number): void {
    const blocks = Math.ceil((end - start) / BLOCK);
    const iv = this.#iv;
    writeIv(iv, this.#salt, 4, ssrc, high, low);
    const counters = this.#counters;
    for (let at = 0; at < blocks * BLOCK; at += BLOCK)
      for (let i = 0; i < 14; i++) counters[at + i] = iv[i] as number;
    const stream = this.#aes.update(counters.subarray(0, blocks * BLOCK));
    for (let i = start, at = 0; i < end; i++, at++) bytes[i] = (bytes[i] as number) ^ (stream[at] as number);
  }
}

/** Compares tags of one length in a time that does not depend on where they differ. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}
