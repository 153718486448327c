import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { Readable } from 'node:stream';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  findRecording,
  noteAdded,
  noteAdding,
  insertRecordingFile,
  saveRecovered,
} from '../../store/recordings/files.ts';
import type { SignedLinks } from '../links/signed-links.ts';
import { hasRecording } from './call-record.ts';
import { recordingPurpose } from './recording-link.ts';
import type { AttemptKey } from '../../store/calls/attempts.ts';
import type { Ending } from './attempt/next-step.ts';
import type { CallFacts } from '../../store/calls/facts.ts';
import type { ConversationResult } from '../../voice/conversation.ts';

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

/** The recording of a conversation's result. */
export type Recorded = ConversationResult['recording'];

export function recordingState(recording: {
  failed: boolean;
  bytes: number;
}): 'stored' | 'partial' | 'failed' {
  if (!recording.failed) return 'stored';
  return recording.bytes > 0 ? 'partial' : 'failed';
}

/** The recording in the conversation's result; for a cut-off conversation the repaired file on this disk, if any. */
export async function findRecorded(
  disk: RecordingDisk | undefined,
  s: AttemptKey & Pick<Ending, 'end' | 'result'>,
): Promise<Recorded> {
  if (s.result !== null) return s.result.recording;
  if (s.end.kind === 'not_answered' || disk === undefined) return null;
  const path = recordingPath(s.workspaceId, s.callId, s.attempt);
  const found = await disk.recover(path);
  return found === null ? null : { path, ...found, failed: true };
}

/** The agent may have its calls not recorded. Versions stored before the setting existed lack it. */
const isRecorded = (config: VersionConfig): boolean => config.callConfig?.recording?.enabled !== false;

/**
 * Inserts the attempt's recording file with its next step: upload, nothing, or repair on whichever disk has the file,
 * because a crashed process may have recorded on a disk that this one cannot read.
 */
export async function keepRecording(
  tx: Tx,
  disk: RecordingDisk | undefined,
  call: Pick<CallFacts, 'workspaceId' | 'id' | 'attempt' | 'versionConfig'>,
  recorded: {
    readonly recording: Recorded;
    /** The conversation was cut off: no result of it writes the record. */
    readonly isCutOff: boolean;
    readonly wasAnswered: boolean;
  },
  at: Date,
): Promise<void> {
  const { recording, isCutOff } = recorded;
  const file = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };
  if (recording === null) {
    if (!isCutOff || !recorded.wasAnswered || !isRecorded(call.versionConfig)) return;
    const path = recordingPath(call.workspaceId, call.id, call.attempt);
    return insertRecordingFile(tx, { ...file, path, disk: null, state: 'repair' }, at);
  }
  if (recordingState(recording) === 'failed') return;
  if (isCutOff) {
    await saveRecovered(tx, call.workspaceId, call.id, { ...recording, attempt: call.attempt }, at);
  }
  const state = disk?.hasStore === true ? 'upload' : 'kept';
  const { path, bytes } = recording;
  await insertRecordingFile(tx, { ...file, path, bytes, disk: disk?.name ?? null, state }, at);
}
