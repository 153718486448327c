import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;
const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const toUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const macOf = (secret: string, purpose: string, ids: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${purpose}:`).update(ids).digest().subarray(0, MAC_BYTES);

/** What is signed for: a name for one purpose is good for no other. */
export type NamePurpose = 'recording' | `recording of attempt ${number}` | 'rejects';

/** A 64-character name of something in a workspace: which it is, and that this service said so. */
export function signedName(secret: string, purpose: NamePurpose, workspaceId: string, id: string): string {
  const ids = Buffer.concat([toBytes(workspaceId), toBytes(id)]);
  return Buffer.concat([ids, macOf(secret, purpose, ids)]).toString('base64url');
}

/** What a name stands for; null when it was not made with `secret` for this purpose. */
export function readSignedName(
  secret: string,
  purpose: NamePurpose,
  name: string,
): { workspaceId: string; id: string } | null {
  if (!/^[\w-]{64}$/.test(name)) return null;
  const bytes = Buffer.from(name, 'base64url');
  const ids = bytes.subarray(0, 32);
  if (!timingSafeEqual(bytes.subarray(32), macOf(secret, purpose, ids))) return null;
  return { workspaceId: toUuid(ids.subarray(0, 16)), id: toUuid(ids.subarray(16)) };
}
