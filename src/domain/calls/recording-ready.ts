import { ANALYSIS_JOB } from './queue-analyses.ts';
import type { CallFacts } from '../../store/calls/facts.ts';
import type { Tx } from '../../store/database.ts';
import { hastenJob } from '../../store/jobs.ts';
import { findPlayable, isRecordingDue, type RecordingFileRow } from '../../store/recordings/files.ts';
import { recordingKeys } from '../../wire/events/conversation.ts';
import { appendEvent } from '../webhooks/events.ts';

/**
 * A repaired or uploaded recording has reached its final place: appends `recording_completed` in the transaction that
 * records the place, and lets `all_processing_completed` go ahead. The call is locked.
 */
export async function recordingReady(
  tx: Tx,
  call: CallFacts,
  file: Pick<RecordingFileRow, 'workspaceId' | 'callId' | 'attempt' | 'path'>,
  url: string,
  at: Date,
): Promise<void> {
  const heard = await findPlayable(tx, file);
  if (heard !== undefined) {
    await appendEvent(
      tx,
      { ...call, sipCallId: heard.sipCallId },
      {
        type: 'recording_completed',
        attempt: file.attempt,
        at,
        toolLog: heard.toolLog ?? [],
        more: recordingKeys(url, heard.lengthMs),
      },
    );
  }
  await stopWaiting(tx, file, at);
}

/** Lets `all_processing_completed` go ahead without a recording: none was found. */
export async function stopWaiting(
  tx: Tx,
  { workspaceId, callId }: { readonly workspaceId: string; readonly callId: string },
  at: Date,
): Promise<void> {
  if (await isRecordingDue(tx, workspaceId, callId)) return;
  await hastenJob(tx, { workspaceId, kind: ANALYSIS_JOB, dedup: callId }, at);
}
