import { crc32 } from 'node:zlib';
import { base62, randomToken, sha256 } from '../../shared/ids.ts';
import type { StoredKey } from '../../store/tenants/keys.ts';

const LIVE_PREFIX = 'cw_live_';
const NAMED_PREFIX = 'cw_key_';
const RANDOM_CHARS = 26;
const CHECK_CHARS = 6;
const NAMED = new RegExp(`^${NAMED_PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECK_CHARS}}$`);

/**
 * A prefix that scanners for secrets recognise, 26 random characters (154 bits), and six of a checksum, by which they and
 * we tell a key from a text that only looks like one.
 */
function newKey(prefix: string): string {
  const body = `${prefix}${randomToken(RANDOM_CHARS)}`;
  return `${body}${checksum(body)}`;
}

const checksum = (body: string): string => base62(crc32(body), CHECK_CHARS);

/** A new key of a workspace. */
export const newApiKey = (): string => newKey(LIVE_PREFIX);

/** A new named key. */
export const newNamedKey = (): string => newKey(NAMED_PREFIX);

/**
 * Whether a sent key may be one. Named keys always had a checksum; keys of workspaces may be older, or come from the
 * provision file in any form.
 */
export function mayBeKey(key: string): boolean {
  if (!key.startsWith(NAMED_PREFIX)) return true;
  return NAMED.test(key) && checksum(key.slice(0, -CHECK_CHARS)) === key.slice(-CHECK_CHARS);
}

/** The stored form of a key: its hash and the characters that may be shown. Short keys show none. */
export function storedForm(key: string): StoredKey {
  const underscore = key.lastIndexOf('_', 12) + 1;
  const isLong = key.length >= 20;
  return {
    keyHash: sha256(key),
    shownPrefix: isLong ? key.slice(0, underscore > 0 ? underscore : 4) : '',
    shownLast4: isLong ? key.slice(-4) : '',
  };
}
