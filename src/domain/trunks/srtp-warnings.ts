import type { Warning } from '../warnings.ts';

interface EncryptedTrunk {
  readonly name: string;
  readonly srtp: 'off' | 'optional' | 'required';
  readonly transport: string | null;
}

/** SDP carries the keys of SRTP (RFC 4568 section 8): whoever reads signalling without TLS can decrypt the audio. Pure. */
export const srtpWarnings = (trunks: readonly EncryptedTrunk[]): Warning[] =>
  trunks
    .filter(({ srtp, transport }) => srtp !== 'off' && transport !== 'tls')
    .map(({ name, srtp }) => ({
      code: 'SRTP_KEYS_IN_CLEAR',
      field: 'trunks.srtp',
      message: `is ${srtp} on ${name}, whose signalling has no TLS: whoever can read its SIP messages can decrypt the audio`,
    }));
