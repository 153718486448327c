import { readSignedName, signedName, type NamePurpose } from '../signed-name.ts';

/** Null: the recording the call's record names. */
const purposeOf = (attempt: number | null): NamePurpose =>
  attempt === null ? 'recording' : `recording of attempt ${attempt}`;

/** The 64-character name of a call's recording, or of one attempt's: which it is, and that this service said so. */
export const recordingToken = (
  secret: string,
  workspaceId: string,
  callId: string,
  attempt: number | null = null,
): string => signedName(secret, purposeOf(attempt), workspaceId, callId);

/** Address of a call's recording: no key is needed, and it holds as long as the recording is kept. */
export const recordingUrl = (
  link: { publicUrl: string; secret: string },
  workspaceId: string,
  callId: string,
): string => `${link.publicUrl}/recordings/${recordingToken(link.secret, workspaceId, callId)}.wav`;

/** The same of one attempt's. */
export const attemptRecordingUrl = (
  link: { publicUrl: string; secret: string },
  workspaceId: string,
  callId: string,
  attempt: number,
): string =>
  `${link.publicUrl}/recordings/${recordingToken(link.secret, workspaceId, callId, attempt)}.wav?attempt=${attempt}`;

/** The call a token names; null when it was not made with `secret`, or not for this attempt. */
export function readRecordingToken(
  secret: string,
  token: string,
  attempt: number | null = null,
): { workspaceId: string; callId: string } | null {
  const named = readSignedName(secret, purposeOf(attempt), token);
  return named === null ? null : { workspaceId: named.workspaceId, callId: named.id };
}
