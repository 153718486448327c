import type { CallFacts } from '../../store/call-facts.ts';
import type { Tx } from '../../store/database.ts';
import { insertRecordingFile, saveRecovered } from '../../store/recordings.ts';
import type { ConversationResult } from './conversation-result.ts';
import { recordingPath, type RecordingDisk } from './recordings.ts';
import type { Settlement } from './settle-call.ts';

type Recording = ConversationResult['recording'];

export function recordingState(recording: {
  failed: boolean;
  bytes: number;
}): 'stored' | 'partial' | 'failed' {
  if (!recording.failed) return 'stored';
  return recording.bytes > 0 ? 'partial' : 'failed';
}

/** What the conversation recorded; of one that was cut off, what is found on the disk, mended. */
export async function findRecorded(disk: RecordingDisk | undefined, s: Settlement): Promise<Recording> {
  if (s.result !== null) return s.result.recording;
  if (s.end.kind === 'not_answered' || disk === undefined) return null;
  const path = recordingPath(s.workspaceId, s.callId, s.attempt);
  const found = await disk.recover(path);
  return found === null ? null : { path, ...found, failed: true };
}

/** Enters the attempt's recording and what is to be done with it. One that was cut off may be on another disk. */
export async function keepRecording(
  tx: Tx,
  disk: RecordingDisk | undefined,
  call: Pick<CallFacts, 'workspaceId' | 'id' | 'attempt'>,
  recorded: {
    readonly recording: Recording;
    /** The conversation was cut off: nobody else writes its record. */
    readonly isCutOff: boolean;
    readonly wasAnswered: boolean;
  },
  at: Date,
): Promise<void> {
  const { recording, isCutOff } = recorded;
  const file = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };
  if (recording === null) {
    if (!isCutOff || !recorded.wasAnswered) return;
    const path = recordingPath(call.workspaceId, call.id, call.attempt);
    return insertRecordingFile(tx, { ...file, path, disk: null, state: 'repair' }, at);
  }
  if (recordingState(recording) === 'failed') return;
  if (isCutOff) {
    await saveRecovered(tx, call.workspaceId, call.id, { ...recording, attempt: call.attempt }, at);
  }
  const state = disk?.hasStore === true ? 'upload' : 'kept';
  await insertRecordingFile(tx, { ...file, path: recording.path, disk: disk?.name ?? null, state }, at);
}
