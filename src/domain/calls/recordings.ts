import type { Readable } from 'node:stream';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findRecording, noteAdded, noteAdding } from '../../store/recordings/files.ts';
import type { SignedLinks } from '../links/signed-links.ts';
import { hasRecording } from './call-record.ts';
import { recordingPurpose } from './recording-link.ts';

export type RecordingFormat = 'wav' | 'mp3' | 'peaks';
export type RecordingPlace = 'disk' | 'store';

/** A finished recording on disk or in the object store. */
export interface RecordingFile {
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Bytes `start` to `end`, both included. */
  stream(start: number, end: number): Readable;
}

/**
 * Leases the right to write a derived file (MP3, waveform) beside a recording for `forMs`: a deletion waits until the
 * lease is returned or runs out. Resolves to the function that returns it; null: the recording is being deleted.
 */
export type LeaseDerived = (forMs: number) => Promise<(() => Promise<void>) | null>;

/** Reads recordings from disk or object store. */
export interface RecordingStore {
  /**
   * Opens a recording or a file derived from it; null when there is no such file. A derived file is written only under
   * a lease from `lease`.
   */
  open(
    path: string,
    format: RecordingFormat,
    place: RecordingPlace,
    lease: (place: RecordingPlace) => LeaseDerived,
  ): Promise<RecordingFile | null>;
}

/** The recording disk of this process, as the settlement uses it. */
export interface RecordingDisk {
  readonly name: string;
  /** Recordings are uploaded to an object store. */
  readonly hasStore: boolean;
  /** Repairs a recording that was cut off; null when this disk has none at the path. */
  recover(path: string): Promise<{ durationMs: number; bytes: number } | null>;
}

/** Path of an attempt's recording below the recordings folder. */
export const recordingPath = (workspaceId: string, callId: string, attempt: number): string =>
  `${workspaceId}/${callId}-${attempt}.wav`;

export interface OpenedRecording {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number | null;
  readonly file: RecordingFile;
}

/**
 * The recording of a signed token. Throws 410 for a link that has ended, which only its holder can send, and the same 404
 * for every other cause, so that a token reveals nothing.
 */
export async function openRecording(
  deps: { db: Db; clock: Clock; link: SignedLinks; recordings: RecordingStore },
  token: string,
  format: RecordingFormat,
  attempt: number | null = null,
): Promise<OpenedRecording> {
  const named = await deps.link.read(recordingPurpose(attempt), token);
  if (named === null) {
    throw deps.link.hasEnded(recordingPurpose(attempt), token)
      ? errors.linkEnded()
      : errors.recordingNotFound();
  }
  return openCallRecording(deps, named.workspaceId, named.id, format, attempt);
}

/** The recording of one of the workspace's calls: of one attempt, or by default the one in its record. */
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
    leaseDerived(deps, { ...named, place }),
  );
  if (file === null) throw errors.recordingNotFound();
  return { workspaceId, callId, attempt, file };
}

const leaseDerived =
  (deps: { db: Db; clock: Clock }, file: Parameters<typeof noteAdding>[1]): LeaseDerived =>
  async (forMs) => {
    const { db, clock } = deps;
    const token = newId();
    if (!(await noteAdding(db, file, token, new Date(clock.now() + forMs)))) return null;
    // A lease that cannot be returned runs out.
    return () => noteAdded(db, file, token, new Date(clock.now())).catch(() => undefined);
  };
