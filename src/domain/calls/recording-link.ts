import type { SignedLinks } from '../links/signed-links.ts';
import type { NamePurpose } from '../links/signed-name.ts';

/** Null: the recording in the call's record. */
export const recordingPurpose = (attempt: number | null): NamePurpose =>
  attempt === null ? 'recording' : `recording of attempt ${attempt}`;

const baseOf = (links: SignedLinks, workspaceId: string, id: string, attempt: number | null): string =>
  `${links.publicUrl}/recordings/${links.issue(recordingPurpose(attempt), { workspaceId, id })}.wav`;

/** Public URL of a call's recording: needs no key, and is valid for RECORDING_LINK_DAYS. */
export const recordingUrl = (links: SignedLinks, workspaceId: string, callId: string): string =>
  baseOf(links, workspaceId, callId, null);

/** Public URL of one attempt's recording. */
export const attemptRecordingUrl = (
  links: SignedLinks,
  workspaceId: string,
  callId: string,
  attempt: number,
): string => `${baseOf(links, workspaceId, callId, attempt)}?attempt=${attempt}`;
