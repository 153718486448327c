import type { Tx } from './database.ts';

export interface CallRecord {
  /** The one that talked. */
  readonly attempt: number;
  /** The conversation was cut off: this is as far as it was journalled. */
  readonly isPartial: boolean;
  readonly transcript: readonly object[];
  readonly latency: readonly object[];
  readonly toolLog: readonly object[];
  readonly media: object | null;
  readonly interruptions: number;
  readonly firstUtteranceMs: number | null;
  readonly recording: {
    readonly path: string;
    readonly durationMs: number;
    readonly bytes: number;
    readonly state: 'stored' | 'partial' | 'failed';
  } | null;
}

/** Keeps what a conversation left behind; the newest attempt that talked replaces an older one's. */
export async function saveRecord(
  tx: Tx,
  workspaceId: string,
  callId: string,
  record: CallRecord,
  at: Date,
): Promise<void> {
  const values = {
    attempt: record.attempt,
    transcript_partial: record.isPartial,
    transcript: JSON.stringify(record.transcript),
    latency: JSON.stringify(record.latency),
    tool_log: JSON.stringify(record.toolLog),
    media: record.media === null ? null : JSON.stringify(record.media),
    interruptions: record.interruptions,
    first_utterance_ms: record.firstUtteranceMs === null ? null : Math.round(record.firstUtteranceMs),
    recording_path: record.recording?.path ?? null,
    recording_ms: record.recording === null ? null : Math.round(record.recording.durationMs),
    recording_bytes: record.recording?.bytes ?? null,
    recording_state: record.recording?.state ?? null,
    updated_at: at,
  };
  await tx
    .insertInto('call_records')
    .values({ workspace_id: workspaceId, call_id: callId, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'call_id']).doUpdateSet(values))
    .execute();
}
