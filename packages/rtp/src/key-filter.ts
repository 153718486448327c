import type { DtmfDigit } from '@callwright/audio';

/** Some gateways send a key as audio packet and as SIP INFO. */
export type KeyPath = 'media' | 'signalling';

/** Time within which both report one key: an INFO that was lost comes again after 500 ms (RFC 3261 section 17.1.2). */
const SAME_KEY_MS = 800;

interface Key {
  readonly digit: DtmfDigit;
  readonly at: number;
}

/** Keys of each path that the other path has not reported, too, oldest first. */
export type KeyFilter = Readonly<Record<KeyPath, Key[]>>;

export const createKeyFilter = (): KeyFilter => ({ media: [], signalling: [] });

/** True for a new key; false for one that the other path reported within 800 ms. `at`: epoch ms. */
export function takesKey(filter: KeyFilter, path: KeyPath, digit: DtmfDigit, at: number): boolean {
  const [own, other] =
    path === 'media' ? [filter.media, filter.signalling] : [filter.signalling, filter.media];
  for (const keys of [own, other]) {
    while (keys[0] !== undefined && Math.abs(at - keys[0].at) >= SAME_KEY_MS) keys.shift();
  }
  const reported = other.findIndex((key) => key.digit === digit);
  if (reported !== -1) {
    other.splice(reported, 1);
    return false;
  }
  own.push({ digit, at });
  return true;
}
