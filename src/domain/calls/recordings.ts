import type { Readable } from 'node:stream';
import { errors } from '../../errors.ts';
import type { Db } from '../../store/database.ts';
import { findRecord } from '../../store/history.ts';
import { hasRecording } from './call-record.ts';
import { readRecordingToken } from './recording-link.ts';

export type RecordingFormat = 'wav' | 'mp3';

/** A finished recording as it lies in the store. */
export interface RecordingFile {
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Bytes `start` to `end`, both included. */
  stream(start: number, end: number): Readable;
}

/** Where recordings are kept. */
export interface RecordingStore {
  /** Opens the recording a call record names; null when there is no such file. */
  open(path: string, format: RecordingFormat): Promise<RecordingFile | null>;
}

/** The recording a signed token names. Throws one and the same 404 whatever is missing. */
export async function openRecording(
  deps: { db: Db; secret: string; recordings: RecordingStore },
  token: string,
  format: RecordingFormat,
): Promise<RecordingFile> {
  const named = readRecordingToken(deps.secret, token);
  const record = named === null ? undefined : await findRecord(deps.db, named.workspaceId, named.callId);
  if (record === undefined || record.recording_path === null || !hasRecording(record.recording_state)) {
    throw errors.recordingNotFound();
  }
  const file = await deps.recordings.open(record.recording_path, format);
  if (file === null) throw errors.recordingNotFound();
  return file;
}
