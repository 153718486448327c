import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;
const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const toUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const macOf = (secret: string, ids: Buffer): Buffer =>
  createHmac('sha256', secret).update('recording:').update(ids).digest().subarray(0, MAC_BYTES);

/** The 64-character name of a call's recording: which call it is, and that this service said so. */
export function recordingToken(secret: string, workspaceId: string, callId: string): string {
  const ids = Buffer.concat([toBytes(workspaceId), toBytes(callId)]);
  return Buffer.concat([ids, macOf(secret, ids)]).toString('base64url');
}

/** Address of a call's recording: no key is needed, and it holds as long as the recording is kept. */
export const recordingUrl = (
  link: { publicUrl: string; secret: string },
  workspaceId: string,
  callId: string,
): string => `${link.publicUrl}/recordings/${recordingToken(link.secret, workspaceId, callId)}.wav`;

/** The call a token names; null when it was not made with `secret`. */
export function readRecordingToken(
  secret: string,
  token: string,
): { workspaceId: string; callId: string } | null {
  if (!/^[\w-]{64}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 32);
  if (!timingSafeEqual(bytes.subarray(32), macOf(secret, ids))) return null;
  return { workspaceId: toUuid(ids.subarray(0, 16)), callId: toUuid(ids.subarray(16)) };
}
