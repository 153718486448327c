import type { Readable } from 'node:stream';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findRecording } from '../../store/recordings.ts';
import { hasRecording } from './call-record.ts';
import { readRecordingToken } from './recording-link.ts';

export type RecordingFormat = 'wav' | 'mp3' | 'peaks';
export type RecordingPlace = 'disk' | 'store';

/** A finished recording as it lies in the store. */
export interface RecordingFile {
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Bytes `start` to `end`, both included. */
  stream(start: number, end: number): Readable;
}

/** Where recordings are kept. */
export interface RecordingStore {
  /** Opens the recording a call record names, or what is made of it; null when there is no such file. */
  open(path: string, format: RecordingFormat, place: RecordingPlace): Promise<RecordingFile | null>;
}

/** What settling a call must know of the disk its recordings are written to. */
export interface RecordingDisk {
  readonly name: string;
  /** Recordings go on to an object store. */
  readonly hasStore: boolean;
  /** Mends a recording that was cut off; null when this disk has none at the path. */
  recover(path: string): Promise<{ durationMs: number; bytes: number } | null>;
}

/** Where the recording of an attempt is written, below the recordings folder. */
export const recordingPath = (workspaceId: string, callId: string, attempt: number): string =>
  `${workspaceId}/${callId}-${attempt}.wav`;

export interface OpenedRecording {
  readonly workspaceId: string;
  readonly callId: string;
  readonly file: RecordingFile;
}

/** The recording a signed token names. Throws one and the same 404 whatever is missing. */
export async function openRecording(
  deps: { db: Db; secret: string; recordings: RecordingStore },
  token: string,
  format: RecordingFormat,
): Promise<OpenedRecording> {
  const named = readRecordingToken(deps.secret, token);
  if (named === null) throw errors.recordingNotFound();
  return openCallRecording(deps, named.workspaceId, named.callId, format);
}

/** The recording of one of the workspace's calls. */
export async function openCallRecording(
  deps: { db: Db; recordings: RecordingStore },
  workspaceId: string,
  callId: string,
  format: RecordingFormat,
): Promise<OpenedRecording> {
  const kept = isUuid(callId) ? await findRecording(deps.db, workspaceId, callId) : null;
  if (kept === null || !hasRecording(kept.state)) throw errors.recordingNotFound();
  const file = await deps.recordings.open(kept.path, format, kept.place);
  if (file === null) throw errors.recordingNotFound();
  return { workspaceId, callId, file };
}
