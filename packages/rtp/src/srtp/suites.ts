/** The crypto suites that calls use (RFC 4568 section 6.2, RFC 7714 section 12). */
export type SrtpSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32' | 'AEAD_AES_128_GCM';

/** The keys of one call: each side sends with its own. */
export interface SrtpKeys {
  suite: SrtpSuite;
  /** Master key and salt of what we send; `masterBytes` long. */
  send: Uint8Array;
  /** Master key and salt of what the peer sends. */
  receive: Uint8Array;
  /** Bytes of the master key identifier in every packet of the peer; 0: none. */
  receivedMkiBytes: number;
}

const KEY_BYTES = 16;

/** Bytes of master key and master salt together. */
export const masterBytes = (suite: SrtpSuite): number => KEY_BYTES + (suite === 'AEAD_AES_128_GCM' ? 12 : 14);

/** The most bytes that a suite adds to an RTP or RTCP packet: a GCM tag and the SRTCP index. */
export const SRTP_OVERHEAD_BYTES = 20;
