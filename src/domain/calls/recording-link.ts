import { readSignedName, signedName } from '../signed-name.ts';

/** The 64-character name of a call's recording: which call it is, and that this service said so. */
export const recordingToken = (secret: string, workspaceId: string, callId: string): string =>
  signedName(secret, 'recording', workspaceId, callId);

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
  const named = readSignedName(secret, 'recording', token);
  return named === null ? null : { workspaceId: named.workspaceId, callId: named.id };
}
