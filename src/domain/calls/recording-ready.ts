import type { CallFacts } from '../../store/call-facts.ts';
import type { Tx } from '../../store/database.ts';
import { hastenJob } from '../../store/jobs.ts';
import { findHeard, isRecordingDue, type RecordingFileRow } from '../../store/recordings.ts';
import { ANALYSIS_JOB } from '../analysis/queue-analysis.ts';
import { recordingKeys } from '../webhooks/completed.ts';
import { appendEvent } from '../webhooks/events.ts';

/**
 * A recording that was looked for or brought to the store is where it stays. Told in the transaction that says so;
 * the end of all processing waits for it no longer. The call is locked.
 */
export async function recordingReady(
  tx: Tx,
  call: CallFacts,
  file: Pick<RecordingFileRow, 'workspaceId' | 'callId' | 'attempt' | 'path'>,
  url: string,
  at: Date,
): Promise<void> {
  const heard = await findHeard(tx, file);
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

/** The same for one that is nowhere. */
export async function stopWaiting(
  tx: Tx,
  { workspaceId, callId }: { readonly workspaceId: string; readonly callId: string },
  at: Date,
): Promise<void> {
  if (await isRecordingDue(tx, workspaceId, callId)) return;
  await hastenJob(tx, { workspaceId, kind: ANALYSIS_JOB, dedup: callId }, at);
}
