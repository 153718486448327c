import { randomBytes } from 'node:crypto';
import { masterBytes, type SrtpSuite } from '@callwright/rtp';
import type { SdpMedia } from './session-description.ts';

/** Whether the audio of a trunk is encrypted: never, when the peer can, or always. */
export type SrtpPolicy = 'off' | 'optional' | 'required';

/** An `a=crypto` line (RFC 4568): the key that its sender encrypts with. */
export interface CryptoLine {
  tag: number;
  suite: SrtpSuite;
  /** Master key, then master salt. */
  master: Uint8Array;
  /** Bytes of the master key identifier in every packet; 0: none. */
  mkiBytes: number;
}

/** In the order of our offers. HMAC-SHA1 with the long tag is first: peers that read only one line know it. */
const SUITES: readonly SrtpSuite[] = [
  'AES_CM_128_HMAC_SHA1_80',
  'AEAD_AES_128_GCM',
  'AES_CM_128_HMAC_SHA1_32',
];
const LINE = /^(0|[1-9]\d{0,8})\s+(\S{1,60})\s+inline:(\S{1,400})((?:\s+\S+)*)$/i;
const KEY = /^([A-Za-z0-9+/]{38,40}={0,2})((?:\|[^|;]*){0,2})$/;
const MKI = /^\d{1,39}:(\d{1,3})$/;
const MAX_MKI_BYTES = 128;

/** Session parameters that change the packets; others, such as WSH, are hints. */
const CHANGES_PACKETS = /^(?:KDR=|UNENCRYPTED_|UNAUTHENTICATED_|FEC_)/i;

function parseCryptoLine(value: string): CryptoLine | null {
  const match = LINE.exec(value);
  if (match === null) return null;
  const [, tag, name, key, parameters] = match as unknown as [string, string, string, string, string];
  const suite = SUITES.find((supported) => supported === name.toUpperCase());
  if (suite === undefined) return null;
  if (parameters.split(/\s+/).some((parameter) => CHANGES_PACKETS.test(parameter))) return null;
  const parts = KEY.exec(key);
  if (parts === null) return null;
  const master = Buffer.from(parts[1] as string, 'base64');
  const mkiBytes = mkiBytesOf(parts[2] as string);
  if (master.length !== masterBytes(suite) || mkiBytes === null) return null;
  return { tag: Number(tag), suite, master: Uint8Array.from(master), mkiBytes };
}

/** Reads `|lifetime|MKI:length`, each optional; null: not supported. The lifetime is longer than any call. */
function mkiBytesOf(fields: string): number | null {
  const mki = fields.split('|').find((field) => field.includes(':'));
  if (mki === undefined) return 0;
  const bytes = Number(MKI.exec(mki)?.[1] ?? 0);
  return bytes >= 1 && bytes <= MAX_MKI_BYTES ? bytes : null;
}

/** The a=crypto lines of a media line that we support, in its order. */
export const cryptoLines = (media: SdpMedia): CryptoLine[] =>
  media.attributes.flatMap(({ name, value }) => {
    const line = name === 'crypto' && value !== null ? parseCryptoLine(value) : null;
    return line === null ? [] : [line];
  });

/** A line of ours with a new key. */
export const newCryptoLine = (tag: number, suite: SrtpSuite): CryptoLine => ({
  tag,
  suite,
  master: Uint8Array.from(randomBytes(masterBytes(suite))),
  mkiBytes: 0,
});

/** One line with a new key for each suite, most wanted first. */
export const newCryptoLines = (): CryptoLine[] => SUITES.map((suite, i) => newCryptoLine(i + 1, suite));

export const writeCryptoLine = ({ tag, suite, master }: CryptoLine): string =>
  `crypto:${tag} ${suite} inline:${Buffer.from(master).toString('base64')}`;
