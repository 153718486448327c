import { randomToken, sha256 } from '../../shared/ids.ts';
import type { StoredKey } from '../../store/tenants/keys.ts';

const LIVE_PREFIX = 'cw_live_';

/** A new key: the prefix and 32 random characters (190 bits). */
export const newApiKey = (): string => `${LIVE_PREFIX}${randomToken(32)}`;

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
