import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signing secret; `id` names it inside the tokens that it signed. */
export interface LinkKey {
  readonly id: number;
  readonly secret: string;
  /** Tokens that it signed are refused from then on (ms); null: the current key, which signs new ones. */
  readonly retiresAt: number | null;
  /** It also signed tokens of the old form, without key and expiry; they are refused from then on; null: it did not. */
  readonly oldFormUntil: number | null;
}

/** What a token gives access to. */
export interface SignedName {
  readonly workspaceId: string;
  readonly id: string;
}

const MAC_BYTES = 16;
const IDS_BYTES = 32;
/** Key id (2) and expiry (4, seconds since 1970; 0: none), before the ids. */
const HEAD_BYTES = 6;
const TOKEN = /^[\w-]{72}$/;
const OLD_TOKEN = /^[\w-]{64}$/;

const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const toUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const macOf = (secret: string, purpose: string, signed: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${purpose}:`).update(signed).digest().subarray(0, MAC_BYTES);
const nameOf = (ids: Buffer): SignedName => ({
  workspaceId: toUuid(ids.subarray(0, 16)),
  id: toUuid(ids.subarray(16)),
});

/** The purpose is part of the signature, so a name for one purpose is invalid for another. */
export type NamePurpose = 'recording' | `recording of attempt ${number}` | 'rejects' | 'voice';

/**
 * A 72-character token that identifies something in a workspace until `expiresAt` (whole seconds, in ms; null: no end),
 * signed with HMAC-SHA-256.
 */
export function signedName(
  key: Pick<LinkKey, 'id' | 'secret'>,
  purpose: NamePurpose,
  name: SignedName,
  expiresAt: number | null,
): string {
  const signed = Buffer.alloc(HEAD_BYTES + IDS_BYTES);
  signed.writeUInt16BE(key.id, 0);
  signed.writeUInt32BE(expiresAt === null ? 0 : expiresAt / 1000, 2);
  toBytes(name.workspaceId).copy(signed, HEAD_BYTES);
  toBytes(name.id).copy(signed, HEAD_BYTES + 16);
  return Buffer.concat([signed, macOf(key.secret, purpose, signed)]).toString('base64url');
}

/** Id of the key that a token names; null for a token of the old form and for anything else. */
export const keyIdOf = (token: string): number | null =>
  TOKEN.test(token) ? Buffer.from(token, 'base64url').readUInt16BE(0) : null;

/** Verifies a token. Returns null unless one of the keys signed it for this purpose and it has not expired at `now`. */
export function readSignedName(
  keys: readonly LinkKey[],
  purpose: NamePurpose,
  token: string,
  now: number,
): SignedName | null {
  if (OLD_TOKEN.test(token)) return readOldName(keys, purpose, token, now);
  const keyId = keyIdOf(token);
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined || (key.retiresAt !== null && key.retiresAt <= now)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const signed = bytes.subarray(0, HEAD_BYTES + IDS_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES + IDS_BYTES), macOf(key.secret, purpose, signed)))
    return null;
  const expiresAt = signed.readUInt32BE(2) * 1000;
  return expiresAt !== 0 && expiresAt <= now ? null : nameOf(signed.subarray(HEAD_BYTES));
}

/** Whether one of the keys signed the token for this purpose, and it has expired or was revoked since. */
export const hasEnded = (
  keys: readonly LinkKey[],
  purpose: NamePurpose,
  token: string,
  now: number,
): boolean =>
  readSignedName(keys, purpose, token, now) === null &&
  readSignedName(keys.map(unended), purpose, token, 0) !== null;

const unended = (key: LinkKey): LinkKey => ({
  ...key,
  retiresAt: null,
  oldFormUntil: key.oldFormUntil === null ? null : Infinity,
});

/** Reads a token of versions before links expired: ids and signature alone. */
function readOldName(
  keys: readonly LinkKey[],
  purpose: NamePurpose,
  token: string,
  now: number,
): SignedName | null {
  const key = keys.find(({ oldFormUntil }) => oldFormUntil !== null && oldFormUntil > now);
  if (key === undefined) return null;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, IDS_BYTES);
  return timingSafeEqual(bytes.subarray(IDS_BYTES), macOf(key.secret, purpose, ids)) ? nameOf(ids) : null;
}
