import { createCipheriv } from 'node:crypto';
import type { SrtpSuite } from './suites.ts';

/** The session keys of RTP or RTCP in one direction. */
export interface SessionKeys {
  readonly encryption: Uint8Array;
  /** 14 bytes; 12 for GCM. */
  readonly salt: Uint8Array;
  /** Empty for GCM, which has no separate authentication. */
  readonly authentication: Uint8Array;
}

const KEY_BYTES = 16;
const AUTHENTICATION_BYTES = 20;

/** The labels of RFC 3711 section 4.3.2. */
const LABELS = {
  rtp: { encryption: 0, authentication: 1, salt: 2 },
  rtcp: { encryption: 3, authentication: 4, salt: 5 },
} as const;

/**
 * The key derivation function (RFC 3711 section 4.3) with a derivation rate of 0: AES in counter mode over zeros. A salt
 * of 12 bytes is padded with zeros (RFC 7714 section 11). `master` is the master key of 16 bytes, then the salt.
 */
export function deriveKey(master: Uint8Array, label: number, bytes: number): Uint8Array {
  const iv = Buffer.alloc(16);
  iv.set(master.subarray(KEY_BYTES));
  iv[7] = (iv[7] as number) ^ label;
  return createCipheriv('aes-128-ctr', master.subarray(0, KEY_BYTES), iv).update(Buffer.alloc(bytes));
}

export function sessionKeys(suite: SrtpSuite, master: Uint8Array, of: 'rtp' | 'rtcp'): SessionKeys {
  const labels = LABELS[of];
  const isGcm = suite === 'AEAD_AES_128_GCM';
  return {
    encryption: deriveKey(master, labels.encryption, KEY_BYTES),
    salt: deriveKey(master, labels.salt, isGcm ? 12 : 14),
    authentication: deriveKey(master, labels.authentication, isGcm ? 0 : AUTHENTICATION_BYTES),
  };
}
