import type { SessionKeys } from './key-derivation.ts';

/** Set in the index of an SRTCP packet whose content is encrypted. */
export const ENCRYPTED = 0x80000000;
/** The header of RTCP and the sender's SSRC: sent in clear. */
export const RTCP_CLEAR_BYTES = 8;

/** Encrypts and authenticates packets in place, with the session keys of RTP or of RTCP in one direction. */
export interface PacketCipher {
  /**
   * Encrypts `bytes` from `start` to `end` and writes the tag behind; returns the new length. The buffer has room for
   * `SRTP_OVERHEAD_BYTES` more.
   */
  sealRtp(bytes: Buffer, start: number, end: number, position: PacketPosition): number;
  /** Decrypts a whole SRTP packet; returns the length without tag, or -1, the packet unchanged, if the tag is wrong. */
  openRtp(bytes: Buffer, start: number, position: PacketPosition): number;
  /** Encrypts the RTCP packet of `end` bytes and writes the index and tag behind; returns the new length. */
  sealRtcp(bytes: Buffer, end: number, ssrc: number, index: number): number;
  /** The index that an SRTCP packet carries, with the flag `ENCRYPTED`; -1: the packet is too short. */
  rtcpIndex(bytes: Buffer): number;
  openRtcp(bytes: Buffer, ssrc: number): number;
}

/** What the initialisation vector of an RTP packet is made of. */
export interface PacketPosition {
  ssrc: number;
  rollover: number;
  sequence: number;
}

export interface CipherOptions {
  readonly keys: SessionKeys;
  /** Bytes of the authentication tag. */
  readonly tagBytes: number;
  /** Bytes of a master key identifier in received packets. */
  readonly mkiBytes: number;
}

/** XORs a 48-bit index and an SSRC into the copy of a salt: the SSRC at `at`, the index behind it. */
export function writeIv(
  iv: Uint8Array,
  salt: Uint8Array,
  at: number,
  ssrc: number,
  high: number,
  low: number,
): void {
  iv.set(salt);
  for (let i = 0; i < 4; i++) {
    iv[at + i] = (iv[at + i] as number) ^ (ssrc >>> (24 - 8 * i));
    iv[at + 4 + i] = (iv[at + 4 + i] as number) ^ (high >>> (24 - 8 * i));
  }
  iv[at + 8] = (iv[at + 8] as number) ^ (low >>> 8);
  iv[at + 9] = (iv[at + 9] as number) ^ low;
}
