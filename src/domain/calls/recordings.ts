import type { Readable } from 'node:stream';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findRecording, noteAdded, noteAdding } from '../../store/recordings.ts';
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

/**
 * Asks to put something beside a recording within the next so many ms: whoever deletes it waits for them, or until the
 * answer is called. Null: nothing may be put.
 */
export type AskToAdd = (forMs: number) => Promise<(() => Promise<void>) | null>;

/** Where recordings are kept. */
export interface RecordingStore {
  /**
   * Opens the recording a call record names, or what is made of it; null when there is no such file. `ask`
   * comes before what was made is put into a place.
   */
  open(
    path: string,
    format: RecordingFormat,
    place: RecordingPlace,
    ask: (place: RecordingPlace) => AskToAdd,
  ): Promise<RecordingFile | null>;
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
  readonly attempt: number | null;
  readonly file: RecordingFile;
}

/** The recording a signed token names, for one attempt or for none. Throws one and the same 404 whatever is missing. */
export async function openRecording(
  deps: { db: Db; clock: Clock; secret: string; recordings: RecordingStore },
  token: string,
  format: RecordingFormat,
  attempt: number | null = null,
): Promise<OpenedRecording> {
  const named = readRecordingToken(deps.secret, token, attempt);
  if (named === null) throw errors.recordingNotFound();
  return openCallRecording(deps, named.workspaceId, named.callId, format, attempt);
}

/** The recording of one of the workspace's calls: of one attempt, or the one its record names. */
export async function openCallRecording(
  deps: { db: Db; clock: Clock; recordings: RecordingStore },
  workspaceId: string,
  callId: string,
  format: RecordingFormat,
  attempt: number | null = null,
): Promise<OpenedRecording> {
  const kept = isUuid(callId) ? await findRecording(deps.db, workspaceId, callId, attempt) : null;
  if (kept === null || !hasRecording(kept.state)) throw errors.recordingNotFound();
  const named = { workspaceId, callId, path: kept.path };
  const file = await deps.recordings.open(kept.path, format, kept.place, (place) =>
    askToAdd(deps, { ...named, place }),
  );
  if (file === null) throw errors.recordingNotFound();
  return { workspaceId, callId, attempt, file };
}

const askToAdd =
  (deps: { db: Db; clock: Clock }, file: Parameters<typeof noteAdding>[1]): AskToAdd =>
  async (forMs) => {
    const { db, clock } = deps;
    const token = newId();
    if (!(await noteAdding(db, file, token, new Date(clock.now() + forMs)))) return null;
    // What cannot be noted runs out by itself.
    return () => noteAdded(db, file, token, new Date(clock.now())).catch(() => undefined);
  };
